import { type Static, Type } from 'typebox'
import { ResourceSchema } from './change.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'

/** The changes of a set that were taken back, and why others were not. */
export const SetUndoSchema = field.closed(
  {
    set_id: Type.String({
      format: 'uuid',
      description: 'The set of the undo itself; undoing it does again what was undone.',
    }),
    undone: Type.Array(field.Id, { description: 'The ids of the resources that are as they were before.' }),
    refused: Type.Array(
      field.closed({
        resource: ResourceSchema,
        resource_id: field.Id,
        code: Type.String({
          description:
            'A broken rule, or: `changed_since`; `in_use`: lessons have been booked; `erased`; `not_found`: a student or an instructor is not there any more; `not_undoable`: links, logins and requests stay.',
        }),
      }),
    ),
  },
  {
    $id: 'SetUndo',
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
