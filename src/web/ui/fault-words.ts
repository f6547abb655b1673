import type { TFunction } from 'i18next'
import type { Fault } from '../../contract/problem.ts'

/** The labels of the contract's fields. */
const FIELDS = {
  name: 'changes.name',
  locale: 'app.language',
  first_name: 'person.firstName',
  last_name: 'person.lastName',
  email: 'person.email',
  phone: 'person.phone',
  phone_2: 'person.phone2',
  birth_date: 'person.birthDate',
  notes: 'person.notes',
  title: 'lesson.title',
  start_at: 'lesson.start',
  end_at: 'lesson.end',
  actual_start_at: 'lesson.actualStart',
  actual_end_at: 'lesson.actualEnd',
  color: 'instructor.color',
  license_classes: 'instructor.classes',
  max_daily_units: 'instructor.perDay',
  max_daily_override: 'instructor.dailyOverride',
  max_weekly_units: 'instructor.perWeek',
  max_weekly_override: 'instructor.weeklyOverride',
  required_break_minutes: 'instructor.break',
  max_continuous_minutes: 'instructor.continuous',
  availability_windows: 'instructor.hours',
  vacations: 'instructor.vacations',
  password: 'login.password',
  timezone: 'settings.timezone',
  latitude: 'settings.latitude',
  longitude: 'settings.longitude',
  new_password: 'password.next',
  current_password: 'password.current',
  role: 'users.role',
  instructor_id: 'users.whom',
} as const

const CODES = {
  required: 'fault.missing',
  too_short: 'fault.missing',
  too_long: 'fault.tooLong',
  too_many: 'fault.tooLong',
  out_of_range: 'fault.outOfRange',
  too_far: 'fault.tooFar',
  wrong_length: 'fault.wrongLength',
  too_common: 'fault.tooCommon',
  wrong_order: 'fault.wrongOrder',
  invalid_format: 'fault.format',
} as const

/** A fault of what was sent, in the reader's words; in the service's own where the app knows none. */
export function faultWords({ pointer, code, detail }: Fault, t: TFunction): string {
  // The school's defaults for instructors have the labels of the instructor's fields.
  const parts = pointer.split('/')
  const name = parts[1]?.replace(/^default_/, '')
  const field = FIELDS[name as keyof typeof FIELDS] ?? FIELDS[parts.at(-1) as keyof typeof FIELDS]
  const words = CODES[code as keyof typeof CODES]
  return field && words ? `${t(field)}: ${t(words)}` : detail
}
