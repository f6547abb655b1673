import type { Load } from './load.ts'
import type { LocalDate, LocalDateTime, TimeOfDay } from './local-time.ts'

/** The numbers of an exceeded limit, with at most two decimals. */
export type LimitParams = Load & { readonly limit_units: number }

/** The overlapping appointment; its id is null if the user may not see it. */
export type ConflictParams = {
  readonly appointment_id: string | null
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
}

/** The parameters of each broken rule. */
export type RefusalParams = {
  readonly instructor_inactive: { readonly instructor_id: string }
  readonly instructor_busy: ConflictParams
  readonly full: { readonly seats: number }
  /** `student_id` is set only for groups. */
  readonly student_busy: ConflictParams & { readonly student_id?: string }
  readonly public_holiday: { readonly date: LocalDate; readonly name: string }
  readonly school_closed: { readonly date: LocalDate; readonly note: string | null }
  /** A vacation, or an absence of part of a day. */
  readonly instructor_on_vacation:
    | { readonly start_date: LocalDate; readonly end_date: LocalDate; readonly note: string | null }
    | { readonly start_at: LocalDateTime; readonly end_at: LocalDateTime; readonly note: string | null }
  readonly instructor_busy_elsewhere: { readonly start_at: LocalDateTime; readonly end_at: LocalDateTime }
  readonly outside_availability: {
    readonly date: LocalDate
    readonly windows: readonly {
      readonly weekday: number
      readonly start: TimeOfDay
      readonly end: TimeOfDay
    }[]
  }
  readonly daily_limit_exceeded: { readonly date: LocalDate } & LimitParams
  readonly weekly_limit_exceeded: { readonly week_start: LocalDate } & LimitParams
  readonly break_too_short: {
    readonly gap_minutes: number
    readonly required_minutes: number
    readonly appointment_id: string
  }
  readonly continuous_minutes_exceeded: {
    readonly minutes: number
    readonly limit_minutes: number
    readonly start_at: LocalDateTime
    readonly end_at: LocalDateTime
  }
  readonly too_many_appointments: { readonly open_appointments: number; readonly limit_appointments: number }
  readonly student_archived: { readonly student_id: string; readonly archived_at: LocalDateTime }
  readonly vehicle_inactive: { readonly vehicle_id: string }
  readonly vehicle_absent: { readonly vehicle_id: string }
  readonly vehicle_busy: { readonly vehicle_id: string } & ConflictParams
}

export type RefusalCode = keyof RefusalParams

/** A broken rule: its code and parameters, without a message. */
export type Refusal = {
  readonly [C in RefusalCode]: { readonly code: C; readonly params: RefusalParams[C] }
}[RefusalCode]

const IN_ORDER: Readonly<Record<RefusalCode, true>> = {
  instructor_inactive: true,
  instructor_busy: true,
  full: true,
  student_busy: true,
  public_holiday: true,
  school_closed: true,
  instructor_on_vacation: true,
  instructor_busy_elsewhere: true,
  outside_availability: true,
  daily_limit_exceeded: true,
  weekly_limit_exceeded: true,
  break_too_short: true,
  continuous_minutes_exceeded: true,
  too_many_appointments: true,
  student_archived: true,
  vehicle_inactive: true,
  vehicle_absent: true,
  vehicle_busy: true,
}

/** The codes of the rules, in order. */
export const BROKEN_RULES = Object.keys(IN_ORDER) as RefusalCode[]

/** Whether a code is one of the rules; a newer service may have others. */
export function isRule(code: string): code is RefusalCode {
  return code in IN_ORDER
}
