import { NO_STUDENT_BOOKING } from '../domain/student-booking.ts'
import type { RecordSettings } from '../domain/training-record.ts'
import { cancellationPolicy } from './examples-of-cancellations.ts'

export const stamps = { created_at: '2026-05-01T06:00:00.000Z', updated_at: '2026-05-01T06:00:00.000Z' }
export const versioned = { version: 1, ...stamps }
export const id = (last: number) => `0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4b${last}`

export const ids = {
  tenant: id(10),
  user: id(11),
  instructor: id(12),
  student: id(13),
  lessonType: id(14),
  template: id(15),
}

export const openingBalance = [
  { lesson_type_id: ids.lessonType, units: 3, date: '2026-03-31', source: 'Fahrschule Süd' },
]

export const newEnrolment = {
  template_id: ids.template,
  begins_on: '2026-05-04',
  prior_classes: [{ license_class: 'AM', since: '2024-04-12' }],
}
export const enrolment = {
  id: id(45),
  student_id: ids.student,
  ...newEnrolment,
  license_class: 'B',
  law: 'FahrschAusbO',
  ends_on: null,
  outcome: null,
  theory_ended_on: null,
  practice_ended_on: null,
  cooperation: null,
  is_current: true,
  note: null,
  ...versioned,
}

export const newClosure = { start_date: '2026-12-24', end_date: '2027-01-01', note: 'Weihnachten' }
export const closure = { id: id(33), ...newClosure, ...versioned }
export const newLocation = { name: 'Nord', address: 'Hauptstraße 12', travel_minutes: { [id(42)]: 25 } }
export const location = { id: id(41), ...newLocation, ...versioned }
export const newWish = {
  weekdays: [1, 3],
  time_from: '14:00',
  time_to: '18:00',
  minutes: 90,
  lesson_type_id: null,
  instructor_id: null,
  from: null,
  until: '2026-06-30',
}
export const newAvailability = {
  lessons: 2,
  windows: [{ date: '2026-05-06', time_from: '14:00', time_to: '18:00', minutes: 90 }],
}
export const wish = { id: id(43), student_id: ids.student, ...newWish, ...versioned }
const offered = {
  instructor_id: ids.instructor,
  start_at: '2026-05-04 08:00',
  end_at: '2026-05-04 09:30',
  lesson_type_id: ids.lessonType,
}
export const newOffer = { ...offered, student_ids: [ids.student], expires_at: '2026-05-03T18:00:00.000Z' }
export const offer = {
  id: id(44),
  state: 'open',
  ...offered,
  expires_at: '2026-05-03T18:00:00.000Z',
  appointment_id: null,
  taken_by: null,
  links: [{ student_id: ids.student, url: 'https://fahrplan.example/o/AZfzwl1OehCMGy9qnT5LUA…' }],
  ...versioned,
}
export const acceptedOffer = {
  start_at: '2026-05-04 08:00',
  end_at: '2026-05-04 09:30',
  lesson_type: 'Praxis',
  instructor: 'Jonas',
  pickup_place: 'Bahnhof',
}
export const candidate = {
  student_id: ids.student,
  wish_id: id(43),
  lesson_type_id: ids.lessonType,
  minutes: 90,
  reasons: [
    { code: 'matches_wish', params: { wish_id: id(43) } },
    { code: 'waited_longest', params: { days: 20, since: '2026-04-13 09:30' } },
  ],
}
export const holiday = { date: '2026-06-04', name: 'Fronleichnam', region: 'DE-BY', is_public: true }

const messageSettings = {
  booked: true,
  moved: true,
  cancelled: true,
  reminder: true,
  offer: false,
  link: true,
  day_plan: false,
  availability: true,
  student_actions: 'both' as const,
  reminder_hours: [24, 2],
  quiet: { from: '21:00', to: '07:00' },
}

export const tenant = {
  id: ids.tenant,
  name: 'Fahrschule Nord',
  timezone: 'Europe/Berlin',
  locale: 'de',
  country: 'DE',
  unit_minutes: 45,
  default_max_daily_units: 11,
  default_max_weekly_units: 55,
  default_required_break_minutes: 0,
  default_max_continuous_minutes: 360,
  default_availability_windows: [{ weekday: 1, start: '08:00', end: '17:00' }],
  phone: '+49 30 5550100',
  email: 'office@fahrschule-nord.example',
  office_email: 'planning@fahrschule-nord.example',
  cancellation_terms: 'Lessons can be cancelled free of charge until 48 hours before they begin.',
  map_url: 'https://www.openstreetmap.org/search?query={place}',
  hidden_license_classes: ['D', 'DE'],
  latitude: 53.55,
  longitude: 9.99,
  region: 'DE-HH',
  holidays: 'warn' as const,
  busy_calendars: 'warn' as const,
  cancellation_policy: cancellationPolicy,
  messages: messageSettings,
  availability_round: { weekday: 4, time: '17:00' },
  student_actions: { confirm: true, cancel: true, wish: true, sign: false, proof: 'birth_date' as const },
  students_may_move: true,
  student_booking: { ...NO_STUDENT_BOOKING, mode: 'book' as const },
  enquiries: {
    enabled: true,
    classes: ['B', 'BE'],
    text: 'We call you back within a day.',
    slug: 'fahrschule-nord',
    origins: ['https://www.fahrschule-nord.example'],
  },
  address: 'Hauptstraße 12\n20095 Hamburg',
  responsible: 'Ute Brandt',
  record: { signatures: ['school', 'student'], content: 'note' } as RecordSettings,
  instructors_may: 'nothing' as const,
  second_factor: 'optional' as const,
  ...versioned,
}

export const lessonType = {
  id: ids.lessonType,
  code: 'PRACTICE',
  name: 'Übungsfahrt (Grundausbildung)',
  former_names: [],
  category: 'practical',
  requirement_key: 'practice_units',
  default_minutes: 90,
  color: '#0072B2',
  counts_toward_limits: true,
  counts_toward_legal_minutes: true,
  needs_student: true,
  only_in_the_dark: false,
  position: 0,
  hidden: false,
  seats: 1,
  ...versioned,
}

export const licenseClassTemplate = {
  id: ids.template,
  code: 'B',
  license_class: 'B',
  name: 'Klasse B (Schaltgetriebe)',
  min_age: 18,
  law: 'FahrschAusbO',
  valid_from: null,
  valid_to: null,
  theory_before_age_months: 3,
  practice_before_age_months: 1,
  requirements: [
    {
      lesson_type_id: id(16),
      code: 'RURAL',
      name: 'Überlandfahrt (Sonderfahrt)',
      required_units: 5,
      min_one_block_units: 2,
      unit_minutes: null,
      by_prior: [],
      shared: false,
      includes: [],
      also: null,
      min_minutes: null,
      not_by_trainee: false,
    },
  ],
  ...stamps,
}

export const progress = {
  template_id: ids.template,
  requirements: [
    {
      lesson_type_id: id(16),
      required_units: 5,
      done_units: 2,
      planned_units: 1,
      open_units: 2,
      min_one_block_units: 2,
      block_done: true,
    },
  ],
  other: [{ lesson_type_id: ids.lessonType, done_units: 8, planned_units: 1.33 }],
  ready: false,
}

export const progressSum = {
  done_units: 8,
  planned_units: 1,
  required_units: 33,
  theory: { done_units: 6, planned_units: 0, required_units: 28 },
  ready: false,
}

const named = { lesson_type_id: ids.lessonType, topic: 'Thema 3', name: 'Rechtliche Rahmenbedingungen' }

export const topic = { ...named, license_classes: [] }

export const studentTopic = {
  ...named,
  state: 'missing',
  start_at: null,
  next: { appointment_id: id(17), start_at: '2026-05-05 18:30' },
}
