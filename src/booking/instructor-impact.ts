import type { Actor } from '../contract/actor.ts'
import type { Impact } from '../contract/impact.ts'
import type { InstructorChange } from '../contract/instructor.ts'
import { listChosenAppointments, requireInstructorCalendar } from '../db/instructor-calendar.ts'
import type { Database } from '../db/tables.ts'
import { type Hit, impactOf, type RuleChange } from '../domain/impact.ts'
import { type Interval, intervalOf } from '../domain/interval.ts'
import type { LocalDateTime } from '../domain/local-time.ts'
import { holdsWholeStretch, reachAround } from '../domain/reach.ts'
import { localNow } from '../domain/time-zone.ts'
import { asStored } from './change-instructor.ts'

/**
 * What a change of an instructor would do to the coming appointments: those that would break a rule which they do not
 * break today. Writes nothing. Throws `not_found`.
 */
export async function impactOfChange(
  db: Database,
  { tenant, now }: Actor,
  id: string,
  change: InstructorChange,
): Promise<Impact> {
  const localTime = localNow(now, tenant.timezone)
  const { checked, hits } = impactOf(await loadChange(db, { tenant, now: localTime }, id, change), localTime)
  const rows = await appointmentsOf(db, tenant.id, id, hits)
  const refusals = new Map(hits.map((hit) => [hit.id, hit.refusals]))
  const appointments = rows.map((appointment) => ({
    appointment,
    refusals: [...(refusals.get(appointment.id) ?? [])],
  }))
  return { checked, appointments }
}

async function appointmentsOf(db: Database, tenantId: string, instructor_id: string, hits: readonly Hit[]) {
  const [first, last] = [hits[0]?.start_at, hits.at(-1)?.start_at]
  if (first === undefined || last === undefined) return []
  const ids = hits.map(({ id }) => id)
  return listChosenAppointments(db, tenantId, { instructor_id, ids, first, last })
}

/** Where the first stretch begins earlier than what has been read, twice as much is read. */
async function loadChange(
  db: Database,
  { tenant, now }: { readonly tenant: Actor['tenant']; readonly now: LocalDateTime },
  id: string,
  given: InstructorChange,
): Promise<RuleChange> {
  const present = intervalOf({ start_at: now, end_at: now })
  for (let { start } = reachAround(present); ; start -= present.start - start) {
    const { rules, appointments } = await requireInstructorCalendar(db, tenant.id, id, start)
    const after = { ...rules, ...asStored(given) }
    const change = { unit_minutes: tenant.unit_minutes, before: rules, after, appointments }
    if (holdsFirstStretch(change, now, { start, end: Number.POSITIVE_INFINITY })) return change
  }
}

function holdsFirstStretch(change: RuleChange, now: LocalDateTime, reach: Interval): boolean {
  const { unit_minutes, before, after, appointments } = change
  const coming = appointments.filter(({ start_at }) => start_at > now)
  const [first] = coming.toSorted((a, b) => (a.start_at < b.start_at ? -1 : 1))
  const agenda = { unit_minutes, instructor_appointments: appointments, student_appointments: [] }
  return [before, after].every(
    (instructor) => !first || holdsWholeStretch({ ...agenda, instructor }, first, reach),
  )
}
