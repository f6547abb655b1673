import { notFound } from '../contract/problem.ts'
import type { Student, StudentRestoration } from '../contract/student.ts'
import {
  cancelFutureAppointmentsOf,
  listCancelledWithStudent,
  type StoredAppointment,
  updateAppointment,
} from '../db/appointments.ts'
import type { DatabasePool } from '../db/pool.ts'
import { findStudent, lockStudents, updateStudent } from '../db/students.ts'
import type { Database, Transaction } from '../db/tables.ts'
import { inTransaction, Outdated } from '../db/transaction.ts'
import type { LocalDateTime } from '../domain/local-time.ts'
import { type ExpectedVersion, requireExpected } from './expected-version.ts'
import { lockParticipants } from './participants.ts'
import { verdictOn } from './verdict.ts'

/**
 * Hides a student and cancels what is planned for later than now (the school's wall clock); the rest stays, for worked
 * minutes are evidence. Throws `not_found` and `stale`.
 */
export async function deleteStudent(
  database: DatabasePool,
  tenantId: string,
  id: string,
  { now, isExpected }: { now: LocalDateTime; isExpected: ExpectedVersion },
): Promise<void> {
  await inTransaction(database, async (db) => {
    const [student] = await lockStudents(db, tenantId, [id])
    if (!student || student.deleted) throw notFound()
    requireExpected(isExpected, student)
    await updateStudent(db, tenantId, id, { deleted_at: new Date() })
    await cancelFutureAppointmentsOf(db, tenantId, id, now)
  })
}

/**
 * Undoes a deletion: the lessons that it cancelled are planned again, where the rules still allow it. What is not
 * deleted stays as it is. Throws `not_found`.
 */
export async function restoreStudent(
  database: DatabasePool,
  tenantId: string,
  id: string,
): Promise<StudentRestoration> {
  return inTransaction(database, async (db) => {
    const seen = await listCancelledWithStudent(db, tenantId, id)
    await lockParticipants(db, tenantId, seen.map(instructorOf), {})
    const [locked] = await lockStudents(db, tenantId, [id])
    if (!locked) throw notFound()
    if (!locked.deleted) return { student: await requireStudent(db, tenantId, id), restored: [], refused: [] }
    const lessons = await listCancelledWithStudent(db, tenantId, id)
    const isLocked = (lesson: StoredAppointment) =>
      seen.some((one) => one.instructor_id === lesson.instructor_id)
    if (!lessons.every(isLocked)) throw new Outdated()
    const student = await updateStudent(db, tenantId, id, { deleted_at: null })
    return { student, ...(await restoreLessons(db, tenantId, lessons)) }
  })
}

function instructorOf({ instructor_id }: StoredAppointment): { instructor_id: string } {
  return { instructor_id }
}

async function restoreLessons(
  db: Transaction,
  tenantId: string,
  lessons: readonly StoredAppointment[],
): Promise<Pick<StudentRestoration, 'restored' | 'refused'>> {
  const restored: string[] = []
  const refused: StudentRestoration['refused'] = []
  for (const lesson of lessons) {
    const { refusal, overrides_used } = await verdictOn(db, tenantId, lesson)
    if (refusal) {
      refused.push({ appointment_id: lesson.id, ...refusal })
      await updateAppointment(db, tenantId, lesson.id, { status: 'cancelled' })
    } else {
      restored.push(lesson.id)
      await updateAppointment(db, tenantId, lesson.id, { status: 'planned', overrides_used })
    }
  }
  return { restored, refused }
}

async function requireStudent(db: Database, tenantId: string, id: string): Promise<Student> {
  const student = await findStudent(db, tenantId, id)
  if (!student) throw notFound()
  return student
}
