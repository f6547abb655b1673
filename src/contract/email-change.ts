import { type Static, Type } from 'typebox'
import * as field from './fields.ts'
import * as example from './user-examples.ts'

const { email, expires_at } = example.emailChange

export const NewEmailSchema = field.closed(
  { email: field.described(field.Email, 'The new address; it is stored in lower case.') },
  { $id: 'NewEmail', description: 'The address to change to.', examples: [{ email }] },
)

export const EmailChangeSchema = field.closed(
  {
    email: Type.String({ description: 'The new address.' }),
    is_changed: Type.Boolean({
      description:
        'Whether the new address is already valid. If the service sends mail, both addresses have to confirm it first: each gets a link.',
    }),
    expires_at: field.nullable({
      ...field.Timestamp,
      description: 'When the links expire; null if there are none.',
    }),
  },
  { $id: 'EmailChange', description: 'A change of address and its state.', examples: [example.emailChange] },
)
export type EmailChange = Static<typeof EmailChangeSchema>

export const EmailChangeLinkSchema = field.closed(
  {
    school: Type.String({ description: "The school's name." }),
    name: field.described(field.Name, "The user's name."),
    email: Type.String({ description: 'The new address.' }),
    sent_to: Type.Enum(['old', 'new'], { description: 'The address that the link confirms.' }),
    is_confirmed: Type.Boolean({
      description: 'Whether this link has been confirmed; the other one may not be.',
    }),
    expires_at: field.described(field.Timestamp, 'When the link ends: UTC, RFC 3339.'),
  },
  {
    $id: 'EmailChangeLink',
    description: 'The change of address that belongs to a mailed link.',
    examples: [
      {
        school: example.invitation.school,
        name: example.newUser.name,
        email,
        sent_to: 'old',
        is_confirmed: false,
        expires_at,
      },
    ],
  },
)
export type EmailChangeLink = Static<typeof EmailChangeLinkSchema>

export const EmailConfirmationSchema = field.closed(
  {
    is_changed: Type.Boolean({
      description: 'Whether both addresses have confirmed, so that the new one is valid.',
    }),
  },
  {
    $id: 'EmailConfirmation',
    description: 'The result of a confirmation.',
    examples: [{ is_changed: true }],
  },
)
