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

/** A broken rule: its code and parameters, without a message. */
export type Refusal =
  | { readonly code: 'instructor_inactive'; readonly params: { readonly instructor_id: string } }
  | { readonly code: 'instructor_busy'; readonly params: ConflictParams }
  | { readonly code: 'full'; readonly params: { readonly seats: number } }
  | {
      readonly code: 'student_busy'
      /** `student_id` is set only for groups. */
      readonly params: ConflictParams & { readonly student_id?: string }
    }
  | { readonly code: 'public_holiday'; readonly params: { readonly date: LocalDate; readonly name: string } }
  | {
      readonly code: 'school_closed'
      readonly params: { readonly date: LocalDate; readonly note: string | null }
    }
  | {
      readonly code: 'instructor_on_vacation'
      /** A vacation, or an absence of part of a day. */
      readonly params:
        | { readonly start_date: LocalDate; readonly end_date: LocalDate; readonly note: string | null }
        | { readonly start_at: LocalDateTime; readonly end_at: LocalDateTime; readonly note: string | null }
    }
  | {
      readonly code: 'instructor_busy_elsewhere'
      readonly params: { readonly start_at: LocalDateTime; readonly end_at: LocalDateTime }
    }
  | {
      readonly code: 'outside_availability'
      readonly params: {
        readonly date: LocalDate
        readonly windows: readonly {
          readonly weekday: number
          readonly start: TimeOfDay
          readonly end: TimeOfDay
        }[]
      }
    }
  | { readonly code: 'daily_limit_exceeded'; readonly params: { readonly date: LocalDate } & LimitParams }
  | {
      readonly code: 'weekly_limit_exceeded'
      readonly params: { readonly week_start: LocalDate } & LimitParams
    }
  | {
      readonly code: 'break_too_short'
      readonly params: {
        readonly gap_minutes: number
        readonly required_minutes: number
        readonly appointment_id: string
      }
    }
  | {
      readonly code: 'continuous_minutes_exceeded'
      readonly params: {
        readonly minutes: number
        readonly limit_minutes: number
        readonly start_at: LocalDateTime
        readonly end_at: LocalDateTime
      }
    }
  | {
      readonly code: 'too_many_appointments'
      readonly params: { readonly open_appointments: number; readonly limit_appointments: number }
    }
  | {
      readonly code: 'student_archived'
      readonly params: { readonly student_id: string; readonly archived_at: LocalDateTime }
    }
  | {
      readonly code: 'vehicle_inactive' | 'vehicle_absent'
      readonly params: { readonly vehicle_id: string }
    }
  | { readonly code: 'vehicle_busy'; readonly params: { readonly vehicle_id: string } & ConflictParams }

export type RefusalCode = Refusal['code']

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
