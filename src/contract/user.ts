import { type Static, Type } from 'typebox'
import { roleFields } from './auth.ts'
import * as field from './fields.ts'
import type { Fault } from './problem.ts'
import * as example from './user-examples.ts'

const USER_STATES = ['invited', 'active', 'disabled'] as const
export type UserState = (typeof USER_STATES)[number]

const MAIL_STATES = ['waiting', 'sent', 'failed'] as const

/** The newest mail with a link that still concerns the user. */
const Mail = field.closed({
  state: Type.Enum([...MAIL_STATES], {
    description:
      'The state of the mail. A failed mail is not tried again; a waiting one with a reason has failed so far.',
  }),
  reason: field.nullable(
    Type.String({
      description: "The mail server's reason, without addresses and links; null if there is none.",
    }),
  ),
  at: {
    ...field.Timestamp,
    description: 'When it was sent or given up, otherwise when it was queued: UTC, RFC 3339.',
  },
})

const maySign = Type.Boolean({
  description:
    'Whether the user may sign training records for the school, as its responsible manager; owners always may.',
})

const writable = { name: field.described(field.Name, "The user's name."), ...roleFields }

/** A user as owners see them. */
export const SchoolUserSchema = field.resource(
  {
    email: Type.String({ description: "The user's login address, in lower case." }),
    ...writable,
    disabled: Type.Boolean({ description: 'Whether the login is disabled.' }),
    state: Type.Enum([...USER_STATES], {
      description: 'An invited user has not set a password yet; a disabled one cannot log in.',
    }),
    invited_until: field.nullable({
      ...field.Timestamp,
      description: 'When the newest invitation link expires or expired; null if there is none.',
    }),
    last_seen_at: field.nullable({
      ...field.Timestamp,
      description: 'The day of the last login or use of a session; null if it was more than 30 days ago.',
    }),
    mail: field.nullable({
      ...Mail,
      description:
        'The newest mail with a link for the user: the invitation until it is accepted, then a password reset or the notice of another address. Null if none was mailed in 30 days.',
    }),
    second_factors: Type.Array(Type.Enum(['passkey', 'totp']), {
      description:
        'The second factors of which a login needs one in addition to the password: passkeys, or the codes of an authenticator app (`totp`). Empty if the password is enough.',
    }),
    may_sign: maySign,
    requested_email: field.nullable(
      Type.String({ description: 'The new address, until it is confirmed; null if there is none.' }),
    ),
    version: field.Version,
  },
  {
    $id: 'SchoolUser',
    description: 'A user, as shown to the owners of the school.',
    examples: [example.schoolUser],
  },
)
export type SchoolUser = Static<typeof SchoolUserSchema>

const { name, role } = writable

export const NewUserSchema = field.closed(
  {
    email: field.described(
      field.Email,
      'The address by which the user will log in; it is stored in lower case and is unique in the school. Users of other schools may have it, too.',
    ),
    name,
    role,
    instructor_id: field.optional(writable.instructor_id),
  },
  { $id: 'NewUser', description: 'The user to invite.', examples: [example.newUser] },
)
export type NewUser = Static<typeof NewUserSchema>

export const InvitationAgainSchema = field.closed(
  {
    email: field.optional({
      ...field.Email,
      description: 'The corrected address, if the invitation went to a wrong one.',
    }),
  },
  {
    $id: 'InvitationAgain',
    description: 'Optional; by default the address stays.',
    examples: [{ email: example.newUser.email }],
  },
)
export type InvitationAgain = Static<typeof InvitationAgainSchema>

export const UserChangeSchema = field.closed(
  field.optionals({
    ...writable,
    may_sign: maySign,
    disabled: Type.Boolean({
      description: "Whether the login is disabled; `true` ends the user's sessions.",
    }),
  }),
  {
    $id: 'UserChange',
    description: 'The fields to change; omitted fields keep their values.',
    examples: [{ role: 'office' }],
  },
)
export type UserChange = Static<typeof UserChangeSchema>

const linkFields = {
  url: Type.String({
    description: 'The link, shown only once. Pass it on to the user and to nobody else.',
  }),
  expires_at: field.described(field.Timestamp, 'When the link ends: UTC, RFC 3339.'),
  is_mailed: Type.Boolean({ description: 'Whether the user also gets it by mail.' }),
}

export const PasswordLinkSchema = field.closed(linkFields, {
  $id: 'PasswordLink',
  description: 'A link by which a user sets a password.',
  examples: [example.passwordLink],
})
export type PasswordLink = Static<typeof PasswordLinkSchema>

export const InvitedUserSchema = field.closed(
  {
    user: field.described(field.ref(SchoolUserSchema), 'The invited user.'),
    invitation: field.described(field.ref(PasswordLinkSchema), 'The link by which the user sets a password.'),
  },
  {
    $id: 'InvitedUser',
    description: 'An invited user and the link that lets them in.',
    examples: [{ user: example.schoolUser, invitation: example.passwordLink }],
  },
)

/** The details of an invitation, shown to the person who opens its link. */
export const InvitationSchema = field.closed(
  {
    school: Type.String({ description: "The school's name." }),
    name: field.described(field.Name, "The user's name."),
    email: Type.String({ description: 'The address by which the user will log in.' }),
    expires_at: field.described(field.Timestamp, 'When the link ends: UTC, RFC 3339.'),
    issuer: field.nullable(
      Type.String({
        description:
          'The issuer at which the invitation can be accepted instead; null if the school has none.',
      }),
    ),
  },
  {
    $id: 'Invitation',
    description: 'The invitation as shown to the person who opens the link.',
    examples: [example.invitation],
  },
)
export type Invitation = Static<typeof InvitationSchema>

/** Checks that a user with the role `instructor` has an `instructor_id`. */
export function userFaultsFor({ role, instructor_id = null }: Partial<NewUser>): readonly Fault[] {
  if (role !== 'instructor' || instructor_id !== null) return []
  const detail = 'instructor_id is required for the role instructor: it names the instructor.'
  return [{ pointer: '/instructor_id', code: 'required', detail }]
}
