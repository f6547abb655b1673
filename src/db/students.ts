import { sql } from 'kysely'
import type { NewStudent, Student, StudentChange } from '../contract/student.ts'
import { createdAt, updatedAt } from './columns.ts'
import { type JsonList, jsonList } from './json-list.ts'
import { statement } from './statement.ts'
import type { Database, Transaction } from './tables.ts'

const studentColumns = [
  'id',
  'first_name',
  'last_name',
  'email',
  'phone',
  'birth_date',
  'license_class_template_id',
  'preferred_instructor_id',
  'notes',
  'version',
  createdAt,
  updatedAt,
] as const

const blank = {
  email: null,
  phone: null,
  birth_date: null,
  license_class_template_id: null,
  preferred_instructor_id: null,
  notes: null,
  deleted_at: null,
}

/** The tenant's students by name. */
export function listStudents(db: Database, tenantId: string): JsonList {
  return students(db, { tenantId })
}

const BY_NAME = { orderedBy: ['last_name', 'first_name', 'id'], versionedBy: 'version' } as const

const students = jsonList(BY_NAME, (db, { tenantId }: { tenantId: string }, after) =>
  db
    .selectFrom('students')
    .select(studentColumns)
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .$if(after !== undefined, (rest) =>
      rest.where(
        sql<boolean>`(last_name, first_name, id) > (${after?.[0]}, ${after?.[1]}, ${after?.[2]}::uuid)`,
      ),
    )
    .orderBy('last_name')
    .orderBy('first_name')
    .orderBy('id'),
)

/** The student, unless it is deleted. */
export async function findStudent(db: Database, tenantId: string, id: string): Promise<Student | undefined> {
  return db
    .selectFrom('students')
    .select(studentColumns)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Locks students as `lockInstructors` does; answers those that exist, deleted ones included. */
export async function lockStudents(
  db: Transaction,
  tenantId: string,
  ids: readonly string[],
): Promise<{ id: string; deleted: boolean; version: number }[]> {
  const locked = await Promise.all(ids.toSorted().map((id) => lockStudent(db, { tenantId, id })))
  return locked.flat()
}

const lockStudent = statement((db, { tenantId, id }: { tenantId: string; id: string }) =>
  db
    .updateTable('students')
    .set({ calendar_version: sql<number>`calendar_version + 1` })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .returning(['id', sql<boolean>`deleted_at is not null`.as('deleted'), 'version'])
    .compile(),
)

/** Stores a student. */
export async function insertStudent(
  db: Database,
  tenantId: string,
  student: NewStudent & { id: string },
): Promise<Student> {
  return db
    .insertInto('students')
    .values({ ...blank, ...student, tenant_id: tenantId })
    .returning(studentColumns)
    .executeTakeFirstOrThrow()
}

/** Changes a student that is locked. */
export async function updateStudent(
  db: Transaction,
  tenantId: string,
  id: string,
  change: StudentChange & { deleted_at?: Date | null },
): Promise<Student> {
  return db
    .updateTable('students')
    .set({ ...change, version: sql<number>`version + 1`, updated_at: sql<Date>`now()` })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .returning(studentColumns)
    .executeTakeFirstOrThrow()
}

/** Erases a deleted student's row and what its lessons say of it; the lessons stay. False if there is none. */
export async function eraseStudent(db: Transaction, tenantId: string, id: string): Promise<boolean> {
  const [student] = await lockStudents(db, tenantId, [id])
  if (!student?.deleted) return false
  await db
    .updateTable('appointments')
    .set({ student_id: null, notes: null, cancelled_with_student: false })
    .where('tenant_id', '=', tenantId)
    .where('student_id', '=', id)
    .execute()
  await db.deleteFrom('students').where('tenant_id', '=', tenantId).where('id', '=', id).execute()
  return true
}
