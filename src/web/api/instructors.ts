import type { Instructor, InstructorChange, NewInstructor } from '../../contract/instructor.ts'
import { askFor } from '../session/ask.ts'
import { askUnchanged } from './versions.ts'

export function hireInstructor(body: NewInstructor): Promise<Instructor> {
  return askFor('/instructors', { method: 'POST', body })
}

/** Throws `Stale` if the instructor is no longer as seen. */
export async function changeInstructor(seen: Instructor, body: InstructorChange): Promise<Instructor> {
  return (await askUnchanged(`/instructors/${seen.id}`, seen, { method: 'PATCH', body })).json()
}
