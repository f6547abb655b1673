import { type Static, Type } from 'typebox'
import { type DrawnLines, SIGNED_AS } from '../domain/signatures.ts'
import { RECORD_SIGNERS } from '../domain/training-record.ts'
import * as field from './fields.ts'

const name = field.described(field.SignedName, 'The name of the person who signs, as typed.')
const digest = Type.String({
  pattern: '^sha256:[0-9a-f]{64}$',
  description:
    'The digest of the text that the person has seen: `sha256:` and the hash of its RFC 8785 JSON.',
})

const Point = Type.Array(Type.Number({ minimum: -1_000_000, maximum: 1_000_000_000 }), {
  minItems: 3,
  maxItems: 3,
})

const strokes = Type.Unsafe<DrawnLines | null>({
  ...Type.Array(Type.Array(Point, { minItems: 1 }), { minItems: 1 }),
  type: ['array', 'null'],
  description:
    'The drawing: lines of points `[x, y, ms]`, at most 64 KiB of JSON (413); null if the name is typed. It is never shown again except in the printed record.',
})

const given = { digest, name, strokes }

export const SignatureSchema = field.closed(
  {
    id: field.described(field.Id, 'The id of the signature.'),
    student_id: field.described(field.Id, 'The student whose lesson or record it is.'),
    enrolment_id: field.described(
      field.nullable(field.Id),
      'The enrolment whose record was signed; null for a lesson.',
    ),
    appointment_id: field.described(
      field.nullable(field.Id),
      'The lesson that was signed; null for a record.',
    ),
    as: Type.Enum([...SIGNED_AS], { description: 'The party that signed.' }),
    name: Type.String({ description: 'The name of the person who signed.' }),
    at: field.described(field.Timestamp, 'When it was signed: UTC, RFC 3339.'),
    digest: Type.String({ description: 'The digest of the text that was signed.' }),
    by: field.closed(
      {
        kind: Type.Enum(['user', 'command', 'student', 'system'], {
          description: "Whether the device was a user's of the school, or the student's own.",
        }),
        id: field.described(field.nullable(field.Id), "The user's or the student's id."),
        name: Type.String({ description: 'The name at that time.' }),
      },
      { description: 'The user or student on whose device it was signed.' },
    ),
    state: Type.Enum(['valid', 'outdated'], {
      description:
        '`outdated`: something that was signed has changed since. It becomes valid again if that is taken back.',
    }),
    changed: Type.Array(
      field.closed({
        field: Type.String({ description: 'The field that differs from the signed text.' }),
        appointment_id: field.described(
          field.nullable(field.Id),
          'The lesson of the field; null if it belongs to none.',
        ),
      }),
      { description: 'The differences from the signed text; empty if it is valid.' },
    ),
  },
  {
    $id: 'Signature',
    description: 'A signature of a lesson or a training record. It can neither be changed nor deleted.',
    examples: [
      {
        id: '0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4c01',
        student_id: '0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4c02',
        enrolment_id: null,
        appointment_id: '0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4c03',
        as: 'student',
        name: 'Lena Vogt',
        at: '2026-05-04T08:31:00.000Z',
        digest: `sha256:${'0a1b2c3d'.repeat(8)}`,
        by: { kind: 'user', id: '0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4b22', name: 'Jonas Brandt' },
        state: 'outdated',
        changed: [{ field: 'minutes', appointment_id: '0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4c03' }],
      },
    ],
  },
)
export type Signature = Static<typeof SignatureSchema>

export const NewLessonSignatureSchema = field.closed(
  {
    as: Type.Enum(['student', 'instructor'], { description: 'The party that signs.' }),
    ...given,
    student_id: field.optional(
      field.described(
        field.Id,
        'The student whose lesson is signed; needed only for a group. One who is not in the lesson is 404.',
      ),
    ),
  },
  {
    $id: 'NewLessonSignature',
    description: 'The signature of a completed lesson.',
    examples: [
      {
        as: 'student',
        digest: `sha256:${'0a1b2c3d'.repeat(8)}`,
        name: 'Lena Vogt',
        strokes: [
          [
            [12, 40, 0],
            [18, 22, 16],
          ],
        ],
      },
    ],
  },
)
export type NewLessonSignature = Static<typeof NewLessonSignatureSchema>

export const NewRecordSignatureSchema = field.closed(
  {
    as: Type.Enum([...RECORD_SIGNERS], { description: 'The party that signs.' }),
    ...given,
  },
  {
    $id: 'NewRecordSignature',
    description: 'The signature of a training record.',
    examples: [{ as: 'school', digest: `sha256:${'0a1b2c3d'.repeat(8)}`, name: 'Anna Nord', strokes: null }],
  },
)
export type NewRecordSignature = Static<typeof NewRecordSignatureSchema>
