import { type Static, Type } from 'typebox'
import * as example from './examples.ts'
import * as field from './fields.ts'
import { InstructorChangeSchema, instructorFaultsFor } from './instructor.ts'
import type { Fault } from './problem.ts'

const MAX_ASSUMED = 20

/** Pending changes of instructors, which searches and checks must also respect. */
export const AssumedSchema = Type.Array(
  field.closed({
    instructor_id: field.described(field.Id, 'The instructor to change.'),
    change: field.described(
      field.ref(InstructorChangeSchema),
      'The fields that would change, as in `PATCH /instructors/{id}`.',
    ),
  }),
  {
    maxItems: MAX_ASSUMED,
    description:
      'Changes of instructors that are not stored yet. A result has to keep both the stored rules and the changed ones.',
    examples: [[{ instructor_id: example.instructor.id, change: { vacations: [example.vacation] } }]],
  },
)
export type Assumed = Static<typeof AssumedSchema>

export function assumedFaultsFor(
  { assumed = [] }: { readonly assumed?: Assumed },
  timezone: string,
): readonly Fault[] {
  return assumed.flatMap(({ change }, index) =>
    instructorFaultsFor(change, timezone).map((fault) => ({
      ...fault,
      pointer: `/assumed/${index}/change${fault.pointer}`,
    })),
  )
}

export const SlotSearchSchema = field.closed(
  { assumed: AssumedSchema },
  {
    $id: 'SlotSearch',
    description: 'The unsaved changes that a slot has to fit as well.',
    examples: [
      { assumed: [{ instructor_id: example.instructor.id, change: { vacations: [example.vacation] } }] },
    ],
  },
)
