import { type Static, Type } from 'typebox'
import { PACK_COUNTRIES } from '../domain/pack-languages.ts'
import { PASSWORD_BYTES } from '../domain/ranges.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'
import { LOCALE } from './tenant.ts'

/** Whether the installation waits for its first school. */
export const SetupStateSchema = field.closed(
  { is_open: Type.Boolean() },
  { $id: 'SetupState', examples: [{ is_open: false }] },
)
export type SetupState = Static<typeof SetupStateSchema>

const { name, country, timezone, locale } = example.tenant

/** The first school of an installation, and its owner. */
export const SetupSchema = field.closed(
  {
    token: Type.String({
      minLength: 1,
      maxLength: 100,
      'x-text': true,
      description: 'What the service says when it starts without a school.',
    }),
    school: field.closed({
      name: field.Name,
      country: Type.Enum([...PACK_COUNTRIES]),
      timezone: Type.String({ minLength: 1, maxLength: 100, 'x-text': true, examples: ['Europe/Berlin'] }),
      locale: Type.String({ pattern: LOCALE, examples: ['de'] }),
    }),
    owner: field.closed({
      name: field.Name,
      email: field.Email,
      password: Type.String({ 'x-bytes': [PASSWORD_BYTES.min, PASSWORD_BYTES.max] }),
    }),
  },
  {
    $id: 'Setup',
    examples: [
      {
        token: 'QGzTqGR2zA-…',
        school: { name, country, timezone, locale },
        owner: { name: 'Anna Nord', email: example.user.email, password: 'correct horse battery' },
      },
    ],
  },
)
export type Setup = Static<typeof SetupSchema>
