import { queryOptions } from '@tanstack/react-query'
import type { Appointment } from '../../contract/appointment.ts'
import type { Instructor, InstructorChange, NewInstructor } from '../../contract/instructor.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import { ask } from '../session/ask.ts'
import { conditionalGet } from './conditional-get.ts'
import { askUnchanged, versioned } from './versions.ts'

/** An instructor's lessons from a day on. */
export function lessonsOfInstructor(id: string, from: LocalDate) {
  return queryOptions({
    queryKey: ['appointments of instructor', id, from],
    queryFn: ({ signal }) =>
      conditionalGet<readonly Appointment[]>(`/appointments?instructor_id=${id}&from=${from}`, signal),
  })
}

export async function hireInstructor(body: NewInstructor): Promise<Instructor> {
  return versioned(await ask('/instructors', { method: 'POST', body }))
}

/** Throws `Stale` if the instructor is no longer as seen. */
export async function changeInstructor(seen: Instructor, body: InstructorChange): Promise<Instructor> {
  return versioned(await askUnchanged(`/instructors/${seen.id}`, seen, { method: 'PATCH', body }))
}
