import type { TFunction } from 'i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { BusyCalendar } from '../../contract/busy-calendar.ts'
import type { Resource } from '../../contract/change.ts'
import type { Instructor } from '../../contract/instructor.ts'
import type { LessonType, LessonTypeChange } from '../../contract/lesson-type.ts'
import type { FeedDetail } from '../../contract/link.ts'
import type { OpeningBalance } from '../../contract/opening-balance.ts'
import type { ScheduleRequest } from '../../contract/schedule-request.ts'
import type { Student } from '../../contract/student.ts'
import type { APPOINTMENT_FIELDS } from '../../domain/appointment-fields.ts'
import { INSTRUCTOR_FIELDS } from '../../domain/instructor-fields.ts'
import { timeOf } from '../../domain/local-time.ts'
import { STUDENT_FIELDS } from '../../domain/student-fields.ts'
import { absenceText } from './absence-text.ts'
import { CANCELLATION, NO_SHOW_FEE } from './cancellation-texts.ts'
import {
  dateText,
  type Field,
  type Fields,
  flag,
  HOURS,
  instructor,
  minutes,
  moment,
  NOTHING,
  type TextsOf,
  text,
  units,
  wordsOf,
} from './field-kinds.ts'
import { languageName } from './language-name.ts'
import { momentText } from './moment-text.ts'
import { type School, studentName } from './school.tsx'
import { CLOSURE, LOCATION, PLACED, TENANT, VEHICLE, WEBHOOK } from './school-texts.ts'
import { CONFIRMED } from './student-action-texts.ts'
import { USER } from './user-texts.ts'

/** A field's label and value in words, entry by entry for lists. */
export type FieldText = {
  readonly name: string
  readonly label: string
  readonly texts: readonly string[]
}

/** Returns the fields of one side of a change in words, without technical ones. */
export function fieldText(
  resource: Resource,
  side: Readonly<Record<string, unknown>>,
  school: School,
  t: TFunction,
): readonly FieldText[] {
  const known: Partial<Record<Resource, Readonly<Record<string, Field<never>>>>> = FIELDS
  const fields = known[resource] ?? {}
  return Object.entries(fields)
    .filter(([name]) => side[name] !== undefined)
    .map(([name, { label, texts }]) => ({
      name,
      label: t(label),
      texts: texts(side[name] as never, school, t),
    }))
}

const APPOINTMENT = {
  student_id: {
    label: 'field.student',
    texts: (id, school, t) => [id === null ? t('lesson.noStudent') : studentIn(id, school, t)],
  },
  attendees: {
    label: 'field.attendees',
    texts: (attendees, school, t) =>
      attendees.map(({ student_id, attended }) => {
        const mark = attended === null ? '' : attended ? ' ✓' : ' –'
        return studentIn(student_id, school, t) + mark
      }),
  },
  seats: {
    label: 'field.seats',
    texts: (seats) => [seats === null ? NOTHING : String(seats)],
  },
  topic: text('field.topic'),
  instructor_id: instructor('field.instructor'),
  vehicle_ids: {
    label: 'field.vehicle_ids',
    texts: (ids, { vehicle }) => ids.map((id) => vehicle.get(id)?.name ?? NOTHING),
  },
  lesson_type_id: {
    label: 'field.lesson_type',
    texts: (id, school) => [school.lessonType.get(id)?.name ?? NOTHING],
  },
  start_at: moment('field.start_at'),
  end_at: { label: 'field.end_at', texts: (at) => [timeOf(at)] },
  title: text('field.title'),
  status: { label: 'field.status', texts: (status, _, t) => [t(`lesson.${status}`)] },
  cancellation: CANCELLATION,
  no_show_fee_percent: NO_SHOW_FEE,
  confirmed_at: CONFIRMED,
  notes: text('field.notes'),
  pickup_place: text('field.pickup_place'),
  location_id: PLACED,
  license_class: text('field.license_class'),
  practised: text('field.practised'),
  exam_result: {
    label: 'exam.result',
    texts: (result, _, t) =>
      result === null
        ? [NOTHING]
        : [t(result.passed ? 'exam.passed' : 'exam.failed'), ...(result.note ? [result.note] : [])],
  },
  actual_start_at: moment('field.actual_start_at'),
  actual_end_at: moment('field.actual_end_at'),
  overrides_used: {
    label: 'changes.override',
    texts: (overrides, _, t) => overrides.map((one) => t(`changes.${one}`)),
  },
  // The class tells which enrolment it is.
} satisfies Fields<Appointment> &
  Readonly<Record<Exclude<keyof typeof APPOINTMENT_FIELDS, 'enrolment_id'>, unknown>>

export function openingTexts(entries: OpeningBalance, school: School, t: TFunction): readonly string[] {
  const { lessonType, format } = school
  return entries.map(({ lesson_type_id, units, source, date }) =>
    t('opening.entry', {
      units: format.units(units),
      type: lessonType.get(lesson_type_id)?.name ?? NOTHING,
      source,
      date: format.date(date),
    }),
  )
}

const STUDENT = wordsOf<typeof STUDENT_FIELDS, Student & { readonly opening_balance: OpeningBalance }>(
  STUDENT_FIELDS,
  {
    license_class_template_id: {
      label: 'field.license_class_template_id',
      texts: (id, { templates }) => [templates.find((one) => one.id === id)?.name ?? NOTHING],
    },
    preferred_instructor_id: instructor('field.preferred_instructor_id'),
    message_channel: {
      label: 'field.message_channel',
      texts: (channel, _, t) => [t(`messages.channel.${channel}`)],
    },
    language: {
      label: 'field.language',
      texts: (language, { format }) => [language === null ? NOTHING : languageName(language, format)],
    },
    messages_consent: flag('field.messages_consent', 'messages.agreed', 'messages.refusedConsent'),
    opening_balance: {
      label: 'opening.title',
      texts: openingTexts,
    },
    contacts: {
      label: 'contacts.title',
      texts: (contacts, _, t) =>
        contacts.map(({ name, relation, phone, email, gets_messages }) =>
          [name, t(`contacts.${relation}`), phone, email, gets_messages && t('contacts.getsMessages')]
            .filter(Boolean)
            .join(', '),
        ),
    },
    archived_at: {
      label: 'former.one',
      texts: (at, school) => [at === null ? NOTHING : momentText(at, school)],
    },
  },
)

const INSTRUCTOR = wordsOf<typeof INSTRUCTOR_FIELDS, Instructor>(INSTRUCTOR_FIELDS, {
  active: flag('field.status', 'instructor.active', 'board.inactive'),
  max_daily_override: units('field.max_daily_override', 'instructor.noOverride'),
  max_weekly_override: units('field.max_weekly_override', 'instructor.noOverride'),
  is_trainee: flag('field.is_trainee', 'instructor.inTraining', 'instructor.trained'),
  employment: {
    label: 'field.employment',
    texts: (employment, _, t) => [t(`instructor.${employment}`)],
  },
  usual_vehicle_id: {
    label: 'field.usual_vehicle_id',
    texts: (id, { vehicle }) => [vehicle.get(id ?? '')?.name ?? NOTHING],
  },
  location_id: PLACED,
  availability_windows: HOURS,
  vacations: {
    label: 'field.vacations',
    texts: (vacations, { format }) =>
      vacations.map(({ start_date, end_date, note }) =>
        [format.days(start_date, end_date), note].filter(Boolean).join(' '),
      ),
  },
  absences: {
    label: 'absence.title',
    texts: (absences, { format }) => absences.map((one) => absenceText(one, format)),
  },
})

const SCHEDULE_REQUEST: Fields<ScheduleRequest> = {
  instructor_id: instructor('field.instructor'),
  start_date: { label: 'request.from', texts: dateText },
  end_date: { label: 'request.to', texts: dateText },
  availability_windows: {
    label: 'field.availability_windows',
    texts: (windows, school, t) => (windows === null ? [NOTHING] : HOURS.texts(windows, school, t)),
  },
  note: text('field.notes'),
  status: { label: 'field.status', texts: (status, _, t) => [t(`request.${status}`)] },
  answer: text('request.answer'),
}

const LESSON_TYPE: TextsOf<LessonType, LessonTypeChange> = {
  name: text('field.name'),
  hidden: flag('field.status', 'settings.notOffered', 'settings.offered'),
  position: { label: 'settings.place', texts: (position) => [String(position + 1)] },
  color: text('field.color'),
  default_minutes: minutes('lesson.duration'),
  seats: { label: 'field.seats', texts: (seats) => [String(seats)] },
}

function studentIn(id: string, school: School, t: TFunction): string {
  const student = school.student.get(id)
  return student ? studentName(student, school) : t('lesson.gone')
}

const CALENDAR_FEED: Fields<{ readonly detail: FeedDetail }> = {
  detail: { label: 'links.detail', texts: (detail, _, t) => [t(`links.${detail}`)] },
}

const BUSY_CALENDAR: Fields<Pick<BusyCalendar, 'name' | 'url'>> = {
  name: text('field.name'),
  url: text('webhooks.url'),
}

/** Returns the labels of fields, each once, without technical ones. */
export function fieldLabels(resource: Resource, names: readonly string[], t: TFunction): readonly string[] {
  const known: Partial<Record<Resource, Readonly<Record<string, Field<never>>>>> = FIELDS
  return [
    ...new Set(names.flatMap((name) => (known[resource]?.[name] ? [t(known[resource][name].label)] : []))),
  ]
}

const FIELDS = {
  appointment: APPOINTMENT,
  student: STUDENT,
  instructor: INSTRUCTOR,
  vehicle: VEHICLE,
  location: LOCATION,
  schedule_request: SCHEDULE_REQUEST,
  user: USER,
  tenant: TENANT,
  lesson_type: LESSON_TYPE,
  closure: CLOSURE,
  calendar_feed: CALENDAR_FEED,
  busy_calendar: BUSY_CALENDAR,
  webhook: WEBHOOK,
}
