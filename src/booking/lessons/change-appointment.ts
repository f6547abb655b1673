import { requireChangePermission } from '../../auth/permissions.ts'
import type { Actor } from '../../contract/actor.ts'
import {
  type AppointmentChange,
  attendeeFaultsFor,
  intervalFaultsFor,
  strayFaultsFor,
} from '../../contract/appointment.ts'
import { invalidRequest, notFound, Problem, requireAccepted } from '../../contract/problem.ts'
import {
  findStoredAppointment,
  lockAppointment,
  type StoredAppointment,
} from '../../db/appointments/appointments.ts'
import { updateAppointment } from '../../db/appointments/write-appointment.ts'
import { type LoadedAgenda, requireAgenda as readAgenda } from '../../db/calendars/agendas.ts'
import type { CalendarVersion } from '../../db/calendars/calendar-locks.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import type { Database } from '../../db/schema/tables.ts'
import { findLessonType } from '../../db/school/lesson-types.ts'
import { requireLocation } from '../../db/school/locations.ts'
import { isCheckedByRules, verdictOn } from '../../domain/booking.ts'
import type { Cancellation } from '../../domain/cancellation.ts'
import { isCounted } from '../../domain/counted.ts'
import { withEnrolments } from '../../domain/enrolments.ts'
import { attendeeIdsOf, needsDeleted, occupantsOf } from '../../domain/occupants.ts'
import { isExam } from '../../domain/readiness.ts'
import { localNow } from '../../domain/time-zone.ts'
import { type Decision, decide } from '../decide.ts'
import { type ExpectedVersion, requireExpected } from '../expected-version.ts'
import { withTraining } from '../trainings/passed-exams.ts'
import { attendeesOf, examResultOf, requireExam } from './book-appointment.ts'
import { withCancellation, withNoShowFee } from './cancel-appointment.ts'
import { requireOwnBooking } from './own-bookings.ts'
import { choosesSeats, requireRoom, withoutDeleted, withSeats } from './seats.ts'

type Intent = {
  /** The fields to change. An undo also restores the cancellation and the confirmation. */
  readonly change: AppointmentChange & {
    readonly cancellation?: Cancellation | null
    readonly no_show_fee_percent?: number | null
    readonly confirmed_at?: string | null
  }
  readonly isExpected: ExpectedVersion
  readonly requireAgenda?: (appointment: StoredAppointment) => Promise<LoadedAgenda>
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
    read: async (db) => {
      const stored = await requireAppointment(db, actor.tenant.id, id)
      const decision = await appointmentUpdateFor(db, actor, stored, intent)
      const isExamChange = Boolean(stored.exam_result ?? intent.change.exam_result)
      return isExamChange ? withTraining(actor, decision, stored) : decision
    },
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
  { change, isExpected, requireAgenda = (given) => readAgenda(db, actor, given) }: Intent,
): Promise<Decision<StoredAppointment>> {
  requireChangePermission(actor, stored, change)
  await requireOwnBooking(db, actor, ruledPartOf(change, stored))
  const given = mergedWith(change, stored)
  if (given.location_id !== stored.location_id) await requireLocation(db, actor.tenant.id, given.location_id)
  const isAsked = isCheckedByRules(ruledPartOf(change, stored), stored)
  const isExamChange = Boolean(stored.exam_result ?? change.exam_result)
  const loaded = isAsked || isExamChange || refers(change) ? await requireAgenda(given) : undefined
  const merged = await withExam(db, actor, given, { change, stored })
  const isPlannedAgain = !isCounted(stored) && isCounted(merged)
  if (loaded && needsDeleted(loaded.deleted, change, { stored, isPlannedAgain })) throw notFound()
  const standing = isPlannedAgain && loaded ? withoutDeleted(actor, merged, loaded) : merged
  const seated = loaded && choosesSeats(standing, stored) ? withSeats(standing, loaded) : standing
  requireExpected(isExpected, stored)
  requireNoAttendeeRemoved(actor, stored, merged)
  if (loaded && !isAsked) requireRoom(seated)
  const write = (next: StoredAppointment, seen: readonly CalendarVersion[]) => ({
    seen,
    write: (at: Database) => updateAppointment(at, actor, { stored, next }, seen),
  })
  const assessed = await withCancellation(
    db,
    actor,
    {
      isCancelledBefore: !isCounted(stored) && merged.student_id === stored.student_id,
      given: change.cancellation,
    },
    loaded ? enrolledAs(actor, stored, seated, loaded, change.enrolment_id) : withoutStudent(seated),
  )
  const fee = { stored, given: change.no_show_fee_percent }
  const next = await withNoShowFee(db, actor, fee, assessed)
  if (!isAsked || !loaded) return write(next, loaded?.seen ?? [])
  const overrides_used = requireAccepted(verdictOn(loaded.proposal, loaded.agenda))
  return write({ ...next, overrides_used }, loaded.seen)
}

/** Returns the appointment with the enrolments that it counts toward. Throws `not_found` if the named one is not the student's. */
export function enrolledAs(
  { tenant, now }: Actor,
  stored: StoredAppointment,
  next: StoredAppointment,
  { enrolmentsOf, category }: Pick<LoadedAgenda, 'enrolmentsOf' | 'category'>,
  named?: string | null,
): StoredAppointment {
  const isTheory = category === 'theory'
  const known = { named, stored, enrolmentsOf, isTheory, now: localNow(now, tenant.timezone) }
  const enrolled = withEnrolments(next, known)
  if (!enrolled) throw notFound()
  return enrolled
}

function withoutStudent(next: StoredAppointment): StoredAppointment {
  return next.student_id === null ? { ...next, enrolment_id: null, license_class: null } : next
}

/** Returns the appointment, without its result if its new type is no exam. Throws `invalid_request` for a given one. */
async function withExam(
  db: Database,
  { tenant }: Actor,
  merged: StoredAppointment,
  { change, stored }: { readonly change: AppointmentChange; readonly stored: StoredAppointment },
): Promise<StoredAppointment> {
  const isRetyped = merged.lesson_type_id !== stored.lesson_type_id
  if (!merged.exam_result || !(change.exam_result || isRetyped)) return merged
  const lessonType = await findLessonType(db, tenant.id, merged.lesson_type_id)
  if (!lessonType) throw notFound()
  if (change.exam_result) requireExam(change.exam_result, lessonType)
  return isExam(lessonType.category) ? merged : { ...merged, exam_result: null }
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

/** Merges a change. The result of an exam completes it. With a new status or student, restoring the deleted student no longer plans the lesson again. */
function merge(stored: StoredAppointment, change: AppointmentChange): StoredAppointment {
  const isOwn = change.status !== undefined || change.student_id !== undefined
  const attendees = change.attendees ? attendeesOf(change.attendees, stored.attendees) : stored.attendees
  const { lesson_type_id = stored.lesson_type_id, student_id = stored.student_id } = change
  const known = student_id === stored.student_id ? stored.exam_result : null
  const { seats = lesson_type_id === stored.lesson_type_id ? stored.seats : null } = change
  const { status = change.exam_result && isCounted(stored) ? 'completed' : stored.status } = change
  return {
    ...stored,
    ...change,
    status,
    attendees,
    seats,
    exam_result: change.exam_result === undefined ? known : examResultOf(change.exam_result),
    cancelled_with_student: stored.cancelled_with_student && !isOwn,
  }
}

function refers(change: AppointmentChange): boolean {
  const { lesson_type_id, seats, enrolment_id } = change
  return (
    occupantsOf(change).length > 0 || [lesson_type_id, seats, enrolment_id].some((one) => one !== undefined)
  )
}
