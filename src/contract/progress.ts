import { type Static, Type } from 'typebox'
import { TOLERANCE_MINUTES } from '../domain/counted-minutes.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'

const WholeUnits = Type.Integer({ minimum: 0 })
const AtLeastOne = Type.Integer({ minimum: 1 })
const Units = Type.Number({ minimum: 0 })

const off_plan = field.optional(
  field.closed(
    {
      lessons: field.described(AtLeastOne, 'The number of these lessons.'),
      planned_minutes: field.described(WholeUnits, 'Their planned minutes.'),
      actual_minutes: field.described(WholeUnits, 'The minutes between their actual times, which count.'),
    },
    {
      description: `Completed lessons that were longer or shorter than planned by more than ${TOLERANCE_MINUTES} minutes; only if there are any.`,
    },
  ),
)

const other = {
  lesson_type_id: field.described(field.Id, 'The lesson type.'),
  done_units: field.described(Units, 'The units of completed lessons and of the opening balance.'),
  opening_units: field.optional(
    field.described(AtLeastOne, 'The units of the opening balance among those done; only if there are any.'),
  ),
  planned_units: field.described(Units, 'The units of planned lessons.'),
  off_plan,
}

export const ProgressSchema = field.closed(
  {
    template_id: field.nullable(Type.String({ format: 'uuid', description: "The student's class." })),
    requirements: Type.Array(
      field.closed({
        lesson_type_id: field.described(
          field.Id,
          'The lesson type that the requirement names; types with the same `requirement_key` count, too.',
        ),
        required_units: field.described(WholeUnits, 'The units that the class requires.'),
        done_units: field.described(WholeUnits, 'The units of completed lessons and of the opening balance.'),
        opening_units: field.optional(
          field.described(
            AtLeastOne,
            'The units of the opening balance among those done; only if there are any.',
          ),
        ),
        planned_units: Type.Integer({
          minimum: 0,
          description: 'The units of planned lessons, including past ones that are still `planned`.',
        }),
        open_units: Type.Integer({
          minimum: 0,
          description: 'The required units that are neither done nor planned.',
        }),
        min_one_block_units: field.described(
          field.nullable(WholeUnits),
          'The minimum units of one of the lessons; null if any length will do.',
        ),
        block_done: field.nullable(
          Type.Boolean({
            description:
              'Whether a completed lesson, or several that touch, with the same instructor and type on one day, has at least `min_one_block_units`, or the opening balance has all `required_units`; null without such a requirement.',
          }),
        ),
        off_plan,
      }),
      {
        description: `The progress by requirement; each lesson counts in whole units. A completed one counts by its actual times if they are known; up to ${TOLERANCE_MINUTES} minutes less than planned count as planned.`,
      },
    ),
    other: Type.Array(field.closed(other), {
      description: 'The lesson types that the class does not require; units have at most two decimals.',
    }),
    ready: Type.Boolean({
      description: 'Whether all requirements are met, including blocks. False without a class.',
    }),
  },
  {
    $id: 'Progress',
    description: "The progress toward the requirements of the student's class, in units.",
    examples: [example.progress],
  },
)
export type Progress = Static<typeof ProgressSchema>

const summed = {
  done_units: field.described(WholeUnits, 'The units of completed lessons, at most those required.'),
  planned_units: field.described(WholeUnits, 'The units of planned lessons, at most those still open.'),
  required_units: field.described(WholeUnits, 'The units that the class requires.'),
}

/** The progress in a few numbers, for lists. */
export const ProgressSumSchema = field.closed(
  {
    ...summed,
    theory: field.closed(summed, { description: 'The theory part; the rest are drives.' }),
    ready: Type.Boolean({
      description: 'Whether all requirements are met, including blocks. False without a class.',
    }),
  },
  {
    $id: 'ProgressSum',
    description: 'The sum over all requirements, each counted up to its required units.',
    examples: [example.progressSum],
  },
)
