import { type Static, Type } from 'typebox'
import * as example from './examples.ts'
import * as field from './fields.ts'
import { ProgressSumSchema } from './progress.ts'

const writable = {
  first_name: field.Name,
  last_name: field.Name,
  email: field.nullable(field.Email),
  phone: field.nullable(field.Phone),
  phone_2: field.nullable(field.Phone),
  birth_date: field.nullable(field.LocalDate),
  license_class_template_id: field.nullable(field.Id),
  preferred_instructor_id: field.nullable(field.Id),
  notes: field.nullable(field.Notes),
}

const { first_name, last_name } = writable
const optionals = field.optionals(writable)

/** A learner driver. */
export const StudentSchema = field.resource(
  { ...writable, version: field.Version },
  { $id: 'Student', examples: [example.student] },
)
export type Student = Static<typeof StudentSchema>

/** A student in the list, which tells the progress where it is asked for. */
export const ListedStudentSchema = field.resource(
  {
    ...writable,
    version: field.Version,
    progress: field.optional(field.ref(ProgressSumSchema)),
    deleted_at: field.optional(field.Timestamp),
  },
  { $id: 'ListedStudent', examples: [{ ...example.student, progress: example.progressSum }] },
)
export type ListedStudent = Static<typeof ListedStudentSchema>

export const NewStudentSchema = field.closed(
  { ...optionals, first_name, last_name },
  { $id: 'NewStudent', examples: [example.newStudent] },
)
export type NewStudent = Static<typeof NewStudentSchema>

export const StudentChangeSchema = field.closed(optionals, {
  $id: 'StudentChange',
  examples: [{ phone: '+49 30 5550143' }],
})
export type StudentChange = Static<typeof StudentChangeSchema>

/** The outcome of each lesson that the student's deletion had cancelled. */
export const StudentRestorationSchema = field.closed(
  {
    student: Type.Unsafe<Student>({ $ref: 'Student#' }),
    restored: Type.Array(field.Id),
    refused: Type.Array(
      field.closed({
        appointment_id: field.Id,
        code: Type.String({ description: 'The rule that the lesson would break now.' }),
        params: Type.Record(Type.String(), Type.Unknown()),
      }),
    ),
  },
  {
    $id: 'StudentRestoration',
    examples: [{ student: example.student, restored: [example.appointment.id], refused: [] }],
  },
)
export type StudentRestoration = Static<typeof StudentRestorationSchema>
