import type { Actor } from '../contract/actor.ts'
import { notFound } from '../contract/problem.ts'
import type { StudentRestoration } from '../contract/student.ts'
import { cancelFutureAppointmentsOf, listCancelledWithStudent } from '../db/appointment-sets.ts'
import type { StoredAppointment } from '../db/appointments.ts'
import { calendarIdsOf, lockCalendars } from '../db/calendar-locks.ts'
import { requireAgenda } from '../db/calendars.ts'
import { endLink } from '../db/links.ts'
import type { DatabasePool } from '../db/pool.ts'
import { lockStudent, updateStudent } from '../db/students.ts'
import type { Transaction } from '../db/tables.ts'
import { inTransaction, Outdated } from '../db/transaction.ts'
import { updateAppointment } from '../db/write-appointment.ts'
import { verdictOn } from '../domain/booking.ts'
import { type ExpectedVersion, requireExpected } from './expected-version.ts'
import { withClass } from './lesson-class.ts'

/**
 * Hides a student and cancels what is planned for later than now (the school's wall clock); the rest stays, for worked
 * minutes are evidence. The student's link ends for good. Throws `not_found` and `stale`.
 */
export async function deleteStudent(
  database: DatabasePool,
  actor: Actor,
  id: string,
  isExpected: ExpectedVersion,
): Promise<void> {
  await inTransaction(database, async (db) => {
    const [, stored] = await Promise.all([
      lockCalendars(db, actor.tenant.id, [id]),
      lockStudent(db, actor.tenant.id, id),
    ])
    if (!stored || stored.deleted) throw notFound()
    requireExpected(isExpected, stored)
    await Promise.all([
      updateStudent(db, actor, { stored, next: { ...stored, deleted: true } }),
      cancelFutureAppointmentsOf(db, actor, id),
    ])
    await endLink(db, actor, { kind: 'student_link', id })
  })
}

/**
 * Undoes a deletion: the lessons that it cancelled are planned again, where the rules still allow it. What is not
 * deleted stays as it is. Throws `not_found`.
 */
export async function restoreStudent(
  database: DatabasePool,
  actor: Actor,
  id: string,
): Promise<StudentRestoration> {
  const tenantId = actor.tenant.id
  return inTransaction(database, async (db) => {
    const seen = await listCancelledWithStudent(db, tenantId, id)
    const locked = new Set([...calendarIdsOf(seen), id])
    const [, stored, lessons] = await Promise.all([
      lockCalendars(db, tenantId, [...locked]),
      lockStudent(db, tenantId, id),
      listCancelledWithStudent(db, tenantId, id),
    ])
    if (!stored) throw notFound()
    if (!stored.deleted) return { student: stored, restored: [], refused: [] }
    if (!lessons.every(({ instructor_id }) => locked.has(instructor_id))) throw new Outdated()
    const student = await updateStudent(db, actor, { stored, next: { ...stored, deleted: false } })
    return { student, ...(await restoreLessons(db, actor, lessons)) }
  })
}

async function restoreLessons(
  db: Transaction,
  actor: Actor,
  lessons: readonly StoredAppointment[],
): Promise<Pick<StudentRestoration, 'restored' | 'refused'>> {
  const restored: string[] = []
  const refused: StudentRestoration['refused'] = []
  for (const stored of lessons) {
    const loaded = await requireAgenda(db, actor, stored)
    const { refusals, overrides_used } = verdictOn(loaded.proposal, loaded.agenda)
    const [refusal] = refusals
    const own = withClass(actor, stored, { ...stored, cancelled_with_student: false }, loaded)
    const planned = { ...own, status: 'planned' as const, overrides_used: [...overrides_used] }
    await updateAppointment(db, actor, { stored, next: refusal ? own : planned })
    if (refusal) refused.push({ appointment_id: stored.id, ...refusal })
    else restored.push(stored.id)
  }
  return { restored, refused }
}
