import { Type } from 'typebox'
import { GAP_CODES, GAP_SEVERITIES, RECORD_SIGNERS, RECORD_STATES } from '../domain/training-record.ts'
import { CreditSchema } from './credit.ts'
import { EnrolmentSchema } from './enrolment.ts'
import * as example from './examples-of-records.ts'
import * as field from './fields.ts'

const Count = Type.Integer({ minimum: 0 })
const Text = Type.String()
const OptionalText = field.nullable(Text)

const appointment_id = field.described(field.Id, 'The lesson.')
const date = field.described(field.LocalDate, 'The day on which it began.')
const start_time = field.described(field.TimeOfDay, 'When it began, by the actual time if known.')
const minutes = field.described(Count, 'Its whole elapsed minutes, by the actual times if known.')
const instructor_no = field.described(
  Type.Integer({ minimum: 1 }),
  'The number of the instructor in `instructors`.',
)

const school = field.closed(
  {
    name: field.described(Text, "The school's name."),
    address: field.described(OptionalText, 'Its address; null if unknown.'),
    responsible: field.described(OptionalText, 'Its owner or responsible manager; null if unknown.'),
  },
  { description: 'The school.' },
)

const student = field.closed(
  {
    last_name: field.described(Text, 'The last name.'),
    first_name: field.described(Text, 'The first name.'),
    address: field.described(OptionalText, 'The address; null if unknown.'),
    birth_date: field.described(field.nullable(field.LocalDate), 'The date of birth; null if unknown.'),
  },
  { description: 'The student.' },
)

const instructor = field.closed(
  {
    no: field.described(Type.Integer({ minimum: 1 }), 'The number in this record, by the first lesson.'),
    instructor_id: field.described(field.Id, 'The instructor.'),
    name: field.described(Text, 'First and last name.'),
  },
  { description: 'An instructor of the rows.' },
)

const theoryRow = field.closed(
  {
    appointment_id,
    date,
    start_time,
    part: Type.Enum(['basic', 'specific'], {
      description: 'Whether it is basic theory or that of the class.',
    }),
    topic: field.described(OptionalText, 'The topic; null if there is none.'),
    minutes,
    instructor_no,
  },
  { description: 'A theory class that the student attended.' },
)

const practiceRow = field.closed(
  {
    appointment_id,
    date,
    start_time,
    minutes,
    code: field.described(OptionalText, "The form's code, such as `UL`; null if it has none for the type."),
    content: field.described(OptionalText, 'The content of the drive: its `practised`.'),
    instructor_no,
    vehicle: field.described(OptionalText, 'The names of its vehicles; null without one.'),
    gearbox: Type.Unsafe<'manual' | 'automatic' | null>({
      type: ['string', 'null'],
      enum: ['manual', 'automatic', null],
      description: 'The gearbox by which it counts; null if unknown.',
    }),
  },
  { description: 'A completed drive.' },
)

const examRow = field.closed(
  {
    appointment_id,
    date,
    kind: Type.Enum(['theory', 'practical'], { description: 'The test.' }),
    passed: field.nullable(Type.Boolean({ description: 'Whether it was passed; null if unknown.' })),
  },
  { description: 'A test that took place.' },
)

const total = field.closed(
  {
    requirement: field.described(Text, 'The code of the lesson type.'),
    required_units: field.described(Count, 'The units that the student needs.'),
    done_units: field.described(Count, 'The units done, credited ones among them.'),
    credited_units: field.described(Count, 'The units from credits.'),
    block_done: field.nullable(
      Type.Boolean({ description: 'Whether one block is long enough; null if any length will do.' }),
    ),
  },
  { description: 'The units toward a requirement, as in the progress of the enrolment.' },
)

export const RecordGapSchema = field.closed(
  {
    code: Type.Enum([...GAP_CODES], { description: 'The kind of gap.' }),
    severity: Type.Enum([...GAP_SEVERITIES], {
      description: 'A `defect` makes the record incomplete, a `note` does not.',
    }),
    params: Type.Record(Type.String(), Type.Unknown(), { description: 'The facts of the gap.' }),
    appointment_id: field.described(field.nullable(field.Id), 'The lesson to correct; null if it is none.'),
  },
  { description: 'Something that is missing or doubtful.' },
)

export const RecordSignatureSchema = field.closed(
  {
    id: field.described(field.Id, 'The signature.'),
    as: Type.Enum([...RECORD_SIGNERS], { description: 'Whether the school or the student signed.' }),
    name: field.described(Text, 'The name as the signer wrote it.'),
    at: field.described(field.Timestamp, 'When it was signed: UTC, RFC 3339.'),
    digest: field.described(Text, 'The digest of the record that was signed.'),
    by: field.closed(
      {
        kind: field.described(Text, 'As in a change.'),
        id: field.described(field.nullable(field.Id), 'As in a change.'),
        name: field.described(Text, "The person's name at that time."),
      },
      { description: 'The user or student whose device took it.' },
    ),
    state: Type.Enum(['valid', 'outdated'], {
      description: 'Whether the record still is as it was signed.',
    }),
  },
  { $id: 'RecordSignature', description: 'A signature under a training record.' },
)

const record = {
  form: field.described(
    OptionalText,
    "The country's form on the day the training ends; null if the law asks for none, or for another paper for this class.",
  ),
  law: field.described(OptionalText, 'The law of the training; null if unknown.'),
  state: Type.Enum([...RECORD_STATES], {
    description: 'Whether the training goes on, is complete, or ended before it was.',
  }),
  school,
  student,
  license_class: field.described(Text, 'The licence class.'),
  prior_classes: EnrolmentSchema.properties.prior_classes,
  instructors: Type.Array(instructor, { description: 'The instructors of the rows, by their first lesson.' }),
  theory: Type.Array(theoryRow, { description: 'The attended theory, by start.' }),
  practice: Type.Array(practiceRow, { description: 'The completed drives, by start.' }),
  exams: Type.Array(examRow, { description: 'The tests, by start.' }),
  credits: Type.Array(field.ref(CreditSchema), { description: 'The units from elsewhere.' }),
  cooperation: EnrolmentSchema.properties.cooperation,
  totals: Type.Array(total, { description: 'The units toward each requirement of the class.' }),
  gaps: Type.Array(RecordGapSchema, {
    description: 'The missing and doubtful things, in the order of the codes.',
  }),
  is_complete: Type.Boolean({ description: 'Whether the training has ended and no gap is a defect.' }),
  digest: field.described(
    Text,
    '`sha256:` and the SHA-256 of the RFC 8785 JSON of `student_id`, `license_class`, `prior_classes`, `theory`, `practice`, `credits` and `cooperation`, with `instructor_id` in place of `instructor_no` and without `vehicle`. Other names, addresses or numbers leave it as it is.',
  ),
  signatures: Type.Array(field.ref(RecordSignatureSchema), { description: 'The signatures, by time.' }),
  retained_until: field.described(
    field.nullable(field.LocalDate),
    'The last day on which the record must be kept; null while the training goes on, without a lesson, and where the country has no such rule.',
  ),
}

export const TrainingRecordSchema = field.closed(record, {
  $id: 'TrainingRecord',
  description: 'The record of a training for one class, as an inspection asks for it.',
  examples: [example.trainingRecord],
})
