import type { TimedAppointment, TimedProposal } from './agenda.ts'
import { overlaps } from './interval.ts'
import type { ConflictParams, Refusal } from './refusal.ts'

/** Rule 1: the instructor has an overlapping appointment. Appointments are sorted by start. */
export function instructorConflictFor(
  proposed: TimedProposal,
  appointments: readonly TimedAppointment[],
): Refusal | undefined {
  const params = firstOverlap(proposed, appointments)
  return params && { code: 'instructor_busy', params }
}

/** Rule 2: the student has an overlapping appointment. Appointments are sorted by start. */
export function studentConflictFor(
  proposed: TimedProposal,
  appointments: readonly TimedAppointment[],
): Refusal | undefined {
  const params = firstOverlap(proposed, appointments)
  return params && { code: 'student_busy', params }
}

function firstOverlap(
  proposed: TimedProposal,
  appointments: readonly TimedAppointment[],
): ConflictParams | undefined {
  const rival = appointments.find((appointment) => overlaps(appointment, proposed))?.source
  return rival && { appointment_id: rival.id, start_at: rival.start_at, end_at: rival.end_at }
}
