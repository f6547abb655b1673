import { type Static, Type } from 'typebox'
import type { LocalDate } from '../domain/local-time.ts'
import { TICK_KINDS, TICK_NEEDS, TICK_STATES, type TickNeed } from '../domain/ticks.ts'
import * as field from './fields.ts'
import type { Fault } from './problem.ts'

const OptionalDate = field.nullable(field.LocalDate)

const kind = Type.Enum([...TICK_KINDS], { description: 'The paper or test.' })
const valid_until = field.described(
  OptionalDate,
  'The last day on which it is valid; null if it does not expire.',
)
const note = field.described(field.nullable(field.Notes), 'A note of the office; null if there is none.')

export const TickSchema = field.closed(
  {
    kind,
    state: Type.Enum([...TICK_STATES], {
      description:
        '`expiring` is valid for 30 more days or fewer. `not_needed` is one that this student or template does not need.',
    }),
    date: field.described(OptionalDate, 'The day on which it was obtained or passed; null without one.'),
    valid_until,
    needed_for: Type.Unsafe<readonly TickNeed[]>(
      Type.Array(Type.Enum([...TICK_NEEDS]), {
        description: 'The steps that need it, by the law of the country; may be empty.',
      }),
    ),
    source: Type.Unsafe<'manual' | 'appointment' | null>({
      type: ['string', 'null'],
      enum: ['manual', 'appointment', null],
      description:
        '`manual`: entered by a person. `appointment`: the result of an exam. Null without a tick.',
    }),
    note,
  },
  {
    $id: 'Tick',
    description: 'A paper or test that the training for a class needs, and its state.',
    examples: [
      {
        kind: 'sight_test',
        state: 'done',
        date: '2026-03-02',
        valid_until: '2028-03-02',
        needed_for: ['application'],
        source: 'manual',
        note: null,
      },
    ],
  },
)

/** The ticks of a student in brief, for lists. */
export const TicksSummarySchema = field.closed(
  {
    missing: Type.Array(kind, {
      description: 'The kinds that are missing or expired, in the order of the law.',
    }),
    expired: Type.Array(kind, { description: 'Those among them that have expired.' }),
    next: field.described(
      field.nullable(
        field.closed({
          kind,
          valid_until: field.described(field.LocalDate, 'The last day on which it is valid.'),
        }),
      ),
      'The valid one that expires first; null if none expires.',
    ),
  },
  {
    $id: 'TicksSummary',
    description: 'The papers and tests that are missing, and the one that expires next.',
    examples: [
      { missing: ['first_aid'], expired: [], next: { kind: 'sight_test', valid_until: '2028-03-02' } },
    ],
  },
)

export const NewTickSchema = field.closed(
  {
    date: field.described(field.LocalDate, 'The day on which it was obtained or passed; not in the future.'),
    valid_until: field.optional(
      field.described(
        OptionalDate,
        'The last day on which it is valid; null if it does not expire. If omitted, the rule of the country decides.',
      ),
    ),
    note: field.optional(note),
  },
  {
    $id: 'NewTick',
    description: 'The tick as it should be. Only the day is required.',
    examples: [{ date: '2026-03-02' }],
  },
)
export type NewTick = Static<typeof NewTickSchema>

/** A tick that a person has entered, as it is stored and logged. */
export const StoredTickSchema = field.resource(
  {
    student_id: field.described(field.Id, 'The student.'),
    enrolment_id: field.described(field.Id, 'The enrolment.'),
    kind,
    date: field.LocalDate,
    valid_until,
    note,
    version: field.Version,
  },
  {},
)
export type StoredTick = Static<typeof StoredTickSchema>

/** Returns the faults of a tick's days. */
export function tickFaultsFor({ date, valid_until }: NewTick, today: LocalDate): readonly Fault[] {
  const faults: Fault[] = []
  if (date > today)
    faults.push({ pointer: '/date', code: 'in_the_future', detail: 'date must not be in the future.' })
  if (valid_until && valid_until < date)
    faults.push({
      pointer: '/valid_until',
      code: 'wrong_order',
      detail: `valid_until must not be before date, ${date}.`,
    })
  return faults
}
