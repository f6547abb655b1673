import { type Static, Type } from 'typebox'
import * as example from './examples.ts'
import * as field from './fields.ts'

export const RESOURCES = [
  'appointment',
  'student',
  'enrolment',
  'tick',
  'signature',
  'instructor',
  'vehicle',
  'location',
  'schedule_request',
  'user',
  'tenant',
  'lesson_type',
  'closure',
  'wish',
  'availability',
  'offer',
  'plan',
  'enquiry',
  'calendar_feed',
  'busy_calendar',
  'student_link',
  'webhook',
] as const
export const ResourceSchema = Type.Enum([...RESOURCES], { description: 'The kind of the resource.' })
export type Resource = (typeof RESOURCES)[number]

export const ACTIONS = ['created', 'changed', 'deleted', 'restored', 'erased'] as const
export type Action = (typeof ACTIONS)[number]

const Fields = field.nullable(Type.Record(Type.String(), Type.Unknown()))

/** A change of one resource, with only the changed fields, as in the API. */
export const ChangeSchema = field.closed(
  {
    id: field.described(field.Id, 'The id of the change.'),
    at: field.described(field.Timestamp, 'When it happened: UTC, RFC 3339.'),
    actor: field.closed(
      {
        kind: Type.Enum(['user', 'command', 'student', 'system'], {
          description:
            'Whether a user acted, a command of the command line, a student, or the service itself.',
        }),
        id: field.described(
          field.nullable(field.Id),
          "The user's or the student's id; null for the others, and for a student who is erased.",
        ),
        name: Type.String({ description: "The person's name at that time, or the command's." }),
      },
      { description: 'The person or program that made the change.' },
    ),
    resource: ResourceSchema,
    resource_id: field.described(field.Id, 'The resource that changed.'),
    action: Type.Enum([...ACTIONS], { description: 'The action on the resource.' }),
    set_id: Type.String({
      format: 'uuid',
      description: 'The set of all changes made by one request; equals the `X-Request-Id` of its response.',
    }),
    undoes: field.nullable(Type.String({ format: 'uuid', description: 'The set that this change undoes.' })),
    before: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
      ...Fields,
      description: 'The changed fields with their earlier values; null for a new resource.',
    }),
    after: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
      ...Fields,
      description: 'The changed fields with their new values; null if the resource was deleted or erased.',
    }),
  },
  { $id: 'Change', description: 'A change of one resource.', examples: [example.change] },
)
export type Change = Static<typeof ChangeSchema>

/** The changes after a cursor, and the cursor to continue from. */
export const ChangesSinceSchema = field.closed(
  {
    changes: Type.Array(field.ref(ChangeSchema), {
      description:
        'The changes, in no particular order between resources. A change may come twice, with the same id.',
    }),
    cursor: Type.String({ description: 'The cursor to send with the next request.' }),
  },
  {
    $id: 'ChangesSince',
    description: 'The changes after a cursor.',
    examples: [{ changes: [example.change], cursor: example.changesCursor }],
  },
)
export type ChangesSince = Static<typeof ChangesSinceSchema>
