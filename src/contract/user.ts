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
    description: 'A failed mail is not tried again; a waiting one with a reason has failed so far.',
  }),
  reason: field.nullable(
    Type.String({
      description: 'Why it was not taken, as the mail server says it, without addresses and links.',
    }),
  ),
  at: { ...field.Timestamp, description: 'When it was sent or given up, or else written.' },
})

const writable = { name: field.Name, ...roleFields }

/** A user as the owners of the school see one. */
export const SchoolUserSchema = field.resource(
  {
    email: Type.String(),
    ...writable,
    disabled: Type.Boolean({ description: 'Cannot log in.' }),
    state: Type.Enum([...USER_STATES], {
      description: 'An invited user has not set a password yet; a disabled one cannot log in.',
    }),
    invited_until: field.nullable({
      ...field.Timestamp,
      description: 'When the newest link of an invitation ends or has ended; null where there is none.',
    }),
    last_seen_at: field.nullable({
      ...field.Timestamp,
      description:
        'The last login, or that a session went on, to the day; null if it was not within 30 days.',
    }),
    mail: field.nullable({
      ...Mail,
      description:
        'The newest mail with a link for the user: the invitation until it is accepted, then a password reset or the notice of another address. Null where none was mailed in 30 days.',
    }),
    requested_email: field.nullable(
      Type.String({ description: 'The address that both have yet to confirm; null where there is none.' }),
    ),
    version: field.Version,
  },
  { $id: 'SchoolUser', examples: [example.schoolUser] },
)
export type SchoolUser = Static<typeof SchoolUserSchema>

const { name, role } = writable

export const NewUserSchema = field.closed(
  { email: field.Email, name, role, instructor_id: field.optional(writable.instructor_id) },
  { $id: 'NewUser', examples: [example.newUser] },
)
export type NewUser = Static<typeof NewUserSchema>

export const InvitationAgainSchema = field.closed(
  {
    email: field.optional({
      ...field.Email,
      description: 'The right address, where the invitation went to a wrong one.',
    }),
  },
  {
    $id: 'InvitationAgain',
    description: 'May be left out.',
    examples: [{ email: example.newUser.email }],
  },
)
export type InvitationAgain = Static<typeof InvitationAgainSchema>

export const UserChangeSchema = field.closed(field.optionals({ ...writable, disabled: Type.Boolean() }), {
  $id: 'UserChange',
  examples: [{ role: 'office' }],
})
export type UserChange = Static<typeof UserChangeSchema>

const linkFields = {
  url: Type.String({
    description: 'To be handed to the user, and to nobody else: it is answered this once.',
  }),
  expires_at: field.Timestamp,
  is_mailed: Type.Boolean({ description: 'Whether the user also gets it by mail.' }),
}

/** A link by which a user sets a password. */
export const PasswordLinkSchema = field.closed(linkFields, {
  $id: 'PasswordLink',
  examples: [example.passwordLink],
})
export type PasswordLink = Static<typeof PasswordLinkSchema>

/** An invited user, and the link that lets them in. */
export const InvitedUserSchema = field.closed(
  { user: field.ref(SchoolUserSchema), invitation: field.ref(PasswordLinkSchema) },
  { $id: 'InvitedUser', examples: [{ user: example.schoolUser, invitation: example.passwordLink }] },
)

/** The details shown to a person who opens the link of an invitation. */
export const InvitationSchema = field.closed(
  {
    school: Type.String({ description: "The school's name." }),
    name: field.Name,
    email: Type.String({ description: 'By which the user will log in.' }),
    expires_at: field.Timestamp,
  },
  { $id: 'Invitation', examples: [example.invitation] },
)
export type Invitation = Static<typeof InvitationSchema>

/** Returns the faults between fields: the login of an instructor needs an `instructor_id`. */
export function userFaultsFor({ role, instructor_id = null }: Partial<NewUser>): readonly Fault[] {
  if (role !== 'instructor' || instructor_id !== null) return []
  const detail = 'instructor_id is required for the role instructor: it names the instructor.'
  return [{ pointer: '/instructor_id', code: 'required', detail }]
}
