import { notFound } from '../contract/problem.ts'
import { lockInstructors } from '../db/instructors.ts'
import { lockStudents } from '../db/students.ts'
import type { Transaction } from '../db/tables.ts'

/** Whom an appointment ties up: to be locked before an acceptance. */
export type Participants = { readonly instructor_id: string; readonly student_id?: string | null }

/**
 * Locks all instructors, then all students, each in the order of their ids, so that no two writers wait for each
 * other. What the request itself names (`sent`) must exist: 404.
 */
export async function lockParticipants(
  db: Transaction,
  tenantId: string,
  participants: readonly Participants[],
  sent: Partial<Participants>,
): Promise<void> {
  const [instructors, students] = await Promise.all([
    lockInstructors(db, tenantId, idsOf(participants.map((one) => one.instructor_id))),
    lockStudents(db, tenantId, idsOf(participants.map((one) => one.student_id))),
  ])
  if (sent.instructor_id && !instructors.some(({ id }) => id === sent.instructor_id)) throw notFound()
  if (sent.student_id && !students.some(({ id, deleted }) => id === sent.student_id && !deleted))
    throw notFound()
}

function idsOf(ids: readonly (string | null | undefined)[]): readonly string[] {
  return [...new Set(ids.filter((id) => id !== null && id !== undefined))]
}
