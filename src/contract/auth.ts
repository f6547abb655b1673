import { type Static, Type } from 'typebox'
import { EMAIL_LENGTH, PASSWORD_BYTES } from '../domain/ranges.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'
import type { Tenant } from './tenant.ts'

/** A password, compared byte for byte and never trimmed. */
const Password = Type.String({ 'x-bytes': [0, PASSWORD_BYTES.max] })

export const CredentialsSchema = field.closed(
  {
    email: Type.String({
      minLength: 1,
      maxLength: EMAIL_LENGTH.max,
      'x-text': true,
      description: 'The e-mail address of the user; case does not matter.',
    }),
    password: field.described(Password, 'The password, compared byte for byte and never trimmed.'),
  },
  {
    $id: 'Credentials',
    description: 'The e-mail address and password of a login.',
    examples: [{ email: 'office@school.example', password: 'correct horse battery' }],
  },
)
export type Credentials = Static<typeof CredentialsSchema>

export const RefreshSchema = field.closed(
  {
    refresh_token: field.optional(
      Type.String({ description: 'The refresh token; without it the cookie `svc_refresh` is used.' }),
    ),
  },
  {
    $id: 'Refresh',
    description: 'Optional if the `svc_refresh` cookie is sent.',
    examples: [{ refresh_token: example.tokens.refresh_token }],
  },
)

const NewPassword = Type.String({
  'x-bytes': [PASSWORD_BYTES.min, PASSWORD_BYTES.max],
  description: `The new password: ${PASSWORD_BYTES.min} to ${PASSWORD_BYTES.max} bytes; not a common one, the user's e-mail address or the school's name (\`too_common\`).`,
})

export const PasswordChangeSchema = field.closed(
  {
    current_password: field.described(Password, 'The password that is valid now.'),
    new_password: NewPassword,
  },
  {
    $id: 'PasswordChange',
    description: 'The current password and the new one.',
    examples: [{ current_password: 'correct horse battery', new_password: 'staple, correct horse' }],
  },
)

export type PasswordChange = Static<typeof PasswordChangeSchema>

/** The body sent with the token of an invitation or a password reset. */
export const PasswordChoiceSchema = field.closed(
  { password: NewPassword },
  {
    $id: 'PasswordChoice',
    description: 'The password to set.',
    examples: [{ password: 'staple, correct horse' }],
  },
)

export const ResetRequestSchema = field.closed(
  { email: field.described(CredentialsSchema.properties.email, 'The e-mail address of the user.') },
  {
    $id: 'ResetRequest',
    description: 'The e-mail address of a user who has forgotten the password.',
    examples: [{ email: 'office@nord.example' }],
  },
)

/** The response to a reset request, the same for every address. */
export const ResetRequestedSchema = field.closed(
  {
    by_mail: Type.Boolean({
      description: 'Whether this service sends mail. If not, an owner of the school creates the link.',
    }),
  },
  {
    $id: 'ResetRequested',
    description: 'The response is the same for every address, known or not.',
    examples: [{ by_mail: true }],
  },
)

/** The response of login and refresh. Lifetimes are in seconds. */
export const TokensSchema = field.closed(
  {
    token: Type.String({ description: 'The access token, a JWT for `Authorization: Bearer`.' }),
    refresh_token: Type.String({ description: 'The refresh token, which works once.' }),
    token_type: Type.Literal('Bearer', { description: 'The scheme of the `Authorization` header.' }),
    expires_in: Type.Integer({
      examples: [28800],
      description: 'The lifetime of the access token in seconds.',
    }),
    refresh_expires_in: Type.Integer({
      examples: [2592000],
      description: 'The lifetime of the refresh token in seconds.',
    }),
  },
  {
    $id: 'Tokens',
    description: 'The access token and the refresh token of a session, with their lifetimes.',
    examples: [example.tokens],
  },
)
export type Tokens = Static<typeof TokensSchema>

/** The roles, from the most rights to the fewest. */
export const USER_ROLES = ['owner', 'office', 'instructor'] as const
export type UserRole = (typeof USER_ROLES)[number]

/** The fields that decide a user's permissions. */
export const roleFields = {
  role: Type.Enum([...USER_ROLES], {
    description:
      'The role: an owner can do everything; the office can do everything except users and settings; an instructor sees their own lessons and students, and records how lessons went.',
  }),
  instructor_id: field.nullable({
    ...field.Id,
    description:
      'The instructor record of the user, or null. Required for the role `instructor`; owners and office users who also teach may have one.',
  }),
}

const userFields = {
  tenant_id: field.described(field.Id, 'The school of the user.'),
  email: Type.String({ description: "The user's login address, in lower case." }),
  name: field.described(field.Name, "The user's name."),
  ...roleFields,
}

/** A person who logs in; belongs to one tenant. */
export const UserSchema = field.resource(userFields, {
  $id: 'User',
  description:
    'A person who logs in. A user belongs to one school; users of several schools may have one address.',
  examples: [example.user],
})
export type User = Static<typeof UserSchema>

export const MeSchema = field.resource(
  {
    ...userFields,
    tenant: field.described(Type.Unsafe<Tenant>({ $ref: 'Tenant#' }), 'The school of the user.'),
  },
  {
    $id: 'Me',
    description: 'The user who sent the request, and the school.',
    examples: [{ ...example.user, tenant: example.tenant }],
  },
)
export type Me = Static<typeof MeSchema>
