import { APPOINTMENT_FIELDS } from '../domain/appointment-fields.ts'
import { blankOf } from '../domain/fields.ts'
import { INSTRUCTOR_FIELDS } from '../domain/instructor-fields.ts'
import { STUDENT_FIELDS } from '../domain/student-fields.ts'
import { id, ids, stamps, versioned } from './examples-of-school.ts'

export { lessonType, licenseClassTemplate, progress, progressSum, tenant } from './examples-of-school.ts'

/** The examples in the API document. All belong to one small school, so they can refer to each other. */

export const user = {
  id: ids.user,
  tenant_id: ids.tenant,
  email: 'office@nord.example',
  name: 'Office',
  role: 'owner' as const,
  instructor_id: null,
  ...stamps,
}

export const tokens = {
  token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9…',
  refresh_token: 'kW3vVJ1uQn0mX4o0b2p4yq3m0sV1b8c2l9d7f6g5h4j',
  token_type: 'Bearer',
  expires_in: 28_800,
  refresh_expires_in: 2_592_000,
}

export const newStudent = {
  first_name: 'Lena',
  last_name: 'Vogt',
  phone: '+49 30 5550142',
  birth_date: '2008-04-12',
}

export const student = {
  id: ids.student,
  ...blankOf(STUDENT_FIELDS),
  messages_consent: false,
  message_channel: 'mail' as const,
  ...newStudent,
  license_class_template_id: ids.template,
  contacts: [
    {
      name: 'Eva Vogt',
      relation: 'guardian' as const,
      phone: '+49 30 5550144',
      email: null,
      gets_messages: false,
    },
  ],
  archived_at: null,
  ...versioned,
}

export const newInstructor = {
  first_name: 'Jonas',
  last_name: 'Brandt',
  license_classes: ['B', 'BE'],
  max_daily_units: 8,
  availability_windows: [{ weekday: 1, start: '08:00', end: '17:00' }],
}

export const vacation = { start_date: '2026-08-03', end_date: '2026-08-14', note: 'Summer' }

export const absence = { start_at: '2026-05-05 13:00', end_at: '2026-05-05 15:30', note: null }

export const instructor = {
  id: ids.instructor,
  ...blankOf(INSTRUCTOR_FIELDS),
  ...newInstructor,
  color: '#0072B2',
  active: true,
  number: '3',
  employment: 'employee' as const,
  is_trainee: false,
  max_daily_override: 10,
  max_weekly_units: 55,
  required_break_minutes: 0,
  max_continuous_minutes: 360,
  usual_vehicle_id: null as string | null,
  location_id: null as string | null,
  vacations: [vacation],
  absences: [absence],
  ...versioned,
}

export const newVehicle = {
  name: 'Golf 3',
  kind: 'car',
  gearbox: 'manual',
  license_classes: ['B', 'BE'],
  plate: 'B-FS 123',
}

export const vehicle = {
  id: id(40),
  ...newVehicle,
  notes: null,
  location_id: null,
  active: true,
  absences: [{ start_at: '2026-06-01 08:00', end_at: '2026-06-02 12:00', note: 'Inspection' }],
  ...versioned,
}

export const newAppointment = {
  instructor_id: ids.instructor,
  student_id: ids.student,
  lesson_type_id: ids.lessonType,
  start_at: '2026-05-04 08:00',
  end_at: '2026-05-04 09:30',
  title: 'Übungsfahrt',
}

export const appointment = {
  id: id(17),
  ...blankOf(APPOINTMENT_FIELDS),
  ...newAppointment,
  status: 'planned',
  overrides_used: [],
  series_id: null,
  vehicle_ids: [] as string[],
  attendees: [] as { student_id: string; attended: boolean | null }[],
  seats: null,
  topic: null,
  license_class: 'B',
  cancellation: null,
  no_show_fee_percent: null,
  confirmed_at: null,
  ...versioned,
}

export const newBatch = {
  appointments: [
    newAppointment,
    { ...newAppointment, start_at: '2026-05-05 08:00', end_at: '2026-05-05 09:30' },
  ],
}

export const batch = { appointments: [appointment] }

export const warning = {
  code: 'requirement_already_met',
  params: { lesson_type_id: ids.lessonType, required_units: 5, done_units: 3, planned_units: 2 },
}

export const slot = {
  instructor_id: ids.instructor,
  start_at: '2026-05-04 09:30',
  end_at: '2026-05-04 11:00',
  vehicle_ids: [],
  overrides_used: [],
  is_preferred: true,
  minutes_free_before: 0,
  minutes_free_after: 90,
  warnings: [],
}

const { title: _, ...untitled } = newAppointment
export const checkedBooking = untitled

export const refusal = {
  code: 'instructor_busy',
  params: { appointment_id: appointment.id, start_at: '2026-05-04 08:00', end_at: '2026-05-04 09:30' },
}

export const newSeries = {
  appointment: newAppointment,
  repeat: { every_weeks: 1, count: 10 },
  on_refusal: 'skip',
  dry_run: false,
}

export const refusedLesson = {
  start_at: '2026-05-11 08:00',
  end_at: '2026-05-11 09:30',
  refusals: [refusal],
  alternatives: [slot],
}

export const series = {
  series_id: id(21),
  booked: [{ ...appointment, series_id: id(21) }],
  refused: [refusedLesson],
}

export const check = {
  allowed: false,
  refusals: [refusal],
  warnings: [],
  overrides_used: [],
  load: {
    day: { date: '2026-05-04', booked_units: 2, requested_units: 2, limit_units: 8, override_units: 10 },
    week: {
      week_start: '2026-05-04',
      booked_units: 2,
      requested_units: 2,
      limit_units: 55,
      override_units: null,
    },
  },
  alternatives: [slot],
}

export const problem = {
  type: '/docs/problems#instructor_busy',
  title: 'Instructor busy',
  status: 409,
  code: 'instructor_busy',
  detail: 'The instructor has another appointment from 2026-05-04 08:00 to 2026-05-04 09:30.',
  params: { appointment_id: appointment.id, start_at: '2026-05-04 08:00', end_at: '2026-05-04 09:30' },
  request_id: id(18),
}

export const change = {
  id: id(19),
  at: '2026-05-02T09:30:00.000Z',
  actor: { kind: 'user', id: ids.user, name: 'Office' },
  resource: 'appointment',
  resource_id: appointment.id,
  action: 'changed',
  set_id: id(20),
  undoes: null,
  before: { start_at: '2026-05-04 08:00', end_at: '2026-05-04 09:30', version: 1 },
  after: { start_at: '2026-05-04 10:00', end_at: '2026-05-04 11:30', version: 2 },
}

/** A database snapshot in base64url. */
export const changesCursor = 'WyI4MTI6ODEyOiJd'
