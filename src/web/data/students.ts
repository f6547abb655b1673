import type {
  ListedStudent,
  NewStudent,
  RestorationProgress,
  Student,
  StudentChange,
  StudentRestoration,
} from '../../contract/student.ts'
import { COMPUTED } from './computed.ts'
import { followedQuery } from './followed-get.ts'
import { followNow } from './following.ts'
import { fetchInLines } from './json-lines.ts'
import { copiesOf } from './people.ts'
import { changing, creating, deleting, type WriteContext } from './write-queue.ts'

const STUDENTS = copiesOf('students')
const deleteAlone = deleting<Student>(STUDENTS)

export const enrolStudent = creating<Student, NewStudent>(STUDENTS)
export const changeStudent = changing<Student, StudentChange>(STUDENTS)

/** Deletes a student and their coming lessons unless the student has changed. Throws `Stale`, `ApiProblem` or `Unreachable`. */
export async function deleteStudent(seen: Student, writing: WriteContext): Promise<Student> {
  await deleteAlone(seen, writing)
  void followNow(writing.client)
  return seen
}

/**
 * Undoes a deletion and reports the number of checked lessons. Also returns the lessons that the rules no longer allow.
 * Throws `ApiProblem` or `Unreachable`.
 */
export async function restoreStudent(
  { id }: Student,
  { client }: WriteContext,
  onProgress: (progress: RestorationProgress) => void,
): Promise<StudentRestoration> {
  const path = `/students/${id}/restore`
  const restoration: StudentRestoration = await fetchInLines(path, { method: 'POST' }, onProgress)
  await STUDENTS.store(client, restoration.student)
  void followNow(client)
  return restoration
}

/** The deleted students by name, refetched whenever a student changes. */
export const deletedStudents = followedQuery<readonly ListedStudent[]>(
  [COMPUTED, 'deleted students'],
  '/students?deleted=true',
)
