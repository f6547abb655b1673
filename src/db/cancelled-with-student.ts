import { sql } from 'kysely'
import type { Actor } from '../contract/actor.ts'
import { type StoredAppointment, stored } from './appointments.ts'
import { calendarIdsOf } from './calendars/calendar-locks.ts'
import { changeEntryFor, recordChanges } from './log/changes.ts'
import type { Database, Transaction } from './schema/tables.ts'
import type { Replacement } from './write-appointment.ts'

/** Lists the calendars of instructors and vehicles of the lessons that the deletion of the student cancelled. */
export async function listCalendarsOfCancelled(
  db: Database,
  tenantId: string,
  studentId: string,
): Promise<readonly string[]> {
  const rows = await cancelledWith(db, tenantId, studentId)
    .select(['instructor_id', 'vehicle_ids'])
    .distinct()
    .execute()
  return calendarIdsOf(rows)
}

/** Lists and locks those lessons, earliest first. Comes after the locks of their instructors and of the student. */
export async function lockCancelledWithStudent(
  db: Transaction,
  tenantId: string,
  studentId: string,
): Promise<StoredAppointment[]> {
  return cancelledWith(db, tenantId, studentId)
    .select(stored)
    .orderBy('appointments.start_at')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

function cancelledWith(db: Database, tenantId: string, studentId: string) {
  return db
    .selectFrom('appointments')
    .where('tenant_id', '=', tenantId)
    .where('student_id', '=', studentId)
    .where('deleted_at', 'is', null)
    .where('cancelled_with_student', '=', true)
}

/**
 * Gives lessons of one student, which are locked and sorted by start, their status, class and overrides, and records it. Lessons with
 * the same values share a statement: few combinations occur.
 */
export async function writeRestored(
  db: Transaction,
  actor: Actor,
  replacements: readonly Replacement[],
): Promise<void> {
  const alike = Map.groupBy(replacements, ({ next }) =>
    [next.status, next.license_class, ...next.overrides_used].join(),
  )
  const written = [...alike.values()].map((group) => restoreThose(db, actor, group))
  const entries = replacements.map(({ stored, next }) => changeEntryFor('appointment', stored, next))
  await Promise.all([...written, recordChanges(db, actor, entries)])
}

async function restoreThose(
  db: Transaction,
  { tenant }: Actor,
  group: readonly Replacement[],
): Promise<void> {
  const first = group[0]?.next
  if (!first) return
  const { status, license_class, overrides_used } = first
  const ids = group.map(({ next }) => next.id)
  await db
    .updateTable('appointments')
    // Joined, since `id = any(…)` lets PostgreSQL choose among indexes by a sample of the rows, the whole school's among them.
    .from(sql<{ id: string }>`unnest(${ids}::uuid[])`.as<'given'>(sql`given(id)`))
    .set({
      status,
      license_class,
      overrides_used: [...overrides_used],
      cancelled_with_student: false,
      version: sql<number>`version + 1`,
      updated_at: sql<Date>`now()`,
    })
    .where('tenant_id', '=', tenant.id)
    .whereRef('appointments.id', '=', 'given.id')
    .execute()
}
