import { type Static, Type } from 'typebox'
import * as field from './fields.ts'

const REASON_LENGTH = { minLength: 1, maxLength: 200 }

export const NewErasureSchema = field.closed(
  {
    reason: Type.String({
      ...REASON_LENGTH,
      description:
        'The reason, such as the request of the student and its date. It is kept while the record is, and goes with it.',
    }),
    agreed: field.optional(
      Type.Boolean({
        description:
          'Whether texts about others that mention the student may be changed, too: name, address and number become "…" in them. By default false: 409 `mentioned_elsewhere` then lists them.',
      }),
    ),
  },
  {
    $id: 'NewErasure',
    description: 'The erasure of a student.',
    examples: [{ reason: 'Asked by letter of 3 May', agreed: true }],
  },
)
export type NewErasure = Static<typeof NewErasureSchema>

export const ErasureSchema = field.closed(
  {
    state: Type.Enum(['erased', 'restricted'], {
      description:
        '`erased`: nothing is left of the student. `restricted`: the training record stays, because the law wants it kept; everything else is erased, and the student is hidden.',
    }),
    until: field.described(
      field.nullable(field.LocalDate),
      'The last day on which the record must be kept; null if it is erased, or while an enrolment is open.',
    ),
  },
  { $id: 'Erasure', description: 'The outcome of an erasure.', examples: [{ state: 'erased', until: null }] },
)
export type Erasure = Static<typeof ErasureSchema>

/** The restriction of a student of whom only the record is left. */
export const RestrictionSchema = field.closed(
  {
    at: field.described(field.Timestamp, 'The moment at which everything else was erased.'),
    until: ErasureSchema.properties.until,
    reason: NewErasureSchema.properties.reason,
  },
  { description: 'The reason for which the student is hidden, and until when the record is kept.' },
)
export type Restriction = Static<typeof RestrictionSchema>
