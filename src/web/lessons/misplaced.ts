import type { Appointment } from '../../contract/appointment.ts'
import type { Instructor } from '../../contract/instructor.ts'
import { timed } from '../../domain/agenda.ts'
import { availabilityRefusalFor } from '../../domain/availability.ts'
import { vacationRefusalFor } from '../../domain/vacation.ts'

/** Why an instructor cannot give a lesson: an absence, or outside working hours. */
export type Misplaced = 'absent' | 'outside'

/** Checks the same two rules as booking, since hours and absences may have changed. Only planned lessons can still be moved. */
export function misplacedFor(lesson: Appointment, instructor: Instructor): Misplaced | undefined {
  if (lesson.status !== 'planned') return undefined
  const { start_at, end_at } = lesson
  const proposed = timed({ start_at, end_at, counts_toward_limits: true })
  if (vacationRefusalFor(proposed, instructor.vacations)) return 'absent'
  return availabilityRefusalFor(proposed, instructor.availability_windows) ? 'outside' : undefined
}
