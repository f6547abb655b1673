import { type Static, Type } from 'typebox'
import { PACK_COUNTRIES } from '../domain/pack-languages.ts'
import { PASSWORD_BYTES } from '../domain/ranges.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'
import { LOCALE } from './tenant.ts'

export const SetupStateSchema = field.closed(
  { is_open: Type.Boolean({ description: 'Whether `POST /setup` can create the first school.' }) },
  {
    $id: 'SetupState',
    description: 'Whether the installation waits for its first school.',
    examples: [{ is_open: false }],
  },
)
export type SetupState = Static<typeof SetupStateSchema>

const { name, country, timezone, locale } = example.tenant

export const SetupSchema = field.closed(
  {
    token: Type.String({
      minLength: 1,
      maxLength: 100,
      'x-text': true,
      description: 'The token that the service prints when it starts without a school.',
    }),
    school: field.closed(
      {
        name: field.described(field.Name, "The school's name."),
        country: Type.Enum([...PACK_COUNTRIES], {
          description:
            'The country by ISO 3166-1; its pack gives lesson types and licence classes. It cannot be changed later.',
        }),
        timezone: Type.String({
          minLength: 1,
          maxLength: 100,
          'x-text': true,
          examples: ['Europe/Berlin'],
          description: "The IANA zone of the school's wall clock. It cannot be changed later.",
        }),
        locale: Type.String({
          pattern: LOCALE,
          examples: ['de'],
          description: 'The language of lesson types and templates, such as `de` or `fr-CH`.',
        }),
      },
      { description: 'The school to create.' },
    ),
    owner: field.closed(
      {
        name: field.described(field.Name, "The owner's name."),
        email: field.described(field.Email, 'The address by which the owner will log in.'),
        password: Type.String({
          'x-bytes': [PASSWORD_BYTES.min, PASSWORD_BYTES.max],
          description: "The owner's password: 8 to 1024 bytes, and none of the commonest.",
        }),
      },
      { description: 'The first user, an owner of the school.' },
    ),
  },
  {
    $id: 'Setup',
    description: 'The first school of an installation, and its owner.',
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
