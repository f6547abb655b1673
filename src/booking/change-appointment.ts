import { requireChangePermission } from '../auth/permissions.ts'
import type { Actor } from '../contract/actor.ts'
import {
  type AppointmentChange,
  attendeeFaultsFor,
  intervalFaultsFor,
  strayFaultsFor,
} from '../contract/appointment.ts'
import { invalidRequest, notFound, Problem, requireAccepted } from '../contract/problem.ts'
import { findStoredAppointment, lockAppointment, type StoredAppointment } from '../db/appointments.ts'
import { type LoadedAgenda, requireAgenda } from '../db/calendars/agendas.ts'
import type { CalendarVersion } from '../db/calendars/calendar-locks.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { requireLocation } from '../db/locations.ts'
import type { Database } from '../db/schema/tables.ts'
import { updateAppointment } from '../db/write-appointment.ts'
import { isCheckedByRules, verdictOn } from '../domain/booking.ts'
import type { Cancellation } from '../domain/cancellation.ts'
import { isCounted } from '../domain/counted.ts'
import { attendeeIdsOf, hasSameStudents } from '../domain/group.ts'
import { localNow } from '../domain/time-zone.ts'
import { attendeesOf, examResultOf } from './book-appointment.ts'
import { withCancellation } from './cancel-appointment.ts'
import { type Decision, decide } from './decide.ts'
import { type ExpectedVersion, requireExpected } from './expected-version.ts'
import { withClass } from './lesson-class.ts'
import { requireOwnBooking } from './own-bookings.ts'
import { choosesSeats, requireRoom, withoutDeleted, withSeats } from './seats.ts'

type Intent = {
  /** The fields to change. An undo also restores the cancellation and the confirmation. */
  readonly change: AppointmentChange & {
    readonly cancellation?: Cancellation | null
    readonly confirmed_at?: string | null
  }
  readonly isExpected: ExpectedVersion
}

/**
 * Changes an appointment and checks the merged row. Throws `not_found`, `forbidden`, `stale`, `already_begun`,
 * `invalid_request` as `mergedWith` does, and the first broken rule.
 */
export async function changeAppointment(
  database: DatabasePool,
  actor: Actor,
  id: string,
  intent: Intent,
): Promise<StoredAppointment> {
  return decide(database, actor, {
    lock: (db) => lockAppointment(db, actor.tenant.id, id),
    look: async (db) =>
      appointmentUpdateFor(db, actor, await requireAppointment(db, actor.tenant.id, id), intent),
  })
}

export async function requireAppointment(
  db: Database,
  tenantId: string,
  id: string,
): Promise<StoredAppointment> {
  const appointment = await findStoredAppointment(db, tenantId, id)
  if (!appointment || appointment.deleted) throw notFound()
  return appointment
}

export async function appointmentUpdateFor(
  db: Database,
  actor: Actor,
  stored: StoredAppointment,
  { change, isExpected }: Intent,
): Promise<Decision<StoredAppointment>> {
  requireChangePermission(actor, stored, change)
  await requireOwnBooking(db, actor, ruledPartOf(change, stored))
  const merged = mergedWith(change, stored)
  if (merged.location_id !== stored.location_id)
    await requireLocation(db, actor.tenant.id, merged.location_id)
  const isAsked = isCheckedByRules(ruledPartOf(change, stored), stored)
  const loaded = isAsked || refers(change) ? await requireAgenda(db, actor, merged) : undefined
  const isPlannedAgain = !isCounted(stored) && isCounted(merged)
  if ((change.student_id || isPlannedAgain) && loaded?.isStudentDeleted) throw notFound()
  if ((change.vehicle_ids || isPlannedAgain) && loaded?.isVehicleDeleted) throw notFound()
  if (namesDeleted(stored, merged, loaded)) throw notFound()
  const standing = isPlannedAgain && loaded ? withoutDeleted(actor, merged, loaded) : merged
  const seated = loaded && choosesSeats(standing, stored) ? withSeats(standing, loaded) : standing
  requireExpected(isExpected, stored)
  requireNoAttendeeRemoved(actor, stored, merged)
  if (loaded && !isAsked) requireRoom(seated)
  const write = (next: StoredAppointment, seen: readonly CalendarVersion[]) => ({
    seen,
    write: (at: Database) => updateAppointment(at, actor, { stored, next }, seen),
  })
  const next = await withCancellation(
    db,
    actor,
    {
      isCancelledBefore: !isCounted(stored) && merged.student_id === stored.student_id,
      given: change.cancellation,
    },
    withClass(actor, stored, seated, loaded),
  )
  if (!isAsked || !loaded) return write(next, [])
  const overrides_used = requireAccepted(verdictOn(loaded.proposal, loaded.agenda))
  return write({ ...next, overrides_used }, loaded.seen)
}

/** Returns the part of a change that the rules check: all but recorded attendance and removed attendees. */
export function ruledPartOf(change: AppointmentChange, stored: StoredAppointment): AppointmentChange {
  const { attendees, ...others } = change
  if (attendees === undefined) return change
  const known = new Set(attendeeIdsOf(stored))
  return attendees.every(({ student_id }) => known.has(student_id)) ? others : change
}

function requireNoAttendeeRemoved(
  { tenant, now }: Actor,
  stored: StoredAppointment,
  next: Pick<StoredAppointment, 'attendees'>,
): void {
  if (stored.start_at > localNow(now, tenant.timezone)) return
  const left = new Set(attendeeIdsOf(next))
  if (!attendeeIdsOf(stored).every((id) => left.has(id))) throw new Problem('already_begun')
}

function namesDeleted(
  stored: StoredAppointment,
  next: StoredAppointment,
  loaded: Pick<LoadedAgenda, 'deletedAttendees'> | undefined,
): boolean {
  if (!loaded || hasSameStudents(stored.attendees, next.attendees)) return false
  const known = new Set(attendeeIdsOf(stored))
  return attendeeIdsOf(next).some((id) => !known.has(id) && loaded.deletedAttendees.has(id))
}

/** Merges a change into the stored row. Throws `invalid_request` if attendees, start and end, or the actual times do not fit together. */
export function mergedWith(change: AppointmentChange, stored: StoredAppointment): StoredAppointment {
  const merged = merge(stored, change)
  const setsActual = change.actual_start_at !== undefined || change.actual_end_at !== undefined
  const isMoved = merged.start_at !== stored.start_at || merged.end_at !== stored.end_at
  const faults = [
    ...attendeeFaultsFor(merged),
    ...intervalFaultsFor(merged),
    ...(setsActual || isMoved ? strayFaultsFor(merged) : []),
  ]
  if (faults.length > 0) throw invalidRequest(faults)
  return merged
}

/** Merges a change. With a new status or student, restoring the deleted student no longer plans the lesson again. */
function merge(stored: StoredAppointment, change: AppointmentChange): StoredAppointment {
  const isOwn = change.status !== undefined || change.student_id !== undefined
  const attendees = change.attendees ? attendeesOf(change.attendees, stored.attendees) : stored.attendees
  const { lesson_type_id = stored.lesson_type_id, student_id = stored.student_id } = change
  const known = student_id === stored.student_id ? stored.exam_result : null
  const { seats = lesson_type_id === stored.lesson_type_id ? stored.seats : null } = change
  return {
    ...stored,
    ...change,
    attendees,
    seats,
    exam_result: change.exam_result === undefined ? known : examResultOf(change.exam_result),
    cancelled_with_student: stored.cancelled_with_student && !isOwn,
  }
}

function refers({ instructor_id, student_id, vehicle_ids, ...change }: AppointmentChange): boolean {
  const { attendees, lesson_type_id, seats } = change
  return (
    Boolean(instructor_id ?? student_id ?? vehicle_ids?.[0] ?? attendees?.[0] ?? lesson_type_id) ||
    seats !== undefined
  )
}
