import type { Actor } from '../contract/actor.ts'
import type { Impact } from '../contract/impact.ts'
import type { InstructorChange } from '../contract/instructor.ts'
import { listChosenAppointments, requireInstructorCalendar } from '../db/instructor-calendar.ts'
import type { Database } from '../db/tables.ts'
import type { CountedAppointment } from '../domain/agenda.ts'
import { type Hit, impactOf, type RuleChange } from '../domain/impact.ts'
import { type Interval, intervalOf } from '../domain/interval.ts'
import type { LocalDateTime } from '../domain/local-time.ts'
import { holdsWholeStretch, reachAround } from '../domain/reach.ts'
import { localNow } from '../domain/time-zone.ts'
import { asStored } from './change-instructor.ts'
import type { Pieces } from './pieces.ts'

/** The appointments of an answer that are read and sent together. */
const PAGE_SIZE = 500

/** The impact of a change, its appointments in pages that are read when they are sent. */
export type PagedImpact = {
  readonly checked: number
  readonly pages: readonly (() => Promise<Impact['appointments']>)[]
}

/**
 * Finds the coming appointments that would break a rule after a change of an instructor and break none today. Writes
 * nothing. Throws `not_found`.
 */
export async function impactOfChange(
  db: Database,
  { tenant, now }: Actor,
  { id, change }: { readonly id: string; readonly change: InstructorChange },
  pieces: Pieces,
): Promise<PagedImpact> {
  const localTime = localNow(now, tenant.timezone)
  const loaded = await loadChange(db, { tenant, now: localTime }, id, change)
  const { checked, hits } = await pieces.run(impactOf(loaded, localTime))
  const count = Math.ceil(hits.length / PAGE_SIZE)
  const pages = Array.from({ length: count }, (_, page) => {
    const some = hits.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE)
    return () => appointmentsOf(db, tenant.id, id, some)
  })
  return { checked, pages }
}

async function appointmentsOf(db: Database, tenantId: string, instructor_id: string, hits: readonly Hit[]) {
  const [first, last] = [hits[0]?.start_at, hits.at(-1)?.start_at]
  if (first === undefined || last === undefined) return []
  const refusals = new Map(hits.map((hit) => [hit.id, hit.refusals]))
  const ids = [...refusals.keys()]
  const rows = await listChosenAppointments(db, tenantId, { instructor_id, ids, first, last })
  return rows.map((appointment) => ({
    appointment,
    refusals: [...(refusals.get(appointment.id) ?? [])],
  }))
}

/** Loads a change and the calendar it affects. Reads twice as much while the first stretch begins before the range. */
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
  const first = appointments.reduce<CountedAppointment | undefined>(
    (first, one) => (one.start_at > now && !(first && first.start_at <= one.start_at) ? one : first),
    undefined,
  )
  // Later appointments do not move the beginning of the stretch, and its end is within the range.
  const instructor_appointments = appointments.filter(({ start_at }) => first && start_at <= first.start_at)
  const agenda = { unit_minutes, instructor_appointments, student_appointments: [] }
  return [before, after].every(
    (instructor) => !first || holdsWholeStretch({ ...agenda, instructor }, first, reach),
  )
}
