import { type Static, Type } from 'typebox'
import { EMAIL_LENGTH, PASSWORD_BYTES } from '../domain/ranges.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'
import type { Tenant } from './tenant.ts'

/** Compared byte for byte, never trimmed. */
const Password = Type.String({ 'x-bytes': [0, PASSWORD_BYTES.max] })

export const CredentialsSchema = field.closed(
  { email: Type.String({ minLength: 1, maxLength: EMAIL_LENGTH.max, 'x-text': true }), password: Password },
  { $id: 'Credentials', examples: [{ email: 'office@school.example', password: 'correct horse battery' }] },
)
export type Credentials = Static<typeof CredentialsSchema>

export const RefreshSchema = field.closed(
  { refresh_token: field.optional(Type.String()) },
  {
    $id: 'Refresh',
    description: 'May be left out where the svc_refresh cookie is sent.',
    examples: [{ refresh_token: example.tokens.refresh_token }],
  },
)

const NewPassword = Type.String({
  'x-bytes': [PASSWORD_BYTES.min, PASSWORD_BYTES.max],
  description: `${PASSWORD_BYTES.min} to ${PASSWORD_BYTES.max} bytes; none of the commonest, nor the own e-mail address or the school's name (\`too_common\`).`,
})

export const PasswordChangeSchema = field.closed(
  { current_password: Password, new_password: NewPassword },
  {
    $id: 'PasswordChange',
    examples: [{ current_password: 'correct horse battery', new_password: 'staple, correct horse' }],
  },
)

export type PasswordChange = Static<typeof PasswordChangeSchema>

/** The body sent with the token of an invitation or a password reset. */
export const PasswordChoiceSchema = field.closed(
  { password: NewPassword },
  { $id: 'PasswordChoice', examples: [{ password: 'staple, correct horse' }] },
)

export const ResetRequestSchema = field.closed(
  { email: CredentialsSchema.properties.email },
  { $id: 'ResetRequest', examples: [{ email: 'office@nord.example' }] },
)

/** The same for every address. */
export const ResetRequestedSchema = field.closed(
  {
    by_mail: Type.Boolean({
      description:
        'Whether this service sends mail at all. Where it does not, an owner of the school makes the link.',
    }),
  },
  { $id: 'ResetRequested', examples: [{ by_mail: true }] },
)

/** The response of login and refresh. Lifetimes are in seconds. */
export const TokensSchema = field.closed(
  {
    token: Type.String({ description: 'JWT for `Authorization: Bearer`.' }),
    refresh_token: Type.String({ description: 'Single use.' }),
    token_type: Type.Literal('Bearer'),
    expires_in: Type.Integer({ examples: [28800] }),
    refresh_expires_in: Type.Integer({ examples: [2592000] }),
  },
  { $id: 'Tokens', examples: [example.tokens] },
)
export type Tokens = Static<typeof TokensSchema>

export const USER_ROLES = ['owner', 'office', 'instructor'] as const
export type UserRole = (typeof USER_ROLES)[number]

/** The fields that decide a user's permissions. */
export const roleFields = {
  role: Type.Enum([...USER_ROLES], {
    description:
      'An owner may do everything, the office all but users and settings; an instructor sees own lessons and the students in them, and says how they went.',
  }),
  instructor_id: field.nullable({
    ...field.Id,
    description:
      'The instructor that the user is, or null. Required for the role `instructor`; any other user who also teaches may have one.',
  }),
}

const userFields = { tenant_id: field.Id, email: Type.String(), name: field.Name, ...roleFields }

/** A person who logs in; belongs to one tenant. */
export const UserSchema = field.resource(userFields, { $id: 'User', examples: [example.user] })
export type User = Static<typeof UserSchema>

export const MeSchema = field.resource(
  { ...userFields, tenant: Type.Unsafe<Tenant>({ $ref: 'Tenant#' }) },
  { $id: 'Me', examples: [{ ...example.user, tenant: example.tenant }] },
)
export type Me = Static<typeof MeSchema>
