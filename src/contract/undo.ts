import { type Static, Type } from 'typebox'
import { ResourceSchema } from './change.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'

export const SetUndoSchema = field.closed(
  {
    set_id: Type.String({
      format: 'uuid',
      description: 'The set of the undo itself; undoing it restores the changes.',
    }),
    undone: Type.Array(field.Id, { description: 'The ids of the resources that were taken back.' }),
    refused: Type.Array(
      field.closed({
        resource: ResourceSchema,
        resource_id: field.described(field.Id, 'The resource that stays as it is.'),
        fields: Type.Optional(
          Type.Array(Type.String(), {
            description:
              'With `changed_since`: the fields that somebody has changed since. Others of the set were taken back if the id is in `undone`.',
          }),
        ),
        code: Type.String({
          description:
            'A broken rule, or: `changed_since`; `in_use`: lessons have been booked; `student_signed`: a row of a merge is signed; `erased`; `not_found`: a student, an instructor or a location no longer exists; `not_undoable`: links, logins and requests, or a location in a school that has the maximum.',
        }),
        params: Type.Optional(
          Type.Record(Type.String(), Type.Unknown(), {
            description: 'With a broken rule: its numbers, as in the 409 of a booking.',
          }),
        ),
      }),
      { description: 'The changes that were not undone, and why.' },
    ),
  },
  {
    $id: 'SetUndo',
    description: 'The changes that were undone and those that were refused.',
    examples: [
      {
        set_id: example.change.id,
        undone: [example.appointment.id],
        refused: [{ resource: 'student', resource_id: example.student.id, code: 'changed_since' }],
      },
    ],
  },
)
export type SetUndo = Static<typeof SetUndoSchema>
