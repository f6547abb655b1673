import { type Static, Type } from 'typebox'
import * as field from './fields.ts'

const digest = field.described(
  Type.String({ examples: [`sha256:${'0a1b2c3d'.repeat(8)}`] }),
  'The digest to send with the signature.',
)

const DueLesson = field.closed(
  {
    appointment_id: field.described(field.Id, 'The lesson or class.'),
    student_id: field.described(field.Id, 'The student.'),
    enrolment_id: field.described(field.nullable(field.Id), 'The enrolment that it belongs to.'),
    date: field.described(field.LocalDate, 'The day on which it began.'),
    start_time: field.described(field.TimeOfDay, 'The time at which it began.'),
    minutes: Type.Integer({ description: 'Its elapsed minutes.' }),
    lesson_type_id: field.described(field.Id, 'The lesson type.'),
    topic: field.described(field.nullable(Type.String()), 'The topic.'),
    instructor_id: field.described(field.Id, 'The instructor.'),
    instructor: Type.String({ description: "The instructor's name, which is not signed." }),
    digest,
  },
  { description: 'The text of a lesson to sign, with its digest.' },
)

const DueRecord = field.closed(
  {
    enrolment_id: field.described(field.Id, 'The enrolment.'),
    license_class: field.described(field.LicenseClass, 'The licence class.'),
    lesson_count: Type.Integer({ description: 'The number of lessons and classes in the record.' }),
    digest,
  },
  { description: 'The training record of a training that has ended.' },
)

export const DueSignaturesSchema = field.closed(
  {
    student_id: field.described(field.Id, 'The student.'),
    lessons: Type.Array(DueLesson, {
      description:
        'The lessons of the last 90 days that are completed for the student, who has not signed them as they are: at most 20, the newest first.',
    }),
    records: Type.Array(DueRecord, {
      description: 'The records that the student has to sign, by the begin of the training.',
    }),
  },
  {
    $id: 'DueSignatures',
    description: 'Everything that a student has to sign.',
    examples: [
      {
        student_id: '0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4c02',
        lessons: [
          {
            appointment_id: '0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4c03',
            student_id: '0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4c02',
            enrolment_id: '0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4c04',
            date: '2026-05-04',
            start_time: '08:00',
            minutes: 90,
            lesson_type_id: '0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4c05',
            topic: null,
            instructor_id: '0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4c06',
            instructor: 'Jonas Brandt',
            digest: `sha256:${'0a1b2c3d'.repeat(8)}`,
          },
        ],
        records: [],
      },
    ],
  },
)
export type DueSignatures = Static<typeof DueSignaturesSchema>
export type DueLesson = Static<typeof DueLesson>
export type DueRecord = Static<typeof DueRecord>
