import { type Static, Type } from 'typebox'
import * as example from './examples.ts'
import * as field from './fields.ts'

const WholeUnits = Type.Integer({ minimum: 0 })
const Units = Type.Number({ minimum: 0 })

/** A student's progress toward the requirements of the class, and the other units driven or planned. */
export const ProgressSchema = field.closed(
  {
    template_id: field.nullable(Type.String({ format: 'uuid', description: "The student's class." })),
    requirements: Type.Array(
      field.closed({
        lesson_type_id: field.Id,
        required_units: WholeUnits,
        done_units: WholeUnits,
        planned_units: Type.Integer({ minimum: 0, description: 'Also of what is past and still `planned`.' }),
        open_units: Type.Integer({ minimum: 0, description: 'Required, and neither done nor planned.' }),
        min_one_block_units: field.nullable(WholeUnits),
        block_done: field.nullable(
          Type.Boolean({
            description: 'Whether one completed lesson has `min_one_block_units`; null without.',
          }),
        ),
      }),
      { description: 'Whole units of each lesson.' },
    ),
    other: Type.Array(field.closed({ lesson_type_id: field.Id, done_units: Units, planned_units: Units }), {
      description: 'What the class does not demand; units of at most two decimals.',
    }),
    ready: Type.Boolean({ description: 'All is done, every block too. False without a class.' }),
  },
  { $id: 'Progress', examples: [example.progress] },
)
export type Progress = Static<typeof ProgressSchema>

const summed = { done_units: WholeUnits, planned_units: WholeUnits, required_units: WholeUnits }

/** The same in a few numbers, for lists. */
export const ProgressSumSchema = field.closed(
  {
    ...summed,
    theory: field.closed(summed, { description: 'The part of it that is theory; the rest are drives.' }),
    ready: Type.Boolean(),
  },
  {
    $id: 'ProgressSum',
    description:
      'All requirements together. What exceeds one of them is not counted, for it makes up for no other.',
    examples: [example.progressSum],
  },
)
