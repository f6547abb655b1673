import { type Static, Type } from 'typebox'
import { closed, LocalDate, nullable, optional, optionals } from '../../contract/fields.ts'
import { TICK_KINDS, TICK_NEEDS } from '../../domain/ticks.ts'
import { RECORD_SIGNERS } from '../../domain/training-record.ts'

const Text = Type.String({ minLength: 1 })
const Texts = Type.Array(Text)
const Count = Type.Integer({ minimum: 1 })
const Names = Type.Object({ en: Text }, { additionalProperties: Text })
/** The days on which an entry is the law, both included; without them it always is. */
const dates = { valid_from: optional(nullable(LocalDate)), valid_to: optional(nullable(LocalDate)) }

const Requirement = closed({
  lesson_type: Text,
  required_units: Count,
  min_one_block_units: nullable(Count),
  by_prior: optional(
    Type.Array(closed({ classes: Type.Array(Text, { minItems: 1 }), required_units: Count })),
  ),
  shared: optional(Type.Boolean()),
  includes: optional(Type.Array(Text, { minItems: 1 })),
  also: optional(closed({ gearbox: Type.Enum(['manual', 'automatic']) })),
  min_minutes: optional(Count),
  not_by_trainee: optional(Type.Boolean()),
})

const Template = closed({
  code: Text,
  license_class: Text,
  names: Names,
  min_age: nullable(Type.Integer({ minimum: 1 })),
  law: optional(Text),
  ...dates,
  special: optional(Type.Enum(['should_after_basic', 'must_after_basic'])),
  special_after_units: optional(Count),
  requirements: Type.Array(Requirement),
})

const RecordForm = closed({
  ...dates,
  form: nullable(Text),
  signatures: Type.Array(Type.Enum([...RECORD_SIGNERS])),
  /** The codes of lesson types; null for those that the record leaves out. */
  codes: Type.Record(Text, nullable(Text)),
  /** The templates for which the law asks for another paper, or none. */
  without: optional(Texts),
})

const Kept = nullable(closed({ years: Count, from: Type.Enum(['end_of_year', 'day']) }))

const Tick = closed({
  kind: Type.Enum([...TICK_KINDS]),
  needed_for: Type.Array(Type.Enum([...TICK_NEEDS])),
  classes: Type.Array(Text, { minItems: 1 }),
  without: optional(Texts),
  until_age: optional(Count),
})

const TopicPlan = closed({
  lesson_type: Text,
  license_classes: Texts,
  topic: Text,
  count: Count,
  names: optional(Texts),
})

/** A country's pack as its file has it: the law's figures, each group with its source. */
export const PackSchema = closed({
  country: Type.String({ pattern: '^[A-Z]{2}$' }),
  unit_minutes: Count,
  theory_unit_minutes: Count,
  law: closed({ name: Text, as_of: LocalDate, sources: Type.Array(Text, { minItems: 1 }) }),
  without_lesson_types: Texts,
  record: Type.Array(RecordForm, { minItems: 1 }),
  retention: closed({ record: Kept, other: Kept, minutes: Kept, source: nullable(Text) }),
  daily_minutes: closed({
    practical: nullable(Count),
    total: nullable(Count),
    practical_average: optional(Count),
    week_total: optional(Count),
    source: nullable(Text),
  }),
  /** The breaks of employees: at least these minutes on days of more than so many, and the longest time without one. */
  breaks: optional(
    closed({
      after: Type.Array(closed({ over_minutes: Count, break_minutes: Count })),
      longest_run_minutes: Count,
      source: Text,
    }),
  ),
  validity: closed({
    ...optionals({
      theory_test_months: Count,
      approval_months: Count,
      sight_test_months: Count,
      licence_months: Count,
      training_years: Count,
      theory_before_age_months: Count,
      practice_before_age_months: Count,
      application_before_age_months: Count,
    }),
    source: nullable(Text),
  }),
  exams: closed({ retry_days: nullable(Count), without_theory_test: Texts, source: nullable(Text) }),
  theory_day_units: nullable(Count),
  ticks: closed({ kinds: Type.Array(Tick), source: nullable(Text) }),
  topics: closed({ plans: Type.Array(TopicPlan), source: nullable(Text) }),
  templates: Type.Array(Template, { minItems: 1 }),
})
export type PackFile = Static<typeof PackSchema>
