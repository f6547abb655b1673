import { sql } from 'kysely'
import { NIL } from 'uuid'
import type { Appointment } from '../contract/appointment.ts'
import { notFound } from '../contract/problem.ts'
import type { CountedAppointment, InstructorRules } from '../domain/agenda.ts'
import { dayOf, type LocalDateTime, localDateTimeFor, type Minute, midnightOf } from '../domain/local-time.ts'
import { appointmentColumns } from './appointments.ts'
import { loadCalendars } from './calendars.ts'
import { type Parameters, statement } from './statement.ts'
import type { Database } from './tables.ts'

/** The contract knows no time later than the day before. */
const END_OF_TIME = midnightOf(dayOf('2100-01-02'))

/** The rules of an instructor, and all counted appointments from a minute on. */
export type InstructorCalendar = {
  readonly rules: InstructorRules
  readonly appointments: readonly CountedAppointment[]
}

/** Loads an instructor's calendar from the minute on, in one statement. Throws `not_found`. */
export async function requireInstructorCalendar(
  db: Database,
  tenantId: string,
  id: string,
  start: Minute,
): Promise<InstructorCalendar> {
  const range = { start, end: END_OF_TIME }
  const now = localDateTimeFor(start)
  const request = { ids: [id], range, lesson_type_id: NIL, except: NIL, now }
  const calendar = (await loadCalendars(db, tenantId, request)).of.get(id)
  if (!calendar?.rules) throw notFound()
  return { rules: calendar.rules, appointments: calendar.appointments }
}

/** Which appointments of an instructor: by their ids, and between which starts all of them lie. */
export type Choice = {
  readonly instructor_id: string
  readonly ids: readonly string[]
  readonly first: LocalDateTime
  readonly last: LocalDateTime
}

/** Lists those of the appointments that still exist, by start. */
export async function listChosenAppointments(
  db: Database,
  tenantId: string,
  choice: Choice,
): Promise<Appointment[]> {
  return selectChosen(db, { tenantId, ...choice })
}

/** By their ids alone the planner finds them in any index that begins with the tenant, and reads all of it. */
const selectChosen = statement(
  (db, { tenantId, instructor_id, ids, first, last }: Parameters<Choice & { readonly tenantId: string }>) =>
    db
      .selectFrom('appointments')
      .select(appointmentColumns)
      .where('tenant_id', '=', tenantId)
      .where('instructor_id', '=', instructor_id)
      .where(sql<boolean>`start_at between ${first}::timestamp and ${last}::timestamp`)
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .where('deleted_at', 'is', null)
      .orderBy('appointments.start_at')
      .orderBy('id')
      .compile(),
)
