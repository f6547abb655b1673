import { notFound } from '../contract/problem.ts'
import { type LockedInstructor, lockInstructors } from '../db/instructors.ts'
import { type LockedStudent, lockStudents } from '../db/students.ts'
import type { Transaction } from '../db/tables.ts'
import type { Verdict } from './verdict.ts'

/** Whom an appointment ties up: to be locked before an acceptance. */
export type Participants = { readonly instructor_id: string; readonly student_id?: string | null }

/** Whose calendars are locked; each has been counted on by the lock. */
export type Locked = {
  readonly instructors: readonly LockedInstructor[]
  readonly students: readonly LockedStudent[]
}

/**
 * Locks all instructors, then all students, each in the order of their ids, so that no two writers wait for each
 * other. What the request itself names (`sent`) must exist: 404.
 */
export async function lockParticipants(
  db: Transaction,
  tenantId: string,
  participants: readonly Participants[],
  sent: Partial<Participants>,
): Promise<Locked> {
  const [instructors, students] = await Promise.all([
    lockInstructors(db, tenantId, idsOf(participants.map((one) => one.instructor_id))),
    lockStudents(db, tenantId, idsOf(participants.map((one) => one.student_id))),
  ])
  if (sent.instructor_id && !instructors.some(({ id }) => id === sent.instructor_id)) throw notFound()
  if (sent.student_id && !students.some(({ id, deleted }) => id === sent.student_id && !deleted))
    throw notFound()
  return { instructors, students }
}

/** Whether nobody has touched the calendars between the verdict and their locks: then it stands as if asked under them. */
export function isStillTrue(
  { calendars }: Verdict,
  { instructors, students }: Locked,
  { instructor_id, student_id }: Participants,
): boolean {
  const instructor = instructors.find(({ id }) => id === instructor_id)
  const student = students.find(({ id }) => id === student_id)
  return (
    instructor?.calendar_version === calendars.instructor + 1 &&
    (!student_id || (calendars.student !== null && student?.calendar_version === calendars.student + 1))
  )
}

function idsOf(ids: readonly (string | null | undefined)[]): readonly string[] {
  return [...new Set(ids.filter((id) => id !== null && id !== undefined))]
}
