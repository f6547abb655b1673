import type { NewStudent, Student, StudentChange, StudentRestoration } from '../../contract/student.ts'
import { askFor } from '../session/ask.ts'
import { askUnchanged } from './versions.ts'

export function enrolStudent(body: NewStudent): Promise<Student> {
  return askFor('/students', { method: 'POST', body })
}

/** Throws `Stale` if the student is no longer as seen. */
export async function changeStudent(seen: Student, body: StudentChange): Promise<Student> {
  return (await askUnchanged(`/students/${seen.id}`, seen, { method: 'PATCH', body })).json()
}

/** Throws `Stale` if the student is no longer as seen. */
export async function deleteStudent(seen: Student): Promise<void> {
  await askUnchanged(`/students/${seen.id}`, seen, { method: 'DELETE' })
}

/** Returns also which of the cancelled lessons the rules no longer allow. */
export function restoreStudent({ id }: Student): Promise<StudentRestoration> {
  return askFor(`/students/${id}/restore`, { method: 'POST' })
}
