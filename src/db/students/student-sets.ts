import { sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import type { Appointment } from '../../contract/appointment.ts'
import { isAttendedBy } from '../appointments/attendees.ts'
import type { Parameters } from '../connection/statement.ts'
import { jsonList } from '../json-list.ts'
import { changeEntryFor, recordChanges } from '../log/changes.ts'
import { nextVersion, startAt, utc } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'
import { BY_NAME, type StoredStudent, storedStudent, studentColumns } from './students.ts'

/** Locks students, deleted or not, except those of whom only the record is left. Lock their calendars first. */
export async function lockStudents(
  db: Transaction,
  tenantId: string,
  ids: readonly string[],
): Promise<StoredStudent[]> {
  const students = db
    .selectFrom('students')
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('restriction', 'is', null)
    .orderBy('id')
  const [, stored] = await Promise.all([
    students.select('id').forNoKeyUpdate().execute(),
    students.select(storedStudent(tenantId)).execute(),
  ])
  return stored
}

/** Deletes or restores locked students and records it. Lessons and links are up to the caller. */
export async function setDeleted(
  db: Transaction,
  actor: Actor,
  students: readonly StoredStudent[],
  deleted: boolean,
): Promise<void> {
  await db
    .updateTable('students')
    .set({
      deleted_at: deleted ? actor.now : null,
      ...nextVersion,
    })
    .where('tenant_id', '=', actor.tenant.id)
    .where(sql<boolean>`id = any(${students.map(({ id }) => id)}::uuid[])`)
    .execute()
  await recordChanges(
    db,
    actor,
    students.map((stored) => changeEntryFor('student', stored, { ...stored, deleted })),
  )
}

export type UncancelledLesson = Pick<Appointment, 'id' | 'student_id' | 'status' | 'start_at'>

export async function listUncancelledLessons(
  db: Database,
  tenantId: string,
  studentIds: readonly string[],
): Promise<UncancelledLesson[]> {
  const { rows } = await sql<UncancelledLesson>`
    select id, student_id, status, ${startAt.expression} as start_at from appointments
    where tenant_id = ${tenantId} and student_id = any(${studentIds}::uuid[])
      and deleted_at is null and status <> 'cancelled'
    union all select appointments.id, student.id, status, ${startAt.expression} from appointments, unnest(${studentIds}::uuid[]) student (id)
    where tenant_id = ${tenantId} and ${isAttendedBy(sql`student.id`)}
      and deleted_at is null and status <> 'cancelled'`.execute(db)
  return rows
}

export async function teaches(db: Database, tenantId: string, instructorId: string): Promise<boolean> {
  const { rows } = await sql`
    select from appointments where tenant_id = ${tenantId} and instructor_id = ${instructorId}
      and deleted_at is null and status <> 'cancelled' limit 1`.execute(db)
  return rows.length > 0
}

export async function listLinked(db: Database, tenantId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ student_id: string }>`
    select student_id from links
    where tenant_id = ${tenantId} and student_id = any(${ids}::uuid[])`.execute(db)
  return rows.map(({ student_id }) => student_id)
}

export const listDeletedStudents = jsonList(BY_NAME, (db, { tenantId }: Parameters<{ tenantId: string }>) =>
  db
    .selectFrom('students')
    .select([...studentColumns, utc('deleted_at').as('deleted_at')])
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is not', null)
    .where('restriction', 'is', null),
)
