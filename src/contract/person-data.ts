import { type Static, Type } from 'typebox'
import * as field from './fields.ts'

/** All stored data of one person, to be handed over. */
export const PersonDataSchema = field.closed(
  {
    generated_at: field.described(field.Timestamp, 'When the data was read: UTC, RFC 3339.'),
    sections: Type.Array(
      field.closed(
        {
          name: Type.String({ description: 'The kind of the rows, such as `appointments`.' }),
          rows: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
            description: 'The rows, deleted ones too.',
          }),
        },
        { description: 'The rows of one kind.' },
      ),
      { description: 'The sections, always all, in the same order.' },
    ),
  },
  {
    $id: 'PersonData',
    description: 'All stored data of one student, and nothing of another.',
    examples: [
      {
        generated_at: '2026-05-04T08:00:00.000Z',
        sections: [{ name: 'student', rows: [{ first_name: 'Lena', last_name: 'Vogt' }] }],
      },
    ],
  },
)
export type PersonData = Static<typeof PersonDataSchema>
