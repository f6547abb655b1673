import type { Actor } from '../../contract/actor.ts'
import { notFound } from '../../contract/problem.ts'
import { lockAppointment, type StoredAppointment } from '../../db/appointments/appointments.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import type { Attendee } from '../../domain/group.ts'
import { decide } from '../decide.ts'
import type { ExpectedVersion } from '../expected-version.ts'
import { appointmentUpdateFor, requireAppointment } from './change-appointment.ts'

type NextAttendees = (attendees: readonly Attendee[]) => readonly Attendee[]

type Seat = { readonly id: string; readonly student_id: string; readonly isExpected: ExpectedVersion }

/**
 * Adds a student to a group; changes nothing if the student is in it. Throws `not_found`, `invalid_request` for a lesson
 * with one seat, `stale`, and the first broken rule.
 */
export async function addAttendee(
  database: DatabasePool,
  actor: Actor,
  seat: Seat,
): Promise<StoredAppointment> {
  const { student_id } = seat
  return changeAttendees(database, actor, seat, (attendees) =>
    isAmong(attendees, student_id) ? attendees : [...attendees, { student_id, attended: null }],
  )
}

/** Removes a student from a group that has not begun. Throws `not_found`, `already_begun` and `stale`. */
export async function removeAttendee(
  database: DatabasePool,
  actor: Actor,
  seat: Seat,
): Promise<StoredAppointment> {
  return changeAttendees(database, actor, seat, (attendees) => {
    if (!isAmong(attendees, seat.student_id)) throw notFound()
    return attendees.filter(({ student_id }) => student_id !== seat.student_id)
  })
}

export async function markAttendee(
  database: DatabasePool,
  actor: Actor,
  seat: Seat,
  attended: boolean | null | undefined,
): Promise<StoredAppointment> {
  return changeAttendees(database, actor, seat, (attendees) => {
    if (!isAmong(attendees, seat.student_id)) throw notFound()
    if (attended === undefined) return attendees
    return attendees.map((one) => (one.student_id === seat.student_id ? { ...one, attended } : one))
  })
}

async function changeAttendees(
  database: DatabasePool,
  actor: Actor,
  { id, isExpected }: Seat,
  next: NextAttendees,
): Promise<StoredAppointment> {
  return decide(database, actor, {
    lock: (db) => lockAppointment(db, actor.tenant.id, id),
    read: async (db) => {
      const stored = await requireAppointment(db, actor.tenant.id, id)
      const change = { attendees: [...next(stored.attendees)] }
      return appointmentUpdateFor(db, actor, stored, { change, isExpected })
    },
  })
}

function isAmong(attendees: readonly Attendee[], student_id: string): boolean {
  return attendees.some((one) => one.student_id === student_id)
}
