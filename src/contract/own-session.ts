import { type Static, Type } from 'typebox'
import * as example from './examples-of-access.ts'
import * as field from './fields.ts'

const nullableText = (description: string) => field.nullable(Type.String({ description }))

export const OwnSessionSchema = field.closed(
  {
    id: field.described(field.Id, 'The id to end the session with.'),
    created_at: field.described(field.Timestamp, 'When the user logged in: UTC, RFC 3339.'),
    last_used_at: Type.String({
      ...field.Timestamp,
      description: 'When it was last used, to within ten minutes: UTC, RFC 3339.',
    }),
    browser: nullableText(
      'The family of the browser that logged in, such as Firefox; null for any other client.',
    ),
    system: nullableText('The operating system, such as Windows; null if unknown.'),
    is_current: Type.Boolean({ description: 'Whether this request belongs to it.' }),
  },
  {
    $id: 'OwnSession',
    description: 'One of your sessions, and the device that logged in.',
    examples: [example.ownSession],
  },
)
export type OwnSession = Static<typeof OwnSessionSchema>

export type Device = Pick<OwnSession, 'browser' | 'system'>
