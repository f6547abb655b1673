import { type RawBuilder, sql } from 'kysely'
import type {
  AvailabilityWindow,
  CountedAppointment,
  InstructorRules,
  VehicleRules,
} from '../../domain/agenda.ts'
import { isCounted } from '../../domain/counted.ts'
import { MOST_OPEN_APPOINTMENTS } from '../../domain/ranges.ts'
import type { Steps } from '../../domain/steps.ts'
import { endsAfter, isCountedRow } from '../appointment-conditions.ts'
import { isAttendedBy } from '../attendees.ts'
import type { Parameters } from '../connection/statement.ts'
import { VEHICLE_RANGES } from '../migrations/0027-vehicles.ts'
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
  /** The number of a student's counted appointments that are not over, in any range. */
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
  readonly open_appointments: number | null
  readonly vehicle?: (VehicleRules & VehicleFacts) | null
  readonly vehicle_appointments?: string | null
  readonly usual_vehicle_id?: string | null
}

export type CalendarQuestion = {
  readonly tenant_id: string
  readonly from: string
  readonly to: string
  readonly except: string
  readonly now: string
}

export function calendarColumns(question: Parameters<CalendarQuestion>) {
  const { tenant_id, from, to } = question
  return sql`calendar.id, calendar.version, kind = 'student' as is_student, student.deleted_at is not null as deleted,
      active, max_daily_units, max_daily_override, max_weekly_units, max_weekly_override,
      required_break_minutes, max_continuous_minutes, absences,
      case kind when 'student' then (
        select template.license_class from license_class_templates template
        where template.tenant_id = ${tenant_id} and template.id = student.license_class_template_id) end as student_class,
      case kind when 'instructor' then (
        select string_agg(concat(weekday, ',', "start", ',', "end", ',', valid_from, ',', valid_to), ';')
        from availability_windows
        where tenant_id = ${tenant_id} and instructor_id = calendar.id) end as availability_windows,
      case kind when 'instructor' then (
        select coalesce(json_agg(json_build_object(
          'start_date', start_date, 'end_date', end_date, 'note', note)), '[]')
        from vacations
        where tenant_id = ${tenant_id} and instructor_id = calendar.id
          and start_date <= ${to}::timestamp::date and end_date >= ${from}::timestamp::date) end as vacations,
      case kind
        when 'instructor' then ${linesWhere(sql`instructor_id = calendar.id`, question)}
        when 'student' then concat_ws(';', ${linesWhere(sql`student_id = calendar.id`, question)},
          ${linesWhere(isAttendedBy(sql`calendar.id`), question)}) end as appointments,
      case when kind = 'student' and calendar.version >= ${sql.lit(MOST_OPEN_APPOINTMENTS)}
        then ${openOf(sql`calendar.id`, question)} end as open_appointments`
}

/** Counts open appointments only if the calendar's version is high enough: each of them has incremented it. */
function openOf(student: RawBuilder<unknown>, { tenant_id, now, except }: Parameters<CalendarQuestion>) {
  const openWhere = (whose: RawBuilder<unknown>) =>
    sql`(select (count(*) filter (where appointments.deleted_at is null and ${isCountedRow}))::integer
    from appointments
    where tenant_id = ${tenant_id} and ${whose} and ${endsAfter(now)} and id <> ${except})`
  return sql`${openWhere(sql`student_id = ${student}`)} + ${openWhere(isAttendedBy(student))}`
}

/**
 * Selects the appointments that overlap `[from, to)`, one a line, except the one being changed. Text takes PostgreSQL half
 * the time of JSON, and its own format of times half that of `to_char`. The sum, not the rows, leaves out deleted ones:
 * without statistics the planner would take a partial index that reads everybody's week.
 */
function linesWhere(
  whose: RawBuilder<unknown>,
  { tenant_id, from, to, except }: Parameters<CalendarQuestion>,
) {
  const counts = sql`lesson_type_id <> all(array(
      select id from lesson_types where tenant_id = ${tenant_id} and not counts_toward_limits))`
  return sql`(select string_agg(concat_ws(',', id, start_at, end_at, ${counts}, status), ';')
      filter (where appointments.deleted_at is null)
    from appointments
    where tenant_id = ${tenant_id} and ${whose}
      and start_at < ${to}::timestamp and ${endsAfter(from)}
      and id <> ${except})`
}

export function vehicleColumns(question: Parameters<CalendarQuestion>) {
  const { tenant_id, from, to } = question
  const number = sql`uuid_hash_extended(calendar.id, 0) / 2`
  const hasVehicle = sql`appointments.deleted_at is null and ${isCountedRow} and vehicle_ids <> '{}'
    and (${sql.raw(VEHICLE_RANGES)}) && int8multirange(int8range(${number}, ${number}, '[]'))
    and tsrange(start_at, end_at) && tsrange(${from}::timestamp, ${to}::timestamp)
    and calendar.id = any(vehicle_ids)`
  return sql`case calendar.kind when 'vehicle' then (
      select json_build_object('id', id, 'name', name, 'active', active and deleted_at is null,
        'deleted', deleted_at is not null, 'license_classes', license_classes, 'absences', absences)
      from vehicles where vehicles.tenant_id = ${tenant_id} and vehicles.id = calendar.id) end as vehicle,
    case calendar.kind when 'vehicle' then ${linesWhere(hasVehicle, question)} end as vehicle_appointments`
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

/** The position of the status in a line, and the lines parsed in a step. */
const [STATUS, LINES_OF_A_STEP] = [79, 200]

/** Parses `id,2026-05-04 08:00:00,2026-05-04 09:30:00,t,planned;…`. Slicing takes a third of the time of splitting. */
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
