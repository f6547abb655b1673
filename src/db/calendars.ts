import { type RawBuilder, sql } from 'kysely'
import { notFound } from '../contract/problem.ts'
import type {
  Agenda,
  AvailabilityWindow,
  CountedAppointment,
  InstructorRules,
  Proposal,
} from '../domain/agenda.ts'
import { isCounted } from '../domain/counted.ts'
import { type Interval, intervalOf } from '../domain/interval.ts'
import { localDateTimeFor } from '../domain/local-time.ts'
import { holdsWholeStretch, reachAround, widened } from '../domain/reach.ts'
import { type CalendarVersion, calendarIdsOf } from './calendar-locks.ts'
import { type Parameters, statement } from './statement.ts'
import type { Database } from './tables.ts'

/** What stands in the calendar of an instructor or a student, over the range that was asked for. */
export type Calendar = CalendarVersion & {
  /** What the rules ask of an instructor; vacations are those that touch the range. A student has none. */
  readonly rules: InstructorRules | undefined
  /** The student is deleted. */
  readonly deleted: boolean
  readonly appointments: readonly CountedAppointment[]
}

export type CountingLessonType = { readonly name: string; readonly counts_toward_limits: boolean }

/** Calendars by their ids, and the lesson type that was asked for; what the tenant does not have is missing. */
export type Calendars = {
  readonly of: ReadonlyMap<string, Calendar>
  readonly lesson_type: CountingLessonType | undefined
}

/** Whose calendars to load, over which range; what is stored under the id `except` does not count. */
export type CalendarsRequest = {
  readonly ids: readonly string[]
  readonly range: Interval
  readonly lesson_type_id: string
  readonly except: string
}

/**
 * Loads the calendars of any number of instructors and students, in one statement: one state of them all. Under locks
 * that an earlier statement has taken it is the state that stands; a statement's own snapshot is older than its wait for
 * a lock.
 */
export async function loadCalendars(
  db: Database,
  tenantId: string,
  { ids, range, ...rest }: CalendarsRequest,
): Promise<Calendars> {
  const [from, to] = [localDateTimeFor(range.start), localDateTimeFor(range.end)]
  const rows = await selectCalendars(db, { tenant_id: tenantId, ids, from, to, ...rest })
  return { of: new Map(rows.map((row) => [row.id, calendarOf(row)])), lesson_type: lessonTypeOf(rows[0]) }
}

/** An appointment as it would stand: around whom and when to look. What is stored under its id does not count. */
export type Standing = {
  readonly id: string
  readonly instructor_id: string
  readonly student_id: string | null
  readonly lesson_type_id: string
  readonly start_at: string
  readonly end_at: string
}

/** All that the rules ask about an appointment, and which state of the calendars this is. */
export type LoadedAgenda = {
  readonly proposal: Proposal
  readonly agenda: Agenda
  /** The name of the lesson type: the title of an appointment that has none. */
  readonly lesson_type_name: string
  readonly isStudentDeleted: boolean
  readonly seen: readonly CalendarVersion[]
}

/** Loads the agenda of an appointment. Throws `not_found` if the tenant has no such instructor, student or lesson type. */
export async function requireAgenda(
  db: Database,
  { id: tenantId, unit_minutes }: { readonly id: string; readonly unit_minutes: number },
  standing: Standing,
): Promise<LoadedAgenda> {
  const { instructor_id, student_id, lesson_type_id, id: except } = standing
  const ids = calendarIdsOf([standing])
  for (let range = reachAround(intervalOf(standing)); ; range = widened(range)) {
    const { of, lesson_type } = await loadCalendars(db, tenantId, { ids, range, lesson_type_id, except })
    const [instructor, student] = [of.get(instructor_id), of.get(student_id ?? '')]
    const isStudentUnknown = student_id !== null && (!student || student.rules !== undefined)
    if (!instructor?.rules || !lesson_type || isStudentUnknown) throw notFound()
    const agenda: Agenda = {
      unit_minutes,
      instructor: instructor.rules,
      instructor_appointments: instructor.appointments,
      student_appointments: student?.appointments ?? [],
    }
    if (!holdsWholeStretch(agenda, standing, range)) continue
    const { name, counts_toward_limits } = lesson_type
    return {
      proposal: { ...standing, counts_toward_limits },
      agenda,
      lesson_type_name: name,
      isStudentDeleted: student?.deleted ?? false,
      seen: [...of.values()].map(({ id, version }) => ({ id, version })),
    }
  }
}

type CalendarRow = Omit<InstructorRules, 'active' | 'availability_windows'> & {
  /** Nothing for a student. */
  readonly active: boolean | null
  readonly version: number
  readonly deleted: boolean
  readonly availability_windows: string | null
  readonly appointments: string | null
  readonly lesson_type_name: string | null
  readonly counts_toward_limits: boolean | null
}

type CalendarsQuestion = Omit<CalendarsRequest, 'range'> & {
  readonly tenant_id: string
  readonly from: string
  readonly to: string
}

const selectCalendars = statement((db, question: Parameters<CalendarsQuestion>) => {
  const { tenant_id, ids, lesson_type_id, from, to } = question
  return sql<CalendarRow>`
    select calendar.id, calendar.version, student.deleted_at is not null as deleted,
      lesson_type.name as lesson_type_name, lesson_type.counts_toward_limits,
      active, max_daily_units, max_daily_override, max_weekly_units, max_weekly_override,
      required_break_minutes, max_continuous_minutes,
      case kind when 'instructor' then (
        select string_agg(concat_ws(',', weekday, "start", "end"), ';')
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
        when 'student' then ${linesWhere(sql`student_id = calendar.id`, question)} end as appointments
    from calendars calendar
    left join instructors instructor on instructor.tenant_id = ${tenant_id} and instructor.id = calendar.id
    left join students student on student.tenant_id = ${tenant_id} and student.id = calendar.id
    left join lesson_types lesson_type on lesson_type.tenant_id = ${tenant_id} and lesson_type.id = ${lesson_type_id}
    where calendar.tenant_id = ${tenant_id} and calendar.id = any(${ids}::uuid[])`.compile(db)
})

/**
 * The appointments that overlap `[from, to)`, one a line but the one that is being changed. Text made by hand
 * takes PostgreSQL half the time of JSON, and its own spelling of times (`DateStyle`, see `connect.ts`) half that of
 * `to_char`.
 *
 * Nothing lasts more than 24 hours: the bound on start_at from below lets its index do the work. The deleted are left out
 * of the sum and not of the rows, so that no partial index seems to fit: on a table whose statistics are missing or old
 * the planner would take one that reads the whole history, or everybody's week.
 */
function linesWhere(
  whose: RawBuilder<unknown>,
  { tenant_id, from, to, except }: Parameters<CalendarsQuestion>,
) {
  // Few types stay out of the limits: comparing with those is quicker than looking up the others.
  const counts = sql`lesson_type_id <> all(array(
      select id from lesson_types where tenant_id = ${tenant_id} and not counts_toward_limits))`
  return sql`(select string_agg(concat_ws(',', id, start_at, end_at, ${counts}, status), ';')
      filter (where appointments.deleted_at is null)
    from appointments
    where tenant_id = ${tenant_id} and ${whose}
      and start_at < ${to}::timestamp and end_at > ${from}::timestamp
      and start_at > ${from}::timestamp - interval '24 hours'
      and id <> ${except})`
}

function calendarOf(row: CalendarRow): Calendar {
  const { id, version, deleted, appointments } = row
  return { id, version, deleted, rules: rulesOf(row), appointments: countedIn(appointments) }
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
  }
}

/** `1,08:00:00,17:00:00;…`, cut by position. */
function windowsIn(lines: string | null): readonly AvailabilityWindow[] {
  return (lines?.split(';') ?? []).map((line) => ({
    weekday: Number(line[0]),
    start: line.slice(2, 7),
    end: line.slice(11, 16),
  }))
}

function lessonTypeOf(row: CalendarRow | undefined): CountingLessonType | undefined {
  if (!row || row.lesson_type_name === null) return undefined
  return { name: row.lesson_type_name, counts_toward_limits: row.counts_toward_limits === true }
}

/**
 * Those that count, of `id,2026-05-04 08:00:00,2026-05-04 09:30:00,t,planned;…`. Cut by position, which takes a third of
 * the time of splitting.
 */
function countedIn(lines: string | null): readonly CountedAppointment[] {
  return (lines?.split(';') ?? [])
    .filter((line) => isCounted({ status: line.slice(79) }))
    .map((line) => ({
      id: line.slice(0, 36),
      start_at: line.slice(37, 53),
      end_at: line.slice(57, 73),
      counts_toward_limits: line[77] === 't',
    }))
}
