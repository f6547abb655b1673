import { type Static, Type } from 'typebox'
import * as example from './examples.ts'
import * as field from './fields.ts'

/** The kinds of things whose changes are noted. */
export const RESOURCES = [
  'appointment',
  'student',
  'instructor',
  'schedule_request',
  'user',
  'tenant',
  'lesson_type',
  'calendar_feed',
  'student_link',
] as const
export const ResourceSchema = Type.Enum([...RESOURCES])
export type Resource = (typeof RESOURCES)[number]

const ACTIONS = ['created', 'changed', 'deleted', 'restored', 'erased'] as const
export type Action = (typeof ACTIONS)[number]

const Fields = field.nullable(Type.Record(Type.String(), Type.Unknown()))

/** Something that has happened to one resource. Fields are spelled as on the wire; only those that changed are there. */
export const ChangeSchema = field.closed(
  {
    id: field.Id,
    at: field.Timestamp,
    actor: field.closed({
      kind: Type.Enum(['user', 'command', 'student', 'system']),
      id: field.nullable(field.Id),
      name: Type.String({ description: "The person's name at that time, or the command's." }),
    }),
    resource: ResourceSchema,
    resource_id: field.Id,
    action: Type.Enum([...ACTIONS]),
    set_id: Type.String({
      format: 'uuid',
      description: 'Joins what one request did together; the `X-Request-Id` of its answer.',
    }),
    undoes: field.nullable(
      Type.String({ format: 'uuid', description: 'The set that this change takes back.' }),
    ),
    before: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
      ...Fields,
      description: 'The fields that changed, as they were; null where nothing was before.',
    }),
    after: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
      ...Fields,
      description: 'The same fields, as they are now; null where it was deleted or erased.',
    }),
  },
  { $id: 'Change', examples: [example.change] },
)
export type Change = Static<typeof ChangeSchema>

/** The changes after a cursor, and the cursor to continue from. */
export const ChangesSinceSchema = field.closed(
  {
    changes: Type.Array(field.ref(ChangeSchema), {
      description: 'In no particular order between resources; a change may come twice, with the same id.',
    }),
    cursor: Type.String({ description: 'To be sent with the next request.' }),
  },
  { $id: 'ChangesSince', examples: [{ changes: [example.change], cursor: example.changesCursor }] },
)
export type ChangesSince = Static<typeof ChangesSinceSchema>
