import { type Static, Type } from 'typebox'
import { type EnrolmentOutcome, OUTCOMES } from '../domain/enrolments.ts'
import { type LocalDate, monthsLater } from '../domain/local-time.ts'
import { MAX_LICENSE_CLASSES } from '../domain/ranges.ts'
import { StoredCredits } from './credit.ts'
import * as example from './examples-of-school.ts'
import * as field from './fields.ts'
import type { Fault } from './problem.ts'

const OptionalDate = field.nullable(field.LocalDate)

const license_class = field.described(field.LicenseClass, 'A class that the student already holds.')
const since = field.described(OptionalDate, 'The day since which they hold it; null if unknown.')

const role = Type.Enum(['commissioning', 'commissioned'], {
  description: 'Whether this school has commissioned the other one, or is commissioned by it.',
})
const school = field.described(field.nullable(field.Title), 'The other school; null while it is unknown.')
const address = field.described(field.nullable(field.Title), 'Its address; null while it is unknown.')

const PRIOR_CLASSES = 'The classes that the student already holds, each once; null if nobody has asked yet.'
const COOPERATION = 'The training shared with another school; null if there is none.'

const PriorClasses = field.nullable(
  Type.Array(field.closed({ license_class, since }), { maxItems: MAX_LICENSE_CLASSES }),
)
const Cooperation = field.nullable(field.closed({ role, school, address }))

/** The lists as clients send them: what they leave out is null. */
const NewPriorClasses = field.nullable(
  Type.Array(field.closed({ license_class, since: field.optional(since) }), {
    maxItems: MAX_LICENSE_CLASSES,
  }),
)
const NewCooperation = field.nullable(
  field.closed({ role, school: field.optional(school), address: field.optional(address) }),
)

const template_id = field.described(
  field.Id,
  'The template with the requirements. The enrolment keeps it until somebody changes it.',
)
const scalars = {
  begins_on: field.described(field.LocalDate, 'The first day of the training.'),
  ends_on: field.described(OptionalDate, 'The last day; null while the training goes on.'),
  outcome: Type.Unsafe<EnrolmentOutcome | null>({
    type: ['string', 'null'],
    enum: [...OUTCOMES, null],
    description:
      'How it ended: `passed`, `stopped`, `moved` to another school, or `changed` to another class; null while it goes on. A passed practical test ends it on its day, except in a joint course; if the result is corrected, it goes on.',
  }),
  theory_ended_on: field.described(OptionalDate, 'The day on which the theory ended; null if it has not.'),
  practice_ended_on: field.described(
    OptionalDate,
    'The day on which the practice ended; null if it has not.',
  ),
  is_current: Type.Boolean({
    description:
      "Whether this is the student's current enrolment. A student has at most one; its template is the student's `license_class_template_id`.",
  }),
  note: field.described(field.nullable(field.Notes), 'A note of the office; null if there is none.'),
}

export const EnrolmentSchema = field.resource(
  {
    student_id: field.described(field.Id, 'The student.'),
    template_id,
    license_class: field.described(field.LicenseClass, 'The licence class of the template.'),
    law: field.described(
      field.nullable(field.Title),
      'The law of the template; null if the country has none here.',
    ),
    prior_classes: field.described(PriorClasses, PRIOR_CLASSES),
    ...scalars,
    cooperation: field.described(Cooperation, COOPERATION),
    version: field.Version,
  },
  {
    $id: 'Enrolment',
    description: 'The training of a student for one licence class.',
    examples: [example.enrolment],
  },
)
export type Enrolment = Static<typeof EnrolmentSchema>

/** An enrolment as stored, with its credits, which have a path of their own. */
export const StoredEnrolmentSchema = field.closed({
  ...EnrolmentSchema.properties,
  credits: StoredCredits,
})

export const NewPriorClassesSchema = field.described(NewPriorClasses, PRIOR_CLASSES)
export type NewPriorClasses = Static<typeof NewPriorClassesSchema>

const optionals = field.optionals({
  ...scalars,
  prior_classes: NewPriorClassesSchema,
  cooperation: field.described(NewCooperation, COOPERATION),
})

export const NewEnrolmentSchema = field.closed(
  { template_id, ...optionals },
  {
    $id: 'NewEnrolment',
    description: 'The training to begin. Only the template is required.',
    examples: [example.newEnrolment],
  },
)
export type NewEnrolment = Static<typeof NewEnrolmentSchema>

export const EnrolmentChangeSchema = field.closed(
  { template_id: field.optional(template_id), ...optionals },
  {
    $id: 'EnrolmentChange',
    description: 'The fields to change; omitted fields keep their values.',
    examples: [{ outcome: 'passed', ends_on: '2026-06-30' }],
  },
)
export type EnrolmentChange = Static<typeof EnrolmentChangeSchema>

/** Returns prior classes as they are stored. */
export function storedPriorClasses(given: NewPriorClasses): Enrolment['prior_classes'] {
  return given?.map(({ license_class, since = null }) => ({ license_class, since })) ?? null
}

/** Returns the faults of a request that do not depend on the stored enrolment. */
export function enrolmentFaultsFor({
  prior_classes,
}: Pick<EnrolmentChange, 'prior_classes'>): readonly Fault[] {
  const classes = (prior_classes ?? []).map(({ license_class }) => license_class)
  return classes.flatMap((one, index) =>
    classes.indexOf(one) === index
      ? []
      : [
          {
            pointer: `/prior_classes/${index}/license_class`,
            code: 'duplicate',
            detail: `The class ${one} may occur only once.`,
          },
        ],
  )
}

const MONTHS_AHEAD = 12

/** Returns the faults of the days of an enrolment as it would be stored. */
export function enrolmentDayFaultsFor(
  { begins_on, ends_on, outcome }: Pick<Enrolment, 'begins_on' | 'ends_on' | 'outcome'>,
  today: LocalDate,
): readonly Fault[] {
  const faults: Fault[] = []
  const add = (pointer: string, code: string, detail: string) => faults.push({ pointer, code, detail })
  const latest = monthsLater(today, MONTHS_AHEAD)
  if (begins_on > latest) add('/begins_on', 'too_late', `begins_on must be on ${latest} or earlier.`)
  if ((outcome === null) !== (ends_on === null))
    add(
      outcome === null ? '/outcome' : '/ends_on',
      'required',
      'outcome and ends_on must be given together, or both be null.',
    )
  if (ends_on !== null && ends_on < begins_on)
    add('/ends_on', 'wrong_order', `ends_on must not be before begins_on, ${begins_on}.`)
  if (ends_on !== null && ends_on > today)
    add('/ends_on', 'in_the_future', 'ends_on must not be in the future.')
  return faults
}
