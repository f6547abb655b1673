import { type Static, Type } from 'typebox'
import { API_TOKEN_DAYS } from '../domain/ranges.ts'
import * as example from './examples-of-access.ts'
import * as field from './fields.ts'

/** The maximum of API tokens of one user that are neither ended nor expired. */
export const MAX_API_TOKENS = 20

const Name = field.described(field.Name, 'A name by which the user recognises the program.')
const Role = Type.Enum(['owner', 'office', 'instructor'], {
  description:
    "The role in which the program acts: the user's, or less. `instructor` needs a user with an instructor.",
})
const Scope = Type.Enum(['read', 'write'], {
  description: '`read`: looks things up, and changes nothing. `write`: also does what the role may do.',
})

const fields = {
  id: field.described(field.Id, 'The id to end the token with.'),
  name: Name,
  role: Role,
  scope: Scope,
  created_at: field.described(field.Timestamp, 'When it was made: UTC, RFC 3339.'),
  last_used_at: field.described(
    field.nullable(field.Timestamp),
    'When it was last used, to within ten minutes: UTC, RFC 3339; null if it never was.',
  ),
  expires_at: field.described(field.Timestamp, 'When it stops working: UTC, RFC 3339.'),
}

export const ApiTokenSchema = field.closed(fields, {
  $id: 'ApiToken',
  description: 'An API token as its user sees it. The token itself is shown only once.',
  examples: [example.apiToken],
})
export type ApiToken = Static<typeof ApiTokenSchema>
export type ApiTokenScope = ApiToken['scope']

export const NewApiTokenSchema = field.closed(
  {
    name: Name,
    role: Role,
    scope: Scope,
    expires_in_days: Type.Integer({
      minimum: API_TOKEN_DAYS.min,
      maximum: API_TOKEN_DAYS.max,
      description: `The days for which it works, ${API_TOKEN_DAYS.min} to ${API_TOKEN_DAYS.max}.`,
    }),
  },
  {
    $id: 'NewApiToken',
    description: 'The name of a program, and the extent of its access.',
    examples: [{ name: 'Assistant', role: 'office', scope: 'read', expires_in_days: 90 }],
  },
)
export type NewApiToken = Static<typeof NewApiTokenSchema>

export const MadeApiTokenSchema = field.closed(
  {
    ...fields,
    token: Type.String({
      description: 'The token for `Authorization: Bearer`. It is shown only now; the service keeps its hash.',
    }),
  },
  {
    $id: 'MadeApiToken',
    description: 'A new API token.',
    examples: [{ ...example.apiToken, last_used_at: null, token: example.apiTokenText }],
  },
)
export type MadeApiToken = Static<typeof MadeApiTokenSchema>
