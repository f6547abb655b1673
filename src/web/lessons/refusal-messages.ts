import type { TFunction } from 'i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { dateOf, type LocalDate, type LocalDateTime, timeOf } from '../../domain/local-time.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { nameOf, type School } from '../ui/school.tsx'

/** The people and the loaded appointments that a refusal may refer to. */
type RefusalSubject = {
  readonly instructor_id: string
  readonly student_id: string | null
  readonly appointments: readonly Appointment[]
}

/** Explains a refusal with the rule's numbers. */
export function refusalMessage(
  refusal: Refusal,
  about: RefusalSubject,
  school: School,
  t: TFunction,
): string {
  const { format } = school
  const instructor = personIn(school.instructor, about.instructor_id) ?? t('field.instructor')
  switch (refusal.code) {
    case 'instructor_inactive':
      return t('refusal.instructor_inactive', { instructor })
    case 'instructor_busy':
    case 'student_busy':
      return busyText(refusal, { ...about, instructor }, school, t)
    case 'full':
      return t('refusal.full', { count: refusal.params.seats })
    case 'public_holiday':
      return t('refusal.public_holiday', {
        day: format.dayInText(refusal.params.date),
        name: refusal.params.name,
      })
    case 'school_closed': {
      const { date, note } = refusal.params
      return t('refusal.school_closed', { day: format.dayInText(date), note: note ? ` (${note})` : '' })
    }
    case 'instructor_on_vacation': {
      const { note, ...times } = refusal.params
      const dates =
        'start_at' in times
          ? timesText(times.start_at, times.end_at, school, t)
          : daysText(times.start_date, times.end_date, school, t)
      return t('refusal.instructor_on_vacation', { instructor, dates, note: note ? ` (${note})` : '' })
    }
    case 'instructor_busy_elsewhere': {
      const { start_at, end_at } = refusal.params
      return t('refusal.instructor_busy_elsewhere', {
        instructor,
        dates: timesText(start_at, end_at, school, t),
      })
    }
    case 'outside_availability':
      return outsideText(refusal, instructor, school, t)
    case 'daily_limit_exceeded':
      return t('refusal.daily_limit_exceeded', {
        day: format.dayInText(refusal.params.date),
        ...limitText(refusal.params, school, t),
      })
    case 'weekly_limit_exceeded':
      return t('refusal.weekly_limit_exceeded', {
        day: format.dayInText(refusal.params.week_start),
        ...limitText(refusal.params, school, t),
      })
    case 'break_too_short':
      return t('refusal.break_too_short', {
        gap: refusal.params.gap_minutes,
        required: refusal.params.required_minutes,
      })
    case 'continuous_minutes_exceeded':
      return t('refusal.continuous_minutes_exceeded', {
        minutes: refusal.params.minutes,
        limit: refusal.params.limit_minutes,
        from: timeOf(refusal.params.start_at),
        to: timeOf(refusal.params.end_at),
      })
    case 'vehicle_inactive':
    case 'vehicle_absent':
      return t(`refusal.${refusal.code}`, { vehicle: vehicleText(refusal.params.vehicle_id, school) })
    case 'vehicle_busy': {
      const { vehicle_id, start_at, end_at } = refusal.params
      const times = { from: timeOf(start_at), to: timeOf(end_at) }
      return t('refusal.vehicle_busy', { vehicle: vehicleText(vehicle_id, school), ...times })
    }
    case 'too_many_appointments':
      return t('refusal.too_many_appointments', { limit: refusal.params.limit_appointments })
    case 'student_archived':
      return t('refusal.student_archived')
  }
}

/** Returns the vehicle's name after a space; empty if it is unknown. */
export function vehicleText(id: string, { vehicle }: School): string {
  const name = vehicle.get(id)?.name
  return name === undefined ? '' : ` ${name}`
}

function daysText(from: LocalDate, to: LocalDate, { format }: School, t: TFunction): string {
  if (from === to) return t('refusal.onDay', { day: format.dayInText(from) })
  const [first, last] = format.days(from, to).split(/\s*–\s*/)
  return t('refusal.fromTo', { first, last })
}

/** Returns times off for use in a sentence, with the end's date only if it differs. */
export function timesText(from: LocalDateTime, to: LocalDateTime, { format }: School, t: TFunction): string {
  const [first, last] = [dateOf(from), dateOf(to)]
  if (first === last) {
    return `${t('refusal.onDay', { day: format.dayInText(first) })} ${timeOf(from)}–${timeOf(to)}`
  }
  const momentOf = (at: LocalDateTime) => `${format.dayInText(dateOf(at))} ${timeOf(at)}`
  return t('refusal.fromTo', { first: momentOf(from), last: momentOf(to) })
}

type Busy = Extract<Refusal, { code: 'instructor_busy' | 'student_busy' }>

/** Returns the times of the conflict, and the other person if known. */
function busyText(
  { code, params }: Busy,
  { instructor, student_id, appointments }: RefusalSubject & { readonly instructor: string },
  school: School,
  t: TFunction,
): string {
  const { appointment_id, start_at, end_at } = params
  const attendee = 'student_id' in params ? params.student_id : undefined
  const rival = appointments.find(({ id }) => id === appointment_id)
  const name =
    rival &&
    (code === 'instructor_busy'
      ? personIn(school.student, rival.student_id)
      : personIn(school.instructor, rival.instructor_id))
  return t(`refusal.${code}`, {
    instructor,
    student: personIn(school.student, attendee ?? student_id) ?? t('field.student'),
    from: timeOf(start_at),
    to: timeOf(end_at),
    who: name ? t('refusal.withWhom', { name }) : '',
  })
}

function outsideText(
  { params: { date, windows } }: Extract<Refusal, { code: 'outside_availability' }>,
  instructor: string,
  { format }: School,
  t: TFunction,
): string {
  const day = format.weekday(date)
  if (windows.length === 0) return t('refusal.outside_none', { day, instructor })
  const hours = windows.map(({ start, end }) => `${start}–${end}`).join(', ')
  return t('refusal.outside_availability', { day, instructor, windows: hours })
}

type LimitParams = Extract<Refusal, { code: 'daily_limit_exceeded' }>['params']

function limitText(
  params: Omit<LimitParams, 'date'>,
  { format }: School,
  t: TFunction,
): Record<'booked' | 'requested' | 'limit' | 'override', string> {
  const { override_units } = params
  return {
    booked: format.units(params.booked_units),
    requested: format.units(params.requested_units),
    limit: format.units(params.limit_units),
    override:
      override_units === null ? '' : t('refusal.withOverride', { units: format.units(override_units) }),
  }
}

function personIn(
  people: ReadonlyMap<string, { readonly first_name: string; readonly last_name: string }>,
  id: string | null,
): string | undefined {
  const person = id === null ? undefined : people.get(id)
  return person && nameOf(person)
}
