import type { Erasure, NewErasure } from '../../contract/erasure.ts'
import type {
  ListedStudent,
  NewStudent,
  RestorationProgress,
  Student,
  StudentChange,
  StudentMerge,
  StudentRestoration,
} from '../../contract/student.ts'
import { COMPUTED } from './computed.ts'
import { fetchApi, fetchJson } from './fetch-api.ts'
import { followedQuery } from './followed-get.ts'
import { followNow } from './following.ts'
import { fetchLines, resultOf } from './json-lines.ts'
import { copiesOf } from './people.ts'
import { bodyOf } from './send.ts'
import { changing, creating, deleting, postOnce, recordSet, type WriteContext } from './write-queue.ts'

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
  writing: WriteContext,
  onProgress: (progress: RestorationProgress) => void,
): Promise<StudentRestoration> {
  const path = `/students/${id}/restore`
  const answer = await fetchLines(path, { method: 'POST' })
  const restoration: StudentRestoration = await resultOf(answer, onProgress)
  recordSet(answer, writing)
  await STUDENTS.store(writing.client, restoration.student)
  void followNow(writing.client)
  return restoration
}

type Merge = { readonly self: Student; readonly other: Student; readonly take: StudentMerge['take'] }

/** Merges the other student into one. Returns the student. Throws `ApiProblem` or `Unreachable`. */
export async function mergeStudents(
  { self, other, take = {} }: Merge,
  writing: WriteContext,
): Promise<Student> {
  const body: StudentMerge = { other_id: other.id, take }
  const answer = await postOnce(`/students/${self.id}/merge`, body)
  const kept: Student = await bodyOf(answer)
  recordSet(answer, writing)
  await STUDENTS.drop(writing.client, other.id)
  await STUDENTS.store(writing.client, kept)
  void followNow(writing.client)
  return kept
}

/** The deleted students by name, refetched whenever a student changes. */
export const deletedStudents = followedQuery<readonly ListedStudent[]>(
  [COMPUTED, 'deleted students'],
  '/students?deleted=true',
)

/** The students of whom only the training record is left, by name. */
export const restrictedStudents = followedQuery<readonly ListedStudent[]>(
  [COMPUTED, 'restricted students'],
  '/students?restricted=true',
)

/** Erases a student for good, or all but the training record. Throws `ApiProblem` or `Unreachable`. */
export async function eraseStudent(id: string, body: NewErasure): Promise<Erasure> {
  return fetchJson<Erasure>(`/students/${id}/erasure`, { method: 'POST', body })
}

/** Makes a student of whom only the training record is left a deleted one again. Throws `ApiProblem` or `Unreachable`. */
export async function endRestriction(id: string): Promise<void> {
  await fetchApi(`/students/${id}/erasure`, { method: 'DELETE' })
}
