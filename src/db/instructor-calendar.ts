import { NIL } from 'uuid'
import { notFound } from '../contract/problem.ts'
import type { CountedAppointment, InstructorRules } from '../domain/agenda.ts'
import { dayOf, type Minute, midnightOf } from '../domain/local-time.ts'
import { loadCalendars } from './calendars.ts'
import type { Database } from './tables.ts'

/** The contract knows no time later than the day before. */
const END_OF_TIME = midnightOf(dayOf('2100-01-02'))

/** What an instructor is asked for by the rules, and all counted appointments from a minute on. */
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
  const request = { ids: [id], range: { start, end: END_OF_TIME }, lesson_type_id: NIL, except: NIL }
  const calendar = (await loadCalendars(db, tenantId, request)).of.get(id)
  if (!calendar?.rules) throw notFound()
  return { rules: calendar.rules, appointments: calendar.appointments }
}
