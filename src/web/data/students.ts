import { queryOptions } from '@tanstack/react-query'
import type {
  ListedStudent,
  NewStudent,
  Student,
  StudentChange,
  StudentRestoration,
} from '../../contract/student.ts'
import { askFor } from './ask.ts'
import { COMPUTED } from './computed.ts'
import { FOLLOWED } from './conditional-get.ts'
import { followedGet } from './followed-get.ts'
import { followNow } from './following.ts'
import { copiesOf } from './people.ts'
import { changing, creating, deleting, type Writing } from './write-queue.ts'

const STUDENTS = copiesOf('students')
const deleteAlone = deleting<Student>(STUDENTS)

export const enrolStudent = creating<Student, NewStudent>(STUDENTS)
export const changeStudent = changing<Student, StudentChange>(STUDENTS)

/** Deletes a student, with coming lessons, unless they have changed. Throws `Stale`, `ApiProblem` or `Unreachable`. */
export async function deleteStudent(seen: Student, writing: Writing): Promise<Student> {
  await deleteAlone(seen, writing)
  void followNow(writing.client)
  return seen
}

/** Undoes a deletion. Returns also the lessons that the rules no longer allow. Throws `ApiProblem` or `Unreachable`. */
export async function restoreStudent({ id }: Student, { client }: Writing): Promise<StudentRestoration> {
  const restoration = await askFor<StudentRestoration>(`/students/${id}/restore`, { method: 'POST' })
  await STUDENTS.store(client, restoration.student)
  void followNow(client)
  return restoration
}

/** The deleted students by name, refetched whenever a student changes. */
export const deletedStudents = queryOptions({
  queryKey: [COMPUTED, 'deleted students'],
  queryFn: (context) => followedGet<readonly ListedStudent[]>('/students?deleted=true', context),
  ...FOLLOWED,
})
