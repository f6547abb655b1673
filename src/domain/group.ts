import type { Group } from './agenda.ts'
import { attendeeIdsOf } from './occupants.ts'
import type { Refusal } from './refusal.ts'

/** A student in a group; `attended` is null until it is recorded. An older release has left out the enrolment. */
export type Attendee = {
  readonly student_id: string
  readonly attended: boolean | null
  readonly enrolment_id?: string | null
}

type Named = Pick<Attendee, 'student_id'>

/** Checks that a group has no more attendees than seats. */
export function fullRefusalFor(group: Group): Refusal | undefined {
  if (group.attendees <= group.seats) return undefined
  return { code: 'full', params: { seats: group.seats } }
}

/** Returns the outcome of a lesson for a student: its status, or `missed` for a completed group without their attendance. */
export function outcomeFor(
  student_id: string,
  { status, attendees }: { readonly status: string; readonly attendees: readonly Attendee[] },
): string {
  if (status !== 'completed' || attendees.length === 0) return status
  return attendees.some((one) => one.student_id === student_id && one.attended) ? status : 'missed'
}

/** Whether both lists name the same students, regardless of attendance. */
export function hasSameStudents(one: readonly Named[], other: readonly Named[]): boolean {
  const ids = new Set(attendeeIdsOf({ attendees: one }))
  return ids.size === other.length && other.every(({ student_id }) => ids.has(student_id))
}
