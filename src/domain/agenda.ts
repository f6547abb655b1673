import type { Interval } from './interval.ts'
import { type LocalDate, type LocalDateTime, minuteOf, type TimeOfDay } from './local-time.ts'

/** Recurring hours of one weekday (ISO: Monday is 1) in which an instructor works. */
export type AvailabilityWindow = {
  readonly weekday: number
  readonly start: TimeOfDay
  readonly end: TimeOfDay
  /** The first and the last date of the hours; both are left out, or null if open. */
  readonly valid_from?: LocalDate | null
  readonly valid_to?: LocalDate | null
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

/** Ceilings in units. `null`: no limit, no override. */
export type UnitLimits = {
  readonly max_daily_units: number | null
  readonly max_daily_override: number | null
  readonly max_weekly_units: number | null
  readonly max_weekly_override: number | null
}

/** Minutes of pause between two appointments, and of the longest stretch without one (`null`: no limit). */
export type BreakRule = {
  readonly required_break_minutes: number
  readonly max_continuous_minutes: number | null
}

/** The rules that apply to an instructor. */
export type InstructorRules = UnitLimits &
  BreakRule & {
    readonly id: string
    readonly active: boolean
    readonly availability_windows: readonly AvailabilityWindow[]
    readonly vacations: readonly Vacation[]
    readonly absences?: readonly Absence[]
  }

/** An appointment as asked for, not yet checked. */
export type Proposal = {
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
  readonly counts_toward_limits: boolean
}

/** An appointment that stands: neither deleted nor cancelled nor the one being changed. */
export type CountedAppointment = Proposal & { readonly id: string }

/** The rules that apply to a vehicle. It is away during absences, such as an inspection; they may last for weeks. */
export type VehicleRules = {
  readonly id: string
  readonly active: boolean
  readonly absences: readonly { readonly start_at: LocalDateTime; readonly end_at: LocalDateTime }[]
}

/** The appointments of one that can be in one place only, and the code of the refusal of an overlap with one of them. */
export type Occupied<T = CountedAppointment> = {
  readonly code: 'instructor_busy' | 'student_busy' | 'vehicle_busy'
  /** The rules of a vehicle. */
  readonly vehicle?: VehicleRules | undefined
  readonly appointments: readonly T[]
}

/**
 * The rules that apply to a proposal, and everyone whom it would occupy. The instructor's appointments must contain every counted
 * one that touches the proposal, its ISO week, the day before and after, or the proposal's stretch; the others' every one that
 * overlaps. Order is free.
 */
export type Agenda = {
  readonly unit_minutes: number
  readonly instructor: InstructorRules
  /** The instructor as somebody is about to store them: a proposal has to keep these rules as well. */
  readonly assumed?: InstructorRules | undefined
  readonly occupied: readonly Occupied[]
  /** The days on which the whole school is closed; every day is open if undefined. */
  readonly closed?: ClosedDays | undefined
  /** The number of other counted appointments of the student that are not over; undefined if it is not known. */
  readonly student_open?: number | undefined
}

/** Returns the instructor's appointments: limits and breaks are about them. */
export function workOf<T>({ occupied }: { readonly occupied: readonly Occupied<T>[] }): readonly T[] {
  return occupied.find(({ code }) => code === 'instructor_busy')?.appointments ?? []
}

/** A proposal or appointment with its interval in minutes. */
export type Timed<T extends Proposal> = Interval & { readonly source: T }
export type TimedProposal = Timed<Proposal>
export type TimedAppointment = Timed<CountedAppointment>

/** The proposal or appointment with its interval. */
export function timed<T extends Proposal>(source: T): Timed<T> {
  return { start: minuteOf(source.start_at), end: minuteOf(source.end_at), source }
}

/** All of them with their intervals, sorted by start. */
export function timedByStart<T extends Proposal>(sources: readonly T[]): readonly Timed<T>[] {
  return sources.map(timed).sort((a, b) => a.start - b.start)
}

/** A public holiday. */
export type Holiday = { readonly date: LocalDate; readonly name: string }

/** Finds the public holiday of a date. */
export type HolidayCalendar = (date: LocalDate) => Holiday | undefined

/** Days on which the whole school is closed, both ends inclusive. */
export type Closure = Vacation

/** The days on which the whole school is closed. */
export type ClosedDays = {
  /** Only where the school refuses bookings on public holidays. */
  readonly holidayOn?: HolidayCalendar | undefined
  readonly closures: readonly Closure[]
}
