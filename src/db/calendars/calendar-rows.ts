import type {
  AvailabilityWindow,
  CountedAppointment,
  InstructorRules,
  VehicleRules,
} from '../../domain/agenda.ts'
import { isCounted } from '../../domain/counted.ts'
import type { Steps } from '../../domain/steps.ts'
import type { CalendarVersion } from './calendar-locks.ts'

export type Calendar = CalendarVersion & {
  /** The instructor's rules, with the vacations that touch the range. */
  readonly rules: InstructorRules | undefined
  /** The vehicle's rules; a deleted one is inactive. */
  readonly vehicle: (VehicleRules & VehicleFacts) | undefined
  readonly usual_vehicle_id: string | null
  readonly isStudent: boolean
  readonly deleted: boolean
  readonly license_class: string | null
  /** The classes that the instructor teaches (in a search only), or that the vehicle suits. */
  readonly license_classes: readonly string[]
  readonly appointments: readonly CountedAppointment[]
  /** The number of a student's counted appointments that have not ended, regardless of the range. */
  readonly open_appointments: number | undefined
}

type VehicleFacts = {
  readonly name: string
  readonly deleted: boolean
  readonly license_classes: readonly string[]
}

export type CalendarRow = Omit<InstructorRules, 'active' | 'availability_windows'> & {
  readonly active: boolean | null
  readonly version: number
  readonly is_student: boolean
  readonly deleted: boolean
  readonly student_class: string | null
  readonly license_classes?: readonly string[] | null
  readonly availability_windows: string | null
  readonly appointments: string | null
  /** Undefined if it was not counted. */
  readonly open_appointments?: number | null
  readonly vehicle?: (VehicleRules & VehicleFacts) | null
  readonly vehicle_appointments?: string | null
  readonly usual_vehicle_id?: string | null
}

export function* calendarIn(row: CalendarRow): Steps<Calendar> {
  const { id, version, student_class: license_class, vehicle } = row
  return {
    id,
    version,
    isStudent: row.is_student,
    deleted: vehicle?.deleted ?? row.deleted,
    license_class,
    rules: rulesOf(row),
    vehicle: vehicle ?? undefined,
    usual_vehicle_id: row.usual_vehicle_id ?? null,
    license_classes: vehicle?.license_classes ?? row.license_classes ?? [],
    appointments: yield* countedIn(row.appointments ?? row.vehicle_appointments ?? ''),
    open_appointments: row.open_appointments ?? undefined,
  }
}

function rulesOf({ active, availability_windows, ...row }: CalendarRow): InstructorRules | undefined {
  if (active === null) return undefined
  return {
    id: row.id,
    active,
    max_daily_units: row.max_daily_units,
    max_daily_override: row.max_daily_override,
    max_weekly_units: row.max_weekly_units,
    max_weekly_override: row.max_weekly_override,
    required_break_minutes: row.required_break_minutes,
    max_continuous_minutes: row.max_continuous_minutes,
    availability_windows: windowsIn(availability_windows),
    vacations: row.vacations,
    absences: row.absences ?? [],
  }
}

const UNBOUNDED = '1,08:00:00,17:00:00,,'.length

function validityIn(line: string) {
  const [from, to] = line.slice(UNBOUNDED - 1).split(',')
  return { valid_from: from || null, valid_to: to || null }
}

function windowsIn(lines: string | null): readonly AvailabilityWindow[] {
  return (lines?.split(';') ?? []).map((line) => ({
    weekday: Number(line[0]),
    start: line.slice(2, 7),
    end: line.slice(11, 16),
    ...(line.length > UNBOUNDED && validityIn(line)),
  }))
}

/** The offset of the status in a line, and the number of lines parsed in a step. */
const [STATUS, LINES_OF_A_STEP] = [79, 200]

/** Parses `id,2026-05-04 08:00:00,2026-05-04 09:30:00,t,planned;…`. Slicing takes a third of the time that splitting takes. */
function* countedIn(lines: string): Steps<readonly CountedAppointment[]> {
  const counted: CountedAppointment[] = []
  for (let from = 0, count = 1; from < lines.length; count += 1) {
    const next = lines.indexOf(';', from + STATUS)
    const end = next === -1 ? lines.length : next
    if (isCounted({ status: lines.slice(from + STATUS, end) }))
      counted.push({
        id: lines.slice(from, from + 36),
        start_at: lines.slice(from + 37, from + 53),
        end_at: lines.slice(from + 57, from + 73),
        counts_toward_limits: lines[from + 77] === 't',
      })
    from = end + 1
    if (count % LINES_OF_A_STEP === 0) yield
  }
  return counted
}
