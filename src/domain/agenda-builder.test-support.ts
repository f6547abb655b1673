import type {
  Agenda,
  AvailabilityWindow,
  CountedAppointment,
  InstructorRules,
  Occupancy,
  Vacation,
} from './agenda.ts'
import type { LocalDate, LocalDateTime, TimeOfDay } from './local-time.ts'

/** Returns a lesson whose id is its start. An end without a date is on the day of the start. */
export function lesson(
  start_at: LocalDateTime,
  end: LocalDateTime | TimeOfDay,
  more: Partial<CountedAppointment> = {},
): CountedAppointment {
  const end_at = end.length === 5 ? `${start_at.slice(0, 10)} ${end}` : end
  return { id: start_at, start_at, end_at, counts_toward_limits: true, ...more }
}

/** Returns an appointment that does not count toward the unit limits. */
export function officeTime(start_at: LocalDateTime, end: LocalDateTime | TimeOfDay): CountedAppointment {
  return lesson(start_at, end, { counts_toward_limits: false })
}

/** Returns an instructor with only the given rules. */
export function instructorWith(rules: Partial<InstructorRules> = {}): InstructorRules {
  return {
    id: 'instructor',
    active: true,
    availability_windows: [],
    vacations: [],
    max_daily_units: null,
    max_daily_override: null,
    max_weekly_units: null,
    max_weekly_override: null,
    required_break_minutes: 0,
    max_continuous_minutes: null,
    ...rules,
  }
}

type AgendaParts = {
  readonly rules?: Partial<InstructorRules>
  readonly booked?: readonly CountedAppointment[]
  readonly student?: readonly CountedAppointment[]
  readonly unit_minutes?: number
}

/** Returns an empty agenda in units of 45 minutes, except for the given parts. */
export function agendaWith({ rules, booked = [], student = [], unit_minutes = 45 }: AgendaParts): Agenda {
  return {
    unit_minutes,
    instructor: instructorWith(rules),
    occupied: occupiedBy(booked, student),
  }
}

/** Returns the lists of an agenda: the instructor's and the student's appointments. */
export function occupiedBy(
  instructor: readonly CountedAppointment[],
  student: readonly CountedAppointment[] = [],
): readonly Occupancy[] {
  return [
    { kind: 'instructor', id: 'instructor', appointments: instructor },
    { kind: 'student', id: 'student', appointments: student },
  ]
}

export function openOn(weekday: number, start: TimeOfDay, end: TimeOfDay): AvailabilityWindow {
  return { weekday, start, end }
}

export function daysOff(start_date: LocalDate, end_date: LocalDate, note: string | null = null): Vacation {
  return { start_date, end_date, note }
}
