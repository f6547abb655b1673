import { type Static, Type } from 'typebox'
import { namesOf } from '../domain/fields.ts'
import { MAX_CONTACTS } from '../domain/ranges.ts'
import { type GivenContact, RELATIONS } from '../domain/student-contacts.ts'
import { STUDENT_FIELDS } from '../domain/student-fields.ts'
import { EnrolmentSchema, enrolmentFaultsFor, NewPriorClassesSchema } from './enrolment.ts'
import { RestrictionSchema } from './erasure.ts'
import * as example from './examples.ts'
import * as field from './fields.ts'
import { type Fault, ProblemSchema } from './problem.ts'
import { ProgressSumSchema } from './progress.ts'
import { ReadinessSchema } from './readiness.ts'
import { TicksSummarySchema } from './tick.ts'

const writable = field.schemasOf(STUDENT_FIELDS)

const { first_name, last_name } = writable
const optionals = field.optionals(writable)

const { phone, email } = writable
const contact = {
  name: field.described(field.Name, 'The name.'),
  relation: Type.Enum([...RELATIONS], {
    description: 'A parent or guardian, a companion of drives with a passenger, who pays, or somebody else.',
  }),
}
const ways = {
  phone: field.described(phone, 'A phone number, in any spelling; null for none.'),
  email: field.described(email, 'An e-mail address; null for none.'),
  gets_messages: Type.Boolean({
    description:
      "Whether messages to the student also go to the contact, each as a message of its own: by mail, without an address through the school's webhook. The student's consent counts for both.",
  }),
}

/** The people beside a student, as stored. */
export const ContactsSchema = Type.Array(
  field.closed({ ...contact, ...ways }, { description: 'A person beside the student.' }),
  { maxItems: MAX_CONTACTS, description: 'The people beside the student, such as parents; at most 5.' },
)

const contacts = field.optional(
  Type.Unsafe<readonly GivenContact[]>(
    Type.Array(
      field.closed(
        { ...contact, ...field.optionals(ways) },
        { description: 'A person beside the student; no phone, no address and no messages by default.' },
      ),
      {
        maxItems: MAX_CONTACTS,
        description: 'The people beside the student, such as parents, in place of those before; at most 5.',
      },
    ),
  ),
)

const archived_at = field.described(
  Type.Unsafe<string | null>({ ...field.nullable(field.Timestamp), readOnly: true }),
  'When the student was put away as a former one, UTC; null for a current one. `archived` changes it.',
)

export const StudentSchema = field.resource(
  { ...writable, contacts: ContactsSchema, archived_at, version: field.Version },
  { $id: 'Student', description: 'A learner driver.', examples: [example.student] },
)
export type Student = Static<typeof StudentSchema>

const MissingTopics = field.closed(
  {
    lesson_type_id: field.described(field.Id, 'The lesson type of the classes.'),
    topics: Type.Array(field.TopicName, { description: 'Their topics, in the order of the plan.' }),
  },
  { description: 'The topics of a lesson type.' },
)

const { id, license_class, is_current, prior_classes: priorClasses } = EnrolmentSchema.properties
const OpenEnrolment = field.closed(
  { id, license_class, is_current, prior_classes: priorClasses },
  { description: 'An open enrolment.' },
)

/** A student in lists, with progress and readiness if requested. */
export const ListedStudentSchema = field.resource(
  {
    ...writable,
    contacts: ContactsSchema,
    archived_at,
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
        'Whether the student may take the practical test; only with `with=readiness`.',
      ),
    ),
    ticks: field.optional(
      field.described(
        field.ref(TicksSummarySchema),
        'The papers and tests of the current enrolment in brief; only with `with=ticks`.',
      ),
    ),
    missing_topics: field.optional(
      Type.Array(MissingTopics, {
        description:
          'The topics of theory that the class requires, and that the student has neither attended nor planned; only with `with=topics`.',
      }),
    ),
    enrolments: field.optional(
      Type.Array(OpenEnrolment, {
        description: 'The open enrolments, the current one first; only with `with=enrolments`.',
      }),
    ),
    deleted_at: field.optional(
      field.described(
        field.Timestamp,
        'When the student was deleted, UTC; only with `deleted=true` or `restricted=true`.',
      ),
    ),
    restriction: field.optional(
      field.described(RestrictionSchema, 'Why only the record is left; only with `restricted=true`.'),
    ),
  },
  {
    $id: 'ListedStudent',
    description: 'A learner driver, with progress and readiness if requested.',
    examples: [{ ...example.student, progress: example.progressSum }],
  },
)
export type ListedStudent = Static<typeof ListedStudentSchema>

const prior_classes = field.optional(
  field.described(
    NewPriorClassesSchema,
    'The classes that the student already holds, for the enrolment that begins with the class; `[]` if there are none, null if nobody has asked yet. Needs `license_class_template_id`.',
  ),
)

export const NewStudentSchema = field.closed(
  { ...optionals, contacts, first_name, last_name, prior_classes },
  { $id: 'NewStudent', description: 'The student to enrol.', examples: [example.newStudent] },
)
export type NewStudent = Static<typeof NewStudentSchema>

/** Returns the faults of a new student that the schema cannot name. */
export function newStudentFaultsFor(
  student: Pick<NewStudent, 'prior_classes' | 'license_class_template_id'>,
): readonly Fault[] {
  if (student.prior_classes == null || student.license_class_template_id) return enrolmentFaultsFor(student)
  const detail = 'prior_classes belong to an enrolment: give the class to train for, too.'
  return [{ pointer: '/license_class_template_id', code: 'required', detail }]
}

const archived = field.optional(
  Type.Boolean({
    description:
      'Whether the student is a former one, whom no choice, wish, gap, plan or message has. True is 409 `in_use` with upcoming lessons.',
  }),
)

export const StudentChangeSchema = field.closed(
  { ...optionals, contacts, archived },
  {
    $id: 'StudentChange',
    description: 'The fields to change; omitted fields keep their values.',
    examples: [{ phone: '+49 30 5550143' }],
  },
)
export type StudentChange = Static<typeof StudentChangeSchema>

const taking = { enum: ['this', 'other'], type: 'string' } as const

/** The student to merge into another, and the fields to take from them. */
export const StudentMergeSchema = field.closed(
  {
    other_id: field.described(field.Id, 'The other student, who is deleted.'),
    take: field.optional(
      field.closed(
        field.optionals(
          Object.fromEntries(
            [...namesOf(STUDENT_FIELDS), 'contacts' as const].map((name) => [
              name,
              Type.Unsafe<'this' | 'other'>({ ...taking, description: 'The student whose value stays.' }),
            ]),
          ),
        ),
        { description: 'The fields, each of `this` student (by default) or of the `other`.' },
      ),
    ),
  },
  {
    $id: 'StudentMerge',
    description: 'The student to merge into this one.',
    examples: [{ other_id: '019a7c3e-5b7a-7d10-8c6f-2f4b9e1d3a55', take: { phone: 'other' } }],
  },
)
export type StudentMerge = {
  readonly other_id: string
  readonly take?: Readonly<Partial<Record<keyof StudentChange, 'this' | 'other'>>>
}

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
