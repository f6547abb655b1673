import type { BusyPolicy } from './busy-policy.ts'
import type { Interval } from './interval.ts'
import { type LocalDate, type LocalDateTime, minuteOf, type TimeOfDay } from './local-time.ts'

/** Recurring working hours on a weekday (ISO: Monday is 1). */
export type AvailabilityWindow = {
  readonly weekday: number
  readonly start: TimeOfDay
  readonly end: TimeOfDay
  /** The first and last date of the hours, inclusive; undefined or null means no bound. */
  readonly valid_from?: LocalDate | null
  readonly valid_to?: LocalDate | null
  /** The hours hold in every n-th ISO week, counted from that of `valid_from`; undefined means every week. */
  readonly every_weeks?: number
}

/** Days off, both ends inclusive. */
export type Vacation = {
  readonly start_date: LocalDate
  readonly end_date: LocalDate
  readonly note: string | null
}

/** Time off that need not be whole days, half-open. */
export type Absence = {
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
  readonly note: string | null
}

/** A time in which an instructor is busy by a calendar kept elsewhere, half-open. */
export type BusyTime = { readonly start_at: LocalDateTime; readonly end_at: LocalDateTime }

/** The ceilings in units; `null` means no limit or no override. */
export type UnitLimits = {
  readonly max_daily_units: number | null
  readonly max_daily_override: number | null
  readonly max_weekly_units: number | null
  readonly max_weekly_override: number | null
}

/** The minimum break between two appointments, and the longest stretch without one (`null`: no limit). */
export type BreakRule = {
  readonly required_break_minutes: number
  readonly max_continuous_minutes: number | null
}

export type InstructorRules = UnitLimits &
  BreakRule & {
    readonly id: string
    readonly active: boolean
    readonly availability_windows: readonly AvailabilityWindow[]
    readonly vacations: readonly Vacation[]
    readonly absences?: readonly Absence[]
    readonly busy_times?: readonly BusyTime[] | undefined
  }

export type Proposal = {
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
  readonly counts_toward_limits: boolean
}

/** An appointment that occupies time: not deleted, not cancelled, and not the one being changed. */
export type CountedAppointment = Proposal & {
  readonly id: string
  /** Whether the user may not know which appointment it is. */
  readonly isHidden?: true
}

/** The rules of a thing that lessons use, such as a vehicle. It is away during absences such as an inspection. */
export type ThingRules = {
  readonly id: string
  readonly active: boolean
  readonly absences: readonly { readonly start_at: LocalDateTime; readonly end_at: LocalDateTime }[]
}

/** The kinds of people and things that a lesson occupies, in the order of the rules. */
export type OccupantKind = 'instructor' | 'student' | 'attendee' | 'vehicle'

/** The appointments of a person or thing that a lesson occupies. */
export type Occupancy<T = CountedAppointment> = {
  readonly kind: OccupantKind
  readonly id: string
  readonly thing?: ThingRules | undefined
  readonly appointments: readonly T[]
}

/**
 * The rules for a proposal, and everyone it would occupy. The instructor's appointments must include all that touch the
 * proposal, its ISO week, the days before and after, or its stretch. The others' appointments must include all that overlap
 * the proposal.
 */
export type Agenda = {
  readonly unit_minutes: number
  readonly instructor: InstructorRules
  /** The instructor's rules after a pending change. The proposal must keep them, too. */
  readonly assumed?: InstructorRules | undefined
  readonly occupied: readonly Occupancy[]
  /** The size of a group; undefined for a lesson with one student or none. */
  readonly group?: Group | undefined
  /** The days on which the whole school is closed; undefined if there are none. */
  readonly closed?: ClosedDays | undefined
  /** The effect of the instructor's busy times; undefined to ignore them. */
  readonly busy_calendars?: BusyPolicy | undefined
  /** The student's other open appointments; for a group, the largest number among its students. Undefined if unknown. */
  readonly student_open?: number | undefined
  /** The students who have been put away; undefined if there are none. */
  readonly former?: readonly Former[] | undefined
}

/** A student who was put away, and when, by the school's clock. */
export type Former = { readonly student_id: string; readonly archived_at: LocalDateTime }

export type Group = { readonly seats: number; readonly attendees: number }

export function instructorAppointmentsOf<T>({
  occupied,
}: {
  readonly occupied: readonly Occupancy<T>[]
}): readonly T[] {
  return occupied.find(({ kind }) => kind === 'instructor')?.appointments ?? []
}

export type Timed<T extends Proposal> = Interval & { readonly source: T }
export type TimedProposal = Timed<Proposal>
export type TimedAppointment = Timed<CountedAppointment>

export function timed<T extends Proposal>(source: T): Timed<T> {
  return { start: minuteOf(source.start_at), end: minuteOf(source.end_at), source }
}

export function timedByStart<T extends Proposal>(sources: readonly T[]): readonly Timed<T>[] {
  return sources.map(timed).sort((a, b) => a.start - b.start)
}

export type Holiday = { readonly date: LocalDate; readonly name: string }

export type HolidayCalendar = (date: LocalDate) => Holiday | undefined

/** Days on which the whole school is closed, both ends inclusive. */
export type Closure = Vacation

export type ClosedDays = {
  /** Set if the school refuses bookings on public holidays. */
  readonly holidayOn?: HolidayCalendar | undefined
  readonly closures: readonly Closure[]
}
