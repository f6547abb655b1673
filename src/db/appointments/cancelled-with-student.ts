import { sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import { isCounted } from '../../domain/counted.ts'
import { calendarIdsOf, OCCUPYING_FIELDS } from '../../domain/occupants.ts'
import { changeEntryFor, recordChanges } from '../log/changes.ts'
import { nextVersion } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'
import { type StoredAppointment, stored, writtenEnrolment } from './appointments.ts'
import type { AppointmentUpdate } from './write-appointment.ts'

export async function listCalendarsOfCancelled(
  db: Database,
  tenantId: string,
  studentId: string,
): Promise<readonly string[]> {
  const rows = await cancelledWith(db, tenantId, studentId).select(OCCUPYING_FIELDS).distinct().execute()
  return calendarIdsOf(rows)
}

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

/** Updates and records status, enrolment, class and overrides of locked, sorted lessons, in one statement per combination of values. */
export async function writeRestored(
  db: Transaction,
  actor: Actor,
  replacements: readonly AppointmentUpdate[],
): Promise<void> {
  const alike = Map.groupBy(replacements, ({ next }) =>
    [next.status, next.enrolment_id, next.license_class, ...next.overrides_used].join(),
  )
  const written = [...alike.values()].map((group) => restoreThose(db, actor, group))
  const entries = replacements.map(({ stored, next }) => changeEntryFor('appointment', stored, next))
  await Promise.all([...written, recordChanges(db, actor, entries)])
}

async function restoreThose(
  db: Transaction,
  { tenant }: Actor,
  group: readonly AppointmentUpdate[],
): Promise<void> {
  const first = group[0]?.next
  if (!first) return
  const { status, enrolment_id, license_class, overrides_used } = first
  const ids = group.map(({ next }) => next.id)
  await db
    .updateTable('appointments')
    // Joins the ids, because `id = any(…)` may use an index over the whole school.
    .from(sql<{ id: string }>`unnest(${ids}::uuid[])`.as<'given'>(sql`given(id)`))
    .set({
      status,
      ...(isCounted(first) && { cancellation: null }),
      enrolment_id: writtenEnrolment(enrolment_id),
      license_class,
      overrides_used: [...overrides_used],
      cancelled_with_student: false,
      ...nextVersion,
    })
    .where('tenant_id', '=', tenant.id)
    .whereRef('appointments.id', '=', 'given.id')
    .execute()
}
