import { type Static, Type } from 'typebox'
import { RECORD_STATES } from '../domain/training-record.ts'
import * as example from './examples-of-record-summaries.ts'
import * as field from './fields.ts'
import { RecordGapSchema } from './training-record.ts'

const State = Type.Unsafe<'valid' | 'outdated' | null>({
  type: ['string', 'null'],
  enum: ['valid', 'outdated', null],
  description: 'The state of the newest signature; null if there is none.',
})

export const RecordSummarySchema = field.closed(
  {
    enrolment_id: field.described(field.Id, 'The enrolment.'),
    student_id: field.described(field.Id, 'The student.'),
    name: Type.String({ description: 'Last and first name.' }),
    license_class: field.described(field.LicenseClass, 'The licence class.'),
    state: Type.Enum([...RECORD_STATES], {
      description: 'Whether the training goes on, is complete, or ended before it was.',
    }),
    ends_on: field.described(
      field.nullable(field.LocalDate),
      'The last day; null while the training goes on.',
    ),
    gaps: Type.Array(RecordGapSchema, { description: 'The gaps of the record.' }),
    signatures: field.closed(
      { school: State, student: State },
      { description: 'The signatures of the school and of the student.' },
    ),
  },
  {
    $id: 'RecordSummary',
    description: 'A training record in a list: its gaps and signatures.',
    examples: [example.recordSummary],
  },
)
export type RecordSummary = Static<typeof RecordSummarySchema>
