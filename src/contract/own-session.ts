import { type Static, Type } from 'typebox'
import * as example from './examples-of-access.ts'
import * as field from './fields.ts'

const words = (description: string) => field.nullable(Type.String({ description }))

/** A session of the user who asks. */
export const OwnSessionSchema = field.closed(
  {
    id: field.Id,
    created_at: field.Timestamp,
    last_used_at: Type.String({ ...field.Timestamp, description: 'To within ten minutes. UTC, RFC 3339.' }),
    browser: words('The family of the browser that logged in, such as Firefox; null for any other client.'),
    system: words('What it ran on, such as Windows.'),
    is_current: Type.Boolean({ description: 'Whether this request belongs to it.' }),
  },
  { $id: 'OwnSession', examples: [example.ownSession] },
)
export type OwnSession = Static<typeof OwnSessionSchema>

/** The details of a client that are stored with its session. */
export type Device = Pick<OwnSession, 'browser' | 'system'>
