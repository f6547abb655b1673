import type { Actor } from '../../contract/actor.ts'
import { seatFaultsFor } from '../../contract/appointment.ts'
import { invalidRequest, Problem } from '../../contract/problem.ts'
import type { LoadedAgenda } from '../../db/calendars/agendas.ts'
import { type Attendee, fullRefusalFor } from '../../domain/group.ts'
import type { LocalDateTime } from '../../domain/local-time.ts'
import { localNow } from '../../domain/time-zone.ts'

type Seated = {
  readonly student_id: string | null
  readonly attendees: Attendee[]
  readonly seats: number | null
}

type LessonTyped = { readonly lesson_type_id: string }

/**
 * Returns the appointment with its seats: the given or else the type's, or null without a group. Throws `invalid_request`
 * for more seats than the type has, and for attendees if the type has one seat.
 */
export function withSeats<T extends Seated>(appointment: T, { seats }: { readonly seats: number }): T {
  const faults = seatFaultsFor(appointment, seats)
  if (faults.length > 0) throw invalidRequest(faults)
  const isGroup = seats > 1 && appointment.student_id === null
  return { ...appointment, seats: isGroup ? (appointment.seats ?? seats) : null }
}

/** Whether the seats must be computed again. Otherwise a stored group keeps its seats. */
export function choosesSeats(
  { seats, student_id, lesson_type_id }: Seated & LessonTyped,
  stored: Seated & LessonTyped,
): boolean {
  return (
    stored.seats === null ||
    seats !== stored.seats ||
    student_id !== stored.student_id ||
    lesson_type_id !== stored.lesson_type_id
  )
}

/** Throws `full` for more attendees than seats. The rules check this too, but not for a cancelled group. */
export function requireRoom({ attendees, seats }: Seated): void {
  const refusal = seats === null ? undefined : fullRefusalFor({ attendees: attendees.length, seats })
  if (refusal) throw new Problem(refusal.code, { params: refusal.params, refusals: [refusal] })
}

/** Removes deleted students from a coming group. A group that has begun keeps them. */
export function withoutDeleted<T extends Pick<Seated, 'attendees'> & { readonly start_at: LocalDateTime }>(
  { tenant, now }: Actor,
  appointment: T,
  { deleted }: Pick<LoadedAgenda, 'deleted'>,
): T {
  if (deleted.length === 0 || appointment.start_at <= localNow(now, tenant.timezone)) return appointment
  const attendees = appointment.attendees.filter(
    ({ student_id }) => !deleted.some(({ id }) => id === student_id),
  )
  return { ...appointment, attendees }
}
