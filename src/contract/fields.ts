import { type Static, type TOptional, type TSchema, type TUnsafe, Type } from 'typebox'
import { EMPLOYMENTS } from '../domain/employment.ts'
import type { FieldDescription, FieldKind, FieldList } from '../domain/fields.ts'
import { STUDENT_CHANNELS } from '../domain/message-channels.ts'
import { PAGE_LANGUAGES } from '../domain/page-languages.ts'
import * as range from '../domain/ranges.ts'

/** Returns the schema of a text that is cleaned before it is measured. `x-text` rejects NUL and lone surrogates. */
export function text({ min, max }: range.Range) {
  return Type.String({ minLength: min, maxLength: max, 'x-text': true })
}

/** Returns the schema of a text without ends of lines. */
function line({ min, max }: range.Range) {
  return Type.String({ minLength: min, maxLength: max, 'x-text': 'line' })
}

export function integer({ min, max }: range.Range) {
  return Type.Integer({ minimum: min, maximum: max })
}

export const Name = line(range.NAME_LENGTH)
export const SignedName = line(range.SIGNED_NAME_LENGTH)
export const Title = line(range.TITLE_LENGTH)
export const Notes = text(range.NOTES_LENGTH)
export const Address = text(range.ADDRESS_LENGTH)
export const Phone = line(range.PHONE_LENGTH)
export const Email = Type.String({
  format: 'email',
  minLength: range.EMAIL_LENGTH.min,
  maxLength: range.EMAIL_LENGTH.max,
  'x-text': true,
})
export const LicenseClass = line(range.LICENSE_CLASS_LENGTH)
export const LicenseClasses = Type.Array(LicenseClass, {
  maxItems: range.MAX_LICENSE_CLASSES,
  uniqueItems: true,
  examples: [['B', 'BE']],
})
export const Color = Type.String({ pattern: '^#[0-9A-Fa-f]{6}$', examples: ['#0072B2'] })
/** Any RFC 9562 UUID, in upper or lower case. */
export const Id = Type.String({ format: 'uuid', 'x-lower': true })
export const LocalDate = Type.String({ format: 'local-date', examples: ['2026-05-04'] })
export const LocalDateTime = Type.String({
  format: 'local-date-time',
  description: "The school's wall clock, `YYYY-MM-DD HH:MM`, years 2000–2099.",
  examples: ['2026-05-04 08:00'],
})
export const AppointmentStatus = Type.Enum(['planned', 'completed', 'no_show', 'cancelled'])
export const TimeOfDay = Type.String({ format: 'time-of-day', examples: ['08:00'] })
/** A time of day, or `24:00`. */
export const EndOfWindow = Type.String({ format: 'end-of-window', examples: ['17:00'] })
export const Timestamp = Type.String({
  format: 'date-time',
  description: 'UTC, RFC 3339.',
  examples: ['2026-05-04T06:00:00.000Z'],
})
/** The version that `If-Match` compares. */
export const Version = Type.Integer({
  minimum: 1,
  readOnly: true,
  description: 'The version: increments with every change; the number in the `ETag`.',
})
export const DailyUnits = integer(range.DAILY_UNITS)
export const WeeklyUnits = integer(range.WEEKLY_UNITS)
export const BreakMinutes = integer(range.BREAK_MINUTES)
export const ContinuousMinutes = integer(range.CONTINUOUS_MINUTES)

export function described<T extends TSchema>(schema: T, description: string): T {
  return { ...schema, description }
}

export function nullable<T extends TSchema & { type?: unknown; enum?: unknown[] }>(
  schema: T,
): TUnsafe<Static<T> | null> {
  const { type = 'string', enum: values } = schema
  return Type.Unsafe<Static<T> | null>({
    ...schema,
    type: [type, 'null'],
    ...(values && { enum: [...values, null] }),
  })
}

/** The seats of a lesson type or an appointment. */
export const VehicleIds = Type.Array(Id, {
  maxItems: range.MAX_VEHICLES_OF_AN_APPOINTMENT,
  uniqueItems: true,
})
export const Seats = integer(range.SEATS)
export const TopicName = text(range.TOPIC_LENGTH)

export const Attended = nullable(
  Type.Boolean({ description: 'Whether the student attended; null until recorded.' }),
)
const attendee = {
  student_id: described(Id, 'The student.'),
  attended: Attended,
  enrolment_id: Type.Optional(
    described(
      nullable(Id),
      'The enrolment of the student that the class counts toward; null for none. By default as for a single lesson.',
    ),
  ),
}

/** The students of a group as stored. */
export const Attendees = Type.Array(
  closed(attendee, { description: 'A student in the group and their attendance.' }),
  { maxItems: range.SEATS.max },
)

/** The students of a group as clients send them: `attended` is optional. */
export const NewAttendees = Type.Unsafe<Static<typeof Attendees>>(
  Type.Array(
    closed(
      { ...attendee, attended: Type.Optional(Attended) },
      { description: 'A student in the group and their attendance, by default null.' },
    ),
    { maxItems: range.SEATS.max },
  ),
)

const ExamNote = described(
  nullable(Notes),
  'The reason, or another note; students do not see it. Null for none.',
)
// In the key order of `jsonb`, as an erasure stores it, so that all responses have the same bytes.
const exam = {
  note: ExamNote,
  passed: Type.Boolean({ description: 'Whether the student passed.' }),
}

/** The result of an exam as stored. */
export const ExamResult = closed(exam)

/** The result of an exam as clients send it: `note` is optional. */
export const NewExamResult = Type.Unsafe<Static<typeof ExamResult>>(
  closed({ ...exam, note: Type.Optional(ExamNote) }),
)

const OF_KIND = {
  name: Name,
  line: Title,
  text: Notes,
  address: Address,
  email: Email,
  phone: Phone,
  date: LocalDate,
  wall_clock: LocalDateTime,
  status: AppointmentStatus,
  id: Id,
  vehicles: VehicleIds,
  attendees: Attendees,
  seats: Seats,
  topic: TopicName,
  exam_result: ExamResult,
  color: Color,
  classes: LicenseClasses,
  flag: Type.Boolean(),
  channel: Type.Enum([...STUDENT_CHANNELS]),
  language: Type.Enum([...PAGE_LANGUAGES]),
  number: line(range.INSTRUCTOR_NUMBER_LENGTH),
  weekly_lessons: integer(range.LESSONS_A_WEEK),
  employment: Type.Enum([...EMPLOYMENTS]),
  daily_units: DailyUnits,
  weekly_units: WeeklyUnits,
  break_minutes: BreakMinutes,
  continuous_minutes: ContinuousMinutes,
} as const satisfies Readonly<Record<FieldKind, TSchema>>

type SchemaOf<Field extends FieldDescription> = Field extends { readonly isNullable: true }
  ? TUnsafe<Static<(typeof OF_KIND)[Field['kind']]> | null>
  : (typeof OF_KIND)[Field['kind']]

export function schemasOf<const List extends FieldList>(
  fields: List,
): { readonly [Name in keyof List]: SchemaOf<List[Name]> } {
  const entries = Object.entries(fields).map(([name, { kind, isNullable, about }]) => {
    const schema: TSchema = OF_KIND[kind]
    return [name, described(isNullable ? nullable(schema) : schema, about)]
  })
  return Object.fromEntries(entries)
}

export const optional = Type.Optional

export function optionals<T extends Record<string, TSchema>>(
  properties: T,
): { readonly [Name in keyof T]: TOptional<T[Name]> } {
  const entries = Object.entries(properties).map(([name, schema]) => [name, optional(schema)])
  return Object.fromEntries(entries)
}

/** Returns the schema of an object that rejects unknown fields. */
export function closed<T extends Record<string, TSchema>>(
  properties: T,
  options: Record<string, unknown> = {},
) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** Returns the schema of a stored object, with its id and the times of its creation and last change. */
export function resource<T extends Record<string, TSchema>>(properties: T, options: Record<string, unknown>) {
  return closed(
    {
      id: described(Id, 'A UUID made by the service.'),
      ...properties,
      created_at: described(Timestamp, 'When it was created: UTC, RFC 3339.'),
      updated_at: described(Timestamp, 'When it last changed: UTC, RFC 3339.'),
    },
    options,
  )
}

/** Returns a reference to a schema, which the document contains once under its `$id`. */
export function ref<T extends TSchema>(schema: T): TUnsafe<Static<T>> {
  const { $id } = schema as { $id?: string }
  return Type.Unsafe<Static<T>>({ $ref: `${$id}#` })
}
