import { seatFaultsFor } from '../contract/appointment.ts'
import { invalidRequest } from '../contract/problem.ts'
import type { Attendee } from '../domain/group.ts'

type Seated = {
  readonly student_id: string | null
  readonly attendees: Attendee[]
  readonly seats: number | null
}

/**
 * Returns the appointment with its seats: those given, or those of its lesson type; null for a lesson of one student and for a type
 * of one seat. Throws `invalid_request` for more seats than the type has, and for attendees if it has one.
 */
export function withSeats<T extends Seated>(appointment: T, { seats }: { readonly seats: number }): T {
  const faults = seatFaultsFor(appointment, seats)
  if (faults.length > 0) throw invalidRequest(faults)
  const isGroup = seats > 1 && appointment.student_id === null
  return { ...appointment, seats: isGroup ? (appointment.seats ?? seats) : null }
}
