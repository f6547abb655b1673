import type { Agenda, Proposal } from './agenda.ts'
import type { RefusalCode } from './refusal.ts'

/**
 * A second implementation of the booking rules, minute by minute over a written-out calendar, to test `verdictOn`.
 * It shares no code with the product, so agreement is evidence.
 */

type CalendarMinute = {
  readonly date: string
  readonly time: string
  readonly weekday: number
  readonly isoWeek: string
}

export type Calendar = {
  readonly minutes: readonly CalendarMinute[]
  readonly indexOf: ReadonlyMap<string, number>
}

/** Returns every minute from the first day on, with its date, time, weekday and ISO week. */
export function calendarFrom(firstDate: string, days: number): Calendar {
  const minutes: CalendarMinute[] = []
  const indexOf = new Map<string, number>()
  const clock = new Date(`${firstDate}T00:00:00Z`)
  for (let index = 0; index < days * 24 * 60; index++) {
    const [date = '', time = ''] = clock.toISOString().slice(0, 16).split('T')
    indexOf.set(`${date} ${time}`, index)
    minutes.push({ date, time, weekday: clock.getUTCDay() || 7, isoWeek: isoWeekOf(clock) })
    clock.setUTCMinutes(clock.getUTCMinutes() + 1)
  }
  return { minutes, indexOf }
}

/** Returns the ISO week: it belongs to the year of its Thursday and is numbered from that year's first Thursday. */
function isoWeekOf(instant: Date): string {
  const thursday = new Date(instant)
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7))
  const year = thursday.getUTCFullYear()
  const dayOfYear = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / 86_400_000)
  return `${year}-W${Math.floor(dayOfYear / 7) + 1}`
}

function weeksBetween(from: string, to: string): number {
  const mondayOf = (date: string) => {
    const day = new Date(`${date}T00:00:00Z`)
    return day.getTime() - ((day.getUTCDay() + 6) % 7) * 86_400_000
  }
  return (mondayOf(to) - mondayOf(from)) / (7 * 86_400_000)
}

const BUSY: Readonly<Record<Agenda['occupied'][number]['kind'], RefusalCode>> = {
  instructor: 'instructor_busy',
  student: 'student_busy',
  attendee: 'student_busy',
  vehicle: 'vehicle_busy',
}

/** Returns the rules that the proposal breaks, in order. */
export function brokenRules(proposal: Proposal, agenda: Agenda, calendar: Calendar): readonly RefusalCode[] {
  const { instructor, occupied } = agenda
  const own = minutesOf(proposal, calendar)
  const busy = new Set(bookedIn(agenda).flatMap((other) => minutesOf(other, calendar)))
  const isBusy = (code: RefusalCode) =>
    occupied
      .filter(({ kind }) => BUSY[kind] === code)
      .some(({ appointments }) => {
        const taken = new Set(appointments.flatMap((other) => minutesOf(other, calendar)))
        return own.some((minute) => taken.has(minute))
      })
  const verdicts: readonly (readonly [RefusalCode, boolean])[] = [
    ['instructor_inactive', !instructor.active],
    ['instructor_busy', isBusy('instructor_busy')],
    ['full', agenda.group !== undefined && agenda.group.attendees > agenda.group.seats],
    ['student_busy', isBusy('student_busy')],
    [
      'public_holiday',
      own.some((minute) => agenda.closed?.holidayOn?.(calendar.minutes[minute]?.date ?? '')),
    ],
    ['school_closed', own.some((minute) => isClosed(minute, agenda, calendar))],
    ['instructor_on_vacation', own.some((minute) => isDayOff(minute, agenda, calendar))],
    ['instructor_busy_elsewhere', own.some((minute) => isBusyElsewhere(minute, agenda, calendar))],
    ['outside_availability', own.some((minute) => !isOpen(minute, agenda, calendar))],
    ['daily_limit_exceeded', isAboveLimit('date', proposal, agenda, calendar)],
    ['weekly_limit_exceeded', isAboveLimit('isoWeek', proposal, agenda, calendar)],
    ['break_too_short', isPauseTooShort(own, agenda, calendar)],
    ['continuous_minutes_exceeded', isStretchTooLong(own, busy, agenda)],
    ['vehicle_inactive', occupied.some(({ thing }) => thing?.active === false)],
    ['vehicle_absent', own.some((minute) => isVehicleAway(minute, agenda, calendar))],
    ['vehicle_busy', isBusy('vehicle_busy')],
  ]
  return verdicts.filter(([, broken]) => broken).map(([code]) => code)
}

function isVehicleAway(minute: number, { occupied }: Agenda, { minutes }: Calendar): boolean {
  const { date = '', time = '' } = minutes[minute] ?? {}
  const now = `${date} ${time}`
  return occupied.some(({ thing }) =>
    thing?.absences.some(({ start_at, end_at }) => start_at <= now && now < end_at),
  )
}

function isClosed(minute: number, { closed }: Agenda, { minutes }: Calendar): boolean {
  const { date = '' } = minutes[minute] ?? {}
  return closed?.closures.some(({ start_date, end_date }) => start_date <= date && date <= end_date) ?? false
}

/** Returns the instructor's appointments. */
function bookedIn({ occupied }: Agenda): Agenda['occupied'][number]['appointments'] {
  return occupied.filter(({ kind }) => kind === 'instructor').flatMap(({ appointments }) => appointments)
}

function indexAt(text: string, { indexOf }: Calendar): number {
  const index = indexOf.get(text)
  if (index === undefined) throw new Error(`${text} is not on the calendar`)
  return index
}

function minutesOf({ start_at, end_at }: Proposal, calendar: Calendar): number[] {
  const start = indexAt(start_at, calendar)
  return Array.from({ length: indexAt(end_at, calendar) - start }, (_, index) => start + index)
}

function isDayOff(minute: number, { instructor }: Agenda, { minutes }: Calendar): boolean {
  const { date = '', time = '' } = minutes[minute] ?? {}
  const now = `${date} ${time}`
  return (
    instructor.vacations.some(({ start_date, end_date }) => start_date <= date && date <= end_date) ||
    (instructor.absences ?? []).some(({ start_at, end_at }) => start_at <= now && now < end_at)
  )
}

function isBusyElsewhere(
  minute: number,
  { instructor, busy_calendars }: Agenda,
  { minutes }: Calendar,
): boolean {
  const { date = '', time = '' } = minutes[minute] ?? {}
  const now = `${date} ${time}`
  const times = busy_calendars === 'refuse' ? instructor.busy_times : []
  return times?.some(({ start_at, end_at }) => start_at <= now && now < end_at) ?? false
}

function isOpen(minute: number, { instructor }: Agenda, { minutes }: Calendar): boolean {
  const at = minutes[minute]
  if (instructor.availability_windows.length === 0) return true
  return instructor.availability_windows.some(
    ({ weekday, start, end, valid_from, valid_to, every_weeks = 1 }) =>
      at &&
      weekday === at.weekday &&
      start <= at.time &&
      at.time < end &&
      (valid_from ?? at.date) <= at.date &&
      at.date <= (valid_to ?? at.date) &&
      (every_weeks === 1 || weeksBetween(valid_from ?? at.date, at.date) % every_weeks === 0),
  )
}

function isAboveLimit(
  period: 'date' | 'isoWeek',
  proposal: Proposal,
  agenda: Agenda,
  calendar: Calendar,
): boolean {
  const { instructor, unit_minutes } = agenda
  const [limit, override] =
    period === 'date'
      ? [instructor.max_daily_units, instructor.max_daily_override]
      : [instructor.max_weekly_units, instructor.max_weekly_override]
  if (limit === null || !proposal.counts_toward_limits) return false
  const worked =
    workedMinutes(period, proposal, agenda, calendar).length + minutesOf(proposal, calendar).length
  const ceiling = override !== null && override > limit ? override : limit
  return worked > ceiling * unit_minutes
}

/** Returns the counted minutes of other appointments that start in the proposal's day or ISO week. */
export function workedMinutes(
  period: 'date' | 'isoWeek',
  proposal: Proposal,
  agenda: Agenda,
  calendar: Calendar,
): readonly number[] {
  const periodOf = ({ start_at }: Proposal) => calendar.minutes[indexAt(start_at, calendar)]?.[period]
  return bookedIn(agenda)
    .filter((one) => one.counts_toward_limits && periodOf(one) === periodOf(proposal))
    .flatMap((one) => minutesOf(one, calendar))
}

/** Whether an appointment wholly before or after the proposal is closer than the required break. */
function isPauseTooShort(own: readonly number[], agenda: Agenda, calendar: Calendar): boolean {
  const ownMinutes = new Set(own)
  const beside = bookedIn(agenda)
    .map((other) => minutesOf(other, calendar))
    .filter((minutes) => !minutes.some((minute) => ownMinutes.has(minute)))
  const busy = new Set(beside.flat())
  const [first = 0, last = 0] = [own[0], own.at(-1)]
  const length = agenda.instructor.required_break_minutes
  const around = Array.from({ length }, (_, index) => [first - 1 - index, last + 1 + index]).flat()
  return around.some((minute) => busy.has(minute))
}

/** Whether the stretch is too long. Walks from the proposal both ways to the first sufficient break. */
function isStretchTooLong(
  own: readonly number[],
  busy: ReadonlySet<number>,
  { instructor }: Agenda,
): boolean {
  if (instructor.max_continuous_minutes === null) return false
  const enough = instructor.required_break_minutes > 15 ? instructor.required_break_minutes : 15
  const walk = (from: number, step: 1 | -1) => {
    let reached = from
    for (let minute = from + step; Math.abs(minute - reached) <= enough; minute += step) {
      if (busy.has(minute)) reached = minute
    }
    return reached
  }
  const [first = 0, last = 0] = [own[0], own.at(-1)]
  return walk(last, 1) - walk(first, -1) + 1 > instructor.max_continuous_minutes
}
