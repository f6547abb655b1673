import { type RawBuilder, sql } from 'kysely'
import { NIL } from 'uuid'
import type { Actor } from '../../contract/actor.ts'
import type { Closure } from '../../domain/agenda.ts'
import type { Interval } from '../../domain/interval.ts'
import { type LocalDateTime, localDateTimeFor } from '../../domain/local-time.ts'
import { OCCUPANTS, type Occupant } from '../../domain/occupants.ts'
import { MAX_OPEN_APPOINTMENTS } from '../../domain/ranges.ts'
import { completed, type Run, type Steps } from '../../domain/steps.ts'
import { localTimeOf } from '../../domain/time-zone.ts'
import { endsAfter, isCountedRow } from '../appointments/appointment-conditions.ts'
import { isAttendedBy } from '../appointments/attendees.ts'
import { type Parameters, statement } from '../connection/statement.ts'
import { VEHICLE_RANGES } from '../migrations/0027-vehicles.ts'
import type { Database } from '../schema/tables.ts'
import { type Calendar, type CalendarRow, calendarIn } from './calendar-rows.ts'
import { type Learner, type LearnerQuery, learnerObject } from './learner.ts'
import { openAppointmentsOf } from './open-appointments.ts'

export type TaughtLessonType = {
  readonly id: string
  readonly name: string
  readonly category: string
  readonly default_minutes: number
  readonly counts_toward_limits: boolean
  readonly counts_toward_legal_minutes: boolean
  readonly needs_student: boolean
  readonly only_in_the_dark: boolean
  readonly seats: number
}

export type CalendarsRequest = {
  readonly occupants: readonly Occupant[]
  /** Adds all active instructors. */
  readonly everyInstructor?: boolean
  /** Adds the active vehicles of a kind, or of all kinds. */
  readonly anyVehicle?: { readonly kind: string | undefined } | undefined
  readonly range: Interval
  /** The range for students and vehicles, for which only overlaps matter; `range` by default. */
  readonly others?: Interval
  readonly lesson_type_id: string | null
  readonly except: string
  /** The school's local time; appointments that end later are open. */
  readonly now: LocalDateTime
  /** Whether the times are read at which instructors are busy elsewhere; by default they are. */
  readonly needsBusyTimes?: boolean
  readonly search?: { readonly student_id: string | null; readonly enrolment_id?: string | undefined }
}

export type Calendars = {
  readonly of: ReadonlyMap<string, Calendar>
  readonly lesson_type: TaughtLessonType | undefined
  readonly closures: readonly Closure[]
  readonly learner: Learner | undefined
  /** The shortest default length of a lesson type that counts toward limits; null if there is none, or outside a search. */
  readonly shortest_minutes: number | null
}

/** Loads calendars from one snapshot, which is current if an earlier statement has locked them. `run` parses the rows. */
export async function loadCalendars(
  db: Database,
  { id: tenant_id, timezone }: Pick<Actor['tenant'], 'id' | 'timezone'>,
  {
    range,
    others = range,
    search,
    occupants,
    everyInstructor,
    anyVehicle,
    needsBusyTimes = true,
    ...request
  }: CalendarsRequest,
  run: Run = async (steps) => completed(steps),
): Promise<Calendars> {
  const times = {
    from: localDateTimeFor(range.start),
    to: localDateTimeFor(range.end),
    others_from: localDateTimeFor(others.start),
    others_to: localDateTimeFor(others.end),
  }
  const { student_id = null, enrolment_id } = search ?? {}
  const searches = search ? (true as const) : undefined
  const ids = [...new Set(occupants.map(({ id }) => id))]
  const any = {
    every_instructor: everyInstructor ? (true as const) : undefined,
    any_vehicle: anyVehicle ? (true as const) : undefined,
    vehicle_kind: anyVehicle?.kind,
    with_busy_times: needsBusyTimes ? (true as const) : undefined,
    with_things:
      anyVehicle || occupants.some(({ kind }) => OCCUPANTS[kind].thing) ? (true as const) : undefined,
  }
  // Citus cannot assign a join with null to a worker.
  const lesson_type_id = request.lesson_type_id ?? NIL
  const asked = { tenant_id, ids, ...request, ...times, lesson_type_id, counts_open: undefined }
  const question = { ...asked, searches, student_id: student_id ?? undefined, enrolment_id, ...any }
  const rows = await selectCalendars(db, question)
  if (!rows.some(mayHaveTooMany)) return run(calendarsIn(rows, timezone))
  return run(calendarsIn(await selectCalendars(db, { ...question, counts_open: true }), timezone))
}

/** Whether a student may have reached the limit of open appointments: each has incremented the calendar's version. */
function mayHaveTooMany({ kind, version }: Pick<CalendarRow, 'kind' | 'version'>): boolean {
  return kind === 'student' && version >= MAX_OPEN_APPOINTMENTS
}

function* calendarsIn(rows: readonly Row[], timezone: string): Steps<Calendars> {
  const of = new Map<string, Calendar>()
  for (const { id, archived_at: moment, ...row } of rows) {
    const archived_at = moment && localTimeOf(moment, timezone)
    if (id !== null) of.set(id, yield* calendarIn({ id, archived_at, ...row }))
  }
  const [first] = rows
  return {
    of,
    lesson_type: first && lessonTypeOf(first),
    closures: first?.closures ?? [],
    learner: first?.learner ?? undefined,
    shortest_minutes: first?.shortest_minutes ?? null,
  }
}

type CalendarsQuery = LearnerQuery & {
  readonly from: string
  readonly to: string
  readonly others_from: string
  readonly others_to: string
  readonly now: string
  readonly counts_open: true | undefined
  readonly ids: readonly string[]
  readonly searches: true | undefined
  readonly every_instructor: true | undefined
  readonly any_vehicle: true | undefined
  readonly vehicle_kind: string | undefined
  readonly with_things: true | undefined
  readonly with_busy_times: true | undefined
}

type Row = Omit<CalendarRow, 'id' | 'archived_at'> & {
  readonly id: string | null
  readonly archived_at: Date | null
  readonly learner?: Learner | null
  readonly shortest_minutes?: number | null
  readonly closures: readonly Closure[] | null
  readonly lesson_type_id: string | null
  readonly lesson_type_name: string
} & Omit<TaughtLessonType, 'id' | 'name'>

const selectCalendars = statement((db, question: Parameters<CalendarsQuery>) => {
  const { tenant_id, ids, lesson_type_id, searches, every_instructor, any_vehicle, with_things } = question
  const lists = [sql`${ids}::uuid[]`]
  if (every_instructor)
    lists.push(sql`array(select id from instructors where tenant_id = ${tenant_id} and active)`)
  if (any_vehicle) lists.push(vehiclesToChoose(question))
  const chosen = sql`calendar.tenant_id = ${tenant_id} and calendar.id = any(${sql.join(lists, sql` || `)})`
  return sql<Row>`
    select ${calendarColumns(question)}, lesson_type.id as lesson_type_id, lesson_type.name as lesson_type_name,
      category, default_minutes, counts_toward_limits, counts_toward_legal_minutes, needs_student, only_in_the_dark,
      lesson_type.seats,
      ${closuresIn(question)} as closures
      ${searches ? searchColumns(question) : sql``}
      ${with_things ? sql`, ${vehicleColumns(question)}` : sql``}
    from ${searches ? sql`tenants tenant left join calendars calendar on ${chosen}` : sql`calendars calendar`}
    left join instructors instructor on instructor.tenant_id = ${tenant_id} and instructor.id = calendar.id
    left join students student on student.tenant_id = ${tenant_id} and student.id = calendar.id
    left join lesson_types lesson_type
      on lesson_type.tenant_id = ${tenant_id} and lesson_type.id = ${lesson_type_id}::uuid
    ${
      searches
        ? sql`where tenant.id = ${tenant_id} order by instructor.last_name, instructor.first_name, calendar.id`
        : sql`where ${chosen}`
    }`.compile(db)
})

function calendarColumns(question: Parameters<CalendarsQuery>) {
  const { tenant_id, from, to, counts_open, with_busy_times } = question
  const others = forOthers(question)
  return sql`calendar.id, calendar.version, calendar.kind, student.deleted_at is not null as deleted,
      student.archived_at, active, max_daily_units, max_daily_override, max_weekly_units, max_weekly_override,
      required_break_minutes, max_continuous_minutes, absences,
      case kind when 'student' then (
        select json_agg(json_build_object('id', enrolment.id, 'license_class', license_class, 'begins_on', begins_on,
          'ends_on', ends_on, 'outcome', outcome, 'is_current', is_current))
        from enrolments enrolment where enrolment.tenant_id = ${tenant_id} and enrolment.student_id = calendar.id
          and enrolment.deleted_at is null) end as enrolments,
      case kind when 'instructor' then (
        select string_agg(concat(weekday, ',', "start", ',', "end", ',', valid_from, ',', valid_to,
          case when every_weeks > 1 then ',' || every_weeks end), ';')
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
        when 'student' then concat_ws(';', ${linesWhere(sql`student_id = calendar.id`, others)},
          ${linesWhere(isAttendedBy(sql`calendar.id`), others)}) end as appointments
      ${with_busy_times ? sql`, ${busyTimesIn(question)} as busy_times` : sql``}
      ${counts_open ? sql`, ${openAppointmentsOf(sql`calendar`, question)} as open_appointments` : sql``}`
}

function busyTimesIn({ tenant_id, from, to }: Parameters<CalendarsQuery>) {
  return sql`case kind when 'instructor' then (
        select string_agg(to_char(lower(time), 'YYYY-MM-DD HH24:MI/') || to_char(upper(time), 'YYYY-MM-DD HH24:MI'), ';')
        from busy_times, unnest(times) as time
        where tenant_id = ${tenant_id} and instructor_id = calendar.id
          and time && tsrange(${from}::timestamp, ${to}::timestamp)) end`
}

function forOthers({ others_from, others_to, ...question }: Parameters<CalendarsQuery>) {
  return { ...question, from: others_from, to: others_to }
}

/** Selects the appointments that overlap `[from, to)` as text, in half the time of JSON. The aggregate skips deleted ones. */
function linesWhere(
  whose: RawBuilder<unknown>,
  { tenant_id, from, to, except }: Parameters<Pick<CalendarsQuery, 'tenant_id' | 'from' | 'to' | 'except'>>,
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

function vehicleColumns(question: Parameters<CalendarsQuery>) {
  const others = forOthers(question)
  const { tenant_id, from, to } = others
  const number = sql`uuid_hash_extended(calendar.id, 0) / 2`
  const hasVehicle = sql`appointments.deleted_at is null and ${isCountedRow} and vehicle_ids <> '{}'
    and (${sql.raw(VEHICLE_RANGES)}) && int8multirange(int8range(${number}, ${number}, '[]'))
    and tsrange(start_at, end_at) && tsrange(${from}::timestamp, ${to}::timestamp)
    and calendar.id = any(vehicle_ids)`
  return sql`case calendar.kind when 'vehicle' then (
      select json_build_object('id', id, 'name', name, 'kind', kind, 'active', active and deleted_at is null,
        'deleted', deleted_at is not null, 'license_classes', license_classes, 'absences', absences)
      from vehicles where vehicles.tenant_id = ${tenant_id} and vehicles.id = calendar.id) end as vehicle,
    case calendar.kind when 'vehicle' then ${linesWhere(hasVehicle, others)} end as vehicle_appointments`
}

function closuresIn({ tenant_id, from, to }: Parameters<CalendarsQuery>) {
  return sql`(
        select json_agg(json_build_object('start_date', start_date, 'end_date', end_date, 'note', note))
        from closures where tenant_id = ${tenant_id} and deleted_at is null
          and start_date <= ${to}::timestamp::date and end_date >= ${from}::timestamp::date)`
}

function vehiclesToChoose({ tenant_id, vehicle_kind }: Parameters<CalendarsQuery>) {
  const ofKind = vehicle_kind ? sql`and kind = ${vehicle_kind}` : sql``
  return sql`array(select id from vehicles where tenant_id = ${tenant_id} and active and deleted_at is null ${ofKind})`
}

function searchColumns({ student_id, any_vehicle, ...question }: Parameters<CalendarsQuery>) {
  const { tenant_id } = question
  const learner = student_id ? learnerObject({ student_id, ...question }) : sql`null`
  const usual = any_vehicle ? sql`, instructor.usual_vehicle_id` : sql``
  return sql`, instructor.license_classes ${usual}, ${learner} as learner,
      (select coalesce(min(default_minutes) filter (where not hidden), min(default_minutes)) from lesson_types
        where tenant_id = ${tenant_id} and counts_toward_limits) as shortest_minutes`
}

function lessonTypeOf(row: Row): TaughtLessonType | undefined {
  const { lesson_type_id: id, lesson_type_name: name, category, default_minutes } = row
  const { counts_toward_limits, counts_toward_legal_minutes, needs_student, only_in_the_dark, seats } = row
  if (id === null) return undefined
  const counted = { counts_toward_limits, counts_toward_legal_minutes }
  return { id, name, category, default_minutes, ...counted, needs_student, only_in_the_dark, seats }
}
