import { requireChangePermission } from '../auth/permissions.ts'
import type { Actor } from '../contract/actor.ts'
import { type AppointmentChange, intervalFaultsFor, strayFaultsFor } from '../contract/appointment.ts'
import { invalidRequest, notFound, requireAccepted } from '../contract/problem.ts'
import { findStoredAppointment, lockAppointment, type StoredAppointment } from '../db/appointments.ts'
import { requireAgenda } from '../db/calendars/agendas.ts'
import type { CalendarVersion } from '../db/calendars/calendar-locks.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import type { Database } from '../db/schema/tables.ts'
import { updateAppointment } from '../db/write-appointment.ts'
import { asksTheRules, verdictOn } from '../domain/booking.ts'
import type { Cancellation } from '../domain/cancellation.ts'
import { isCounted } from '../domain/counted.ts'
import { withCancellation } from './cancel-appointment.ts'
import { type Decision, decide } from './decide.ts'
import { type ExpectedVersion, requireExpected } from './expected-version.ts'
import { withClass } from './lesson-class.ts'
import { requireOwnBooking } from './own-bookings.ts'

type Intent = {
  /** An undo gives back the cancellation, too. */
  readonly change: AppointmentChange & { readonly cancellation?: Cancellation | null }
  readonly isExpected: ExpectedVersion
}

/**
 * Changes an appointment and checks the merged row against the rules. Throws `not_found`, `forbidden`, `invalid_request` if the
 * end comes before the start, `stale`, and the problem of the first broken rule.
 */
export async function changeAppointment(
  database: DatabasePool,
  actor: Actor,
  id: string,
  intent: Intent,
): Promise<StoredAppointment> {
  return decide(database, actor, {
    lock: (db) => lockAppointment(db, actor.tenant.id, id),
    look: async (db) => changeOf(db, actor, await requireAppointment(db, actor.tenant.id, id), intent),
  })
}

/** Returns the appointment. Throws `not_found` if it is deleted. */
export async function requireAppointment(
  db: Database,
  tenantId: string,
  id: string,
): Promise<StoredAppointment> {
  const appointment = await findStoredAppointment(db, tenantId, id)
  if (!appointment || appointment.deleted) throw notFound()
  return appointment
}

export async function changeOf(
  db: Database,
  actor: Actor,
  stored: StoredAppointment,
  { change, isExpected }: Intent,
): Promise<Decision<StoredAppointment>> {
  requireChangePermission(actor, stored, change)
  await requireOwnBooking(db, actor, change)
  const merged = mergedWith(change, stored)
  const isAsked = asksTheRules(change, stored)
  const loaded = isAsked || refers(change) ? await requireAgenda(db, actor, merged) : undefined
  const isPlannedAgain = !isCounted(stored) && isCounted(merged)
  if ((change.student_id || isPlannedAgain) && loaded?.isStudentDeleted) throw notFound()
  if ((change.vehicle_ids || isPlannedAgain) && loaded?.isVehicleDeleted) throw notFound()
  requireExpected(isExpected, stored)
  const write = (next: StoredAppointment, seen: readonly CalendarVersion[]) => ({
    seen,
    write: (at: Database) => updateAppointment(at, actor, { stored, next }, seen),
  })
  const next = await withCancellation(
    db,
    actor,
    { isCancelledBefore: !isCounted(stored), given: change.cancellation },
    withClass(actor, stored, merged, loaded),
  )
  if (!isAsked || !loaded) return write(next, [])
  const overrides_used = requireAccepted(verdictOn(loaded.proposal, loaded.agenda))
  return write({ ...next, overrides_used }, loaded.seen)
}

/** Merges a change into the stored row. Throws `invalid_request` if it ends before it starts or its actual times are too far away. */
export function mergedWith(change: AppointmentChange, stored: StoredAppointment): StoredAppointment {
  const merged = merge(stored, change)
  const setsActual = change.actual_start_at !== undefined || change.actual_end_at !== undefined
  const isMoved = merged.start_at !== stored.start_at || merged.end_at !== stored.end_at
  const faults = [...intervalFaultsFor(merged), ...(setsActual || isMoved ? strayFaultsFor(merged) : [])]
  if (faults.length > 0) throw invalidRequest(faults)
  return merged
}

/** Merges a change into the stored row. A new status or student detaches the lesson from the student whose deletion cancelled it. */
function merge(stored: StoredAppointment, change: AppointmentChange): StoredAppointment {
  const isOwn = change.status !== undefined || change.student_id !== undefined
  return { ...stored, ...change, cancelled_with_student: stored.cancelled_with_student && !isOwn }
}

/** Whether a change names a resource that must exist. */
function refers({ instructor_id, student_id, vehicle_ids, lesson_type_id }: AppointmentChange): boolean {
  return Boolean(instructor_id ?? student_id ?? vehicle_ids?.[0] ?? lesson_type_id)
}
