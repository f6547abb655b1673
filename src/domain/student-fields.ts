import { type FieldList, type NameOf, namesOf } from './fields.ts'
import { PERSON_FIELDS } from './person-fields.ts'

/** The fields of a student: all personal data, all in CSV files. */
export const STUDENT_FIELDS = {
  ...PERSON_FIELDS,
  birth_date: {
    kind: 'date',
    isNullable: true,
    label: { de: 'Geburtsdatum', en: 'Date of birth' },
    about: 'The date of birth, `YYYY-MM-DD`.',
  },
  address: {
    kind: 'address',
    isNullable: true,
    label: { de: 'Adresse', en: 'Address' },
    about: 'The postal address, its lines separated by line feeds; null if it is unknown.',
  },
  license_class_template_id: {
    kind: 'id',
    isNullable: true,
    label: { de: 'Klasse', en: 'Class' },
    about: 'The template of the class that the student trains for; null if none is chosen.',
  },
  preferred_instructor_id: {
    kind: 'id',
    isNullable: true,
    label: { de: 'Bevorzugter Fahrlehrer', en: 'Preferred instructor' },
    about: 'The instructor whom searches for times prefer; null for none.',
  },
  pickup_place: {
    kind: 'line',
    isNullable: true,
    label: { de: 'Abholort', en: 'Pick-up place' },
    about: 'The place where lessons usually begin, in words; null for none.',
  },
  notes: {
    kind: 'text',
    isNullable: true,
    label: { de: 'Notizen', en: 'Notes' },
    about: 'Notes of the office; students do not see them.',
  },
  messages_consent: {
    kind: 'flag',
    label: { de: 'Nachrichten', en: 'Messages' },
    about: 'Whether the student agrees to messages about lessons; by default false.',
  },
  message_channel: {
    kind: 'channel',
    label: { de: 'Nachrichten über', en: 'Messages by' },
    about:
      'The channel of the messages: `mail` by default, or `webhook`, to the phone number through a webhook of the school with the event `message.send`.',
  },
  language: {
    kind: 'language',
    isNullable: true,
    label: { de: 'Sprache', en: 'Language' },
    about:
      "The language of the student's page and messages, one of the page's languages in the school's country; null for the school's.",
  },
  lessons_per_week: {
    kind: 'weekly_lessons',
    isNullable: true,
    label: { de: 'Fahrstunden je Woche', en: 'Lessons a week' },
    about: 'How many lessons a plan gives the student in a week, 0–7; null for one.',
  },
} as const satisfies FieldList

type StudentField = NameOf<typeof STUDENT_FIELDS>

/** The CSV columns that contain a name in place of an id. */
export const NAMED_COLUMNS = {
  license_class_template_id: 'license_class',
  preferred_instructor_id: 'preferred_instructor',
} as const

type ReferenceField = keyof typeof NAMED_COLUMNS

/** The column with the prior classes of the current enrolment. */
export const PRIOR_CLASSES = 'prior_classes'

/** The column that says whether a student is a former one. */
export const ARCHIVED = 'archived'

export type StudentColumn =
  | Exclude<StudentField, ReferenceField>
  | (typeof NAMED_COLUMNS)[ReferenceField]
  | typeof PRIOR_CLASSES
  | typeof ARCHIVED

export const STUDENT_COLUMNS: readonly StudentColumn[] = [
  ...namesOf(STUDENT_FIELDS).map(studentColumnFor),
  PRIOR_CLASSES,
  ARCHIVED,
]

function studentColumnFor(field: StudentField): StudentColumn {
  return field in NAMED_COLUMNS
    ? NAMED_COLUMNS[field as ReferenceField]
    : (field as Exclude<StudentField, ReferenceField>)
}
