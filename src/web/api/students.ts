import { queryOptions } from '@tanstack/react-query'
import type { Appointment } from '../../contract/appointment.ts'
import type { NewStudent, Student, StudentChange, StudentRestoration } from '../../contract/student.ts'
import { ask, askFor } from '../session/ask.ts'
import { conditionalGet } from './conditional-get.ts'
import { POLL } from './poll.ts'
import { askUnchanged, versioned } from './versions.ts'

/** Every lesson of a student, by start. */
export function lessonsOfStudent(id: string) {
  return queryOptions({
    queryKey: ['appointments of student', id],
    queryFn: ({ signal }) => conditionalGet<readonly Appointment[]>(`/appointments?student_id=${id}`, signal),
    ...POLL,
  })
}

export async function enrolStudent(body: NewStudent): Promise<Student> {
  return versioned(await ask('/students', { method: 'POST', body }))
}

/** Throws `Stale` if the student is no longer as seen. */
export async function changeStudent(seen: Student, body: StudentChange): Promise<Student> {
  return versioned(await askUnchanged(`/students/${seen.id}`, seen, { method: 'PATCH', body }))
}

/** Throws `Stale` if the student is no longer as seen. */
export async function deleteStudent(seen: Student): Promise<void> {
  await askUnchanged(`/students/${seen.id}`, seen, { method: 'DELETE' })
}

/** Answers also which of the cancelled lessons the rules no longer allow. */
export function restoreStudent({ id }: Student): Promise<StudentRestoration> {
  return askFor(`/students/${id}/restore`, { method: 'POST' })
}
