import { type Static, Type } from 'typebox'
import { STUDENT_FIELDS } from '../domain/student-fields.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'
import { ProblemSchema } from './problem.ts'
import { ProgressSumSchema } from './progress.ts'
import { ReadinessSchema } from './readiness.ts'

const writable = field.schemasOf(STUDENT_FIELDS)

const { first_name, last_name } = writable
const optionals = field.optionals(writable)

export const StudentSchema = field.resource(
  { ...writable, version: field.Version },
  { $id: 'Student', description: 'A learner driver.', examples: [example.student] },
)
export type Student = Static<typeof StudentSchema>

/** A student in lists, with progress and readiness if requested. */
export const ListedStudentSchema = field.resource(
  {
    ...writable,
    version: field.Version,
    progress: field.optional(
      field.described(
        field.ref(ProgressSumSchema),
        'The progress in a few numbers; only with `with=progress`.',
      ),
    ),
    readiness: field.optional(
      field.described(
        field.ref(ReadinessSchema),
        'Whether the student may take the practical exam; only with `with=readiness`.',
      ),
    ),
    deleted_at: field.optional(
      field.described(field.Timestamp, 'When the student was deleted, UTC; only with `deleted=true`.'),
    ),
  },
  {
    $id: 'ListedStudent',
    description: 'A learner driver, with progress and readiness if requested.',
    examples: [{ ...example.student, progress: example.progressSum }],
  },
)
export type ListedStudent = Static<typeof ListedStudentSchema>

export const NewStudentSchema = field.closed(
  { ...optionals, first_name, last_name },
  { $id: 'NewStudent', description: 'The student to enrol.', examples: [example.newStudent] },
)
export type NewStudent = Static<typeof NewStudentSchema>

export const StudentChangeSchema = field.closed(optionals, {
  $id: 'StudentChange',
  description: 'The fields to change; omitted fields keep their values.',
  examples: [{ phone: '+49 30 5550143' }],
})
export type StudentChange = Static<typeof StudentChangeSchema>

/** A restored student, and the result for each lesson that the deletion had cancelled and each seat that it had taken. */
export const StudentRestorationSchema = field.closed(
  {
    student: field.described(Type.Unsafe<Student>({ $ref: 'Student#' }), 'The restored student.'),
    restored: Type.Array(field.Id, {
      description:
        'The ids of the lessons that are planned again, and of the groups in which the student has a seat again.',
    }),
    refused: Type.Array(
      field.closed({
        appointment_id: field.described(field.Id, 'The lesson that stays cancelled, or the group.'),
        code: Type.String({ description: 'The rule that it would break now, or `already_begun`.' }),
        params: field.described(
          Type.Record(Type.String(), Type.Unknown()),
          'The numbers behind the code, as in a problem.',
        ),
      }),
      { description: 'The lessons that stay cancelled and the groups without the student, and why.' },
    ),
  },
  {
    $id: 'StudentRestoration',
    description:
      'A restored student, and the result for each lesson that the deletion had cancelled and each seat that it had taken.',
    examples: [{ student: example.student, restored: [example.appointment.id], refused: [] }],
  },
)
export type StudentRestoration = Static<typeof StudentRestorationSchema>

const RestorationProgressSchema = field.closed(
  {
    checked: Type.Integer({ minimum: 0, description: 'The lessons checked so far.' }),
    total: Type.Integer({ minimum: 1, description: 'The lessons that the deletion had cancelled.' }),
  },
  { description: 'How far the restoration is. Nothing is stored before the result.' },
)
export type RestorationProgress = Static<typeof RestorationProgressSchema>

/** A line of a response that reports progress. It has exactly one of the three fields. */
export const StudentRestorationLineSchema = field.closed(
  {
    progress: field.optional(RestorationProgressSchema),
    result: field.optional(
      field.described(field.ref(StudentRestorationSchema), 'The result, in the last line.'),
    ),
    problem: field.optional(
      field.described(field.ref(ProblemSchema), 'Why nothing was stored, in the last line.'),
    ),
  },
  {
    $id: 'StudentRestorationLine',
    description: 'A line of a response that shows the progress; it has exactly one of the three.',
    examples: [{ progress: { checked: 1200, total: 5000 } }],
  },
)
export type StudentRestorationLine = Static<typeof StudentRestorationLineSchema>
