import { sql } from 'kysely'
import type { Agenda, CountedAppointment, InstructorRules } from '../domain/agenda.ts'
import { type Interval, intervalOf } from '../domain/interval.ts'
import { localDateTimeFor } from '../domain/local-time.ts'
import { holdsWholeStretch, reachAround, widened } from '../domain/reach.ts'
import { statement } from './statement.ts'
import type { Database } from './tables.ts'

/** An appointment as it would stand: around whom and when to look. What is stored under its id does not count. */
export type AgendaRequest = {
  readonly id: string
  readonly instructor_id: string
  readonly student_id: string | null
  readonly lesson_type_id: string
  readonly start_at: string
  readonly end_at: string
}

/** The agenda, what the rules need to know of the lesson type, and which state of the calendars this is. */
export type LoadedAgenda = {
  readonly calendars: CalendarVersions
  readonly agenda: Agenda
  readonly lesson_type: { readonly name: string; readonly counts_toward_limits: boolean }
}

/** `null` without a student, and for one who is deleted or unknown. */
export type CalendarVersions = { readonly instructor: number; readonly student: number | null }

/**
 * Loads what `verdictOn` needs, in one statement: one state of the calendars, and its versions. Under locks that an
 * earlier statement has taken it is the state that stands; a statement's own snapshot is older than its wait for a
 * lock. Nothing if the tenant has no such instructor or lesson type.
 */
export async function loadAgenda(
  db: Database,
  tenantId: string,
  request: AgendaRequest,
): Promise<LoadedAgenda | undefined> {
  for (let reach = reachAround(intervalOf(request)); ; reach = widened(reach)) {
    const loaded = await loadWithin(db, tenantId, request, reach)
    if (loaded === undefined || holdsWholeStretch(loaded.agenda, request, reach)) return loaded
  }
}

async function loadWithin(
  db: Database,
  tenantId: string,
  request: AgendaRequest,
  reach: Interval,
): Promise<LoadedAgenda | undefined> {
  const from = localDateTimeFor(reach.start)
  const to = localDateTimeFor(reach.end)
  const [row] = await selectAgenda(db, { ...request, tenant_id: tenantId, from, to })
  if (!row) return undefined
  const { unit_minutes, lesson_type_name: name, counts_toward_limits, calendar_version, ...rest } = row
  const { student_calendar_version, instructor_appointments, student_appointments, ...instructor } = rest
  const agenda = {
    unit_minutes,
    instructor,
    instructor_appointments: countedIn(instructor_appointments),
    student_appointments: countedIn(student_appointments),
  }
  const calendars = { instructor: calendar_version, student: student_calendar_version }
  return { agenda, lesson_type: { name, counts_toward_limits }, calendars }
}

type AgendaRow = InstructorRules & {
  readonly unit_minutes: number
  readonly lesson_type_name: string
  readonly counts_toward_limits: boolean
  readonly calendar_version: number
  readonly student_calendar_version: number | null
  readonly instructor_appointments: string | null
  readonly student_appointments: string | null
}

type AgendaQuestion = AgendaRequest & {
  readonly tenant_id: string
  readonly from: string
  readonly to: string
}

const selectAgenda = statement((db, question: AgendaQuestion) => {
  const { id, tenant_id, instructor_id, student_id, lesson_type_id, start_at, end_at, from, to } = question
  return sql<AgendaRow>`
    select tenant.unit_minutes, lesson_type.name as lesson_type_name, lesson_type.counts_toward_limits,
      instructor.id, instructor.active, instructor.calendar_version,
      max_daily_units, max_daily_override, max_weekly_units, max_weekly_override,
      required_break_minutes, max_continuous_minutes,
      (select calendar_version from students
        where tenant_id = ${tenant_id} and id = ${student_id}::uuid and deleted_at is null) as student_calendar_version,
      (select coalesce(json_agg(json_build_object('weekday', weekday,
          'start', to_char("start", 'HH24:MI'), 'end', to_char("end", 'HH24:MI'))), '[]')
        from availability_windows
        where tenant_id = ${tenant_id} and instructor_id = instructor.id) as availability_windows,
      (select coalesce(json_agg(json_build_object(
          'start_date', start_date, 'end_date', end_date, 'note', note)), '[]')
        from vacations
        where tenant_id = ${tenant_id} and instructor_id = instructor.id
          and start_date <= ${end_at}::timestamp::date and end_date >= ${start_at}::timestamp::date) as vacations,
      ${countedWhere(sql`instructor_id = ${instructor_id}`, { id, tenant_id, from, to })} as instructor_appointments,
      ${countedWhere(sql`student_id = ${student_id}::uuid`, { id, tenant_id, from: start_at, to: end_at })}
        as student_appointments
    from instructors instructor
    join tenants tenant on tenant.id = instructor.tenant_id
    join lesson_types lesson_type on lesson_type.tenant_id = instructor.tenant_id and lesson_type.id = ${lesson_type_id}
    where instructor.tenant_id = ${tenant_id} and instructor.id = ${instructor_id}`.compile(db)
})

/**
 * The appointments that count and overlap `[from, to)`, one a line but the one that is being changed. Text made by hand
 * takes PostgreSQL half the time of JSON.
 *
 * Nothing lasts more than 24 hours: the bound on start_at from below lets its index do the work. The cancelled and the
 * deleted are left out of the sum and not of the rows, so that no partial index seems to fit: on a table whose
 * statistics are missing or old the planner would take one that reads the whole history, or everybody's week.
 */
function countedWhere(
  whose: ReturnType<typeof sql>,
  { id, tenant_id, from, to }: Pick<AgendaQuestion, 'id' | 'tenant_id' | 'from' | 'to'>,
) {
  return sql`(select string_agg(id || ',' || to_char(start_at, 'YYYY-MM-DD HH24:MI') || ',' ||
      to_char(end_at, 'YYYY-MM-DD HH24:MI') || ',' || (lesson_type_id in (
        select id from lesson_types where tenant_id = ${tenant_id} and counts_toward_limits))::text, ';')
      filter (where status <> 'cancelled' and deleted_at is null)
    from appointments
    where tenant_id = ${tenant_id} and ${whose}
      and start_at < ${to}::timestamp and end_at > ${from}::timestamp
      and start_at > ${from}::timestamp - interval '24 hours'
      and id <> ${id})`
}

function countedIn(text: string | null): readonly CountedAppointment[] {
  return (text?.split(';') ?? []).map((line) => {
    const [id = '', start_at = '', end_at = '', counts] = line.split(',')
    return { id, start_at, end_at, counts_toward_limits: counts === 'true' }
  })
}
