import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../contract/actor.ts'
import type { NewStudent, Student } from '../contract/student.ts'
import { insertCalendar } from './calendar-locks.ts'
import { changedFields, deedOf, recordChanges } from './changes.ts'
import { createdAt, updatedAt } from './columns.ts'
import { type JsonList, jsonList } from './json-list.ts'
import type { Parameters } from './statement.ts'
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
}

/** Which students: all of the tenant, or those in the lessons of one instructor. */
export type StudentFilter = { readonly own?: string }

/** The tenant's students by name. */
export function listStudents(db: Database, tenantId: string, filter: StudentFilter = {}): JsonList {
  return students(db, { tenantId, ...filter })
}

/** The order of lists of students. */
export const BY_NAME = {
  from: 'students',
  orderedBy: { last_name: 'text', first_name: 'text', id: 'uuid' },
  versionedBy: 'version',
} as const

const students = jsonList(BY_NAME, (db, values: Parameters<{ tenantId: string } & StudentFilter>) =>
  studentsOf(db, values),
)

/** The rows of a list of students. */
export function studentsOf(
  db: Database,
  { tenantId, own }: Parameters<{ tenantId: string } & StudentFilter>,
) {
  return db
    .selectFrom('students')
    .select(studentColumns)
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .$if(own !== undefined, (rest) => rest.where(isTaughtBy(tenantId, own)))
}

/** Whether a row of `students` has a lesson with the instructor, cancelled ones included. */
function isTaughtBy(
  tenantId: RawBuilder<string> | string,
  instructorId: RawBuilder<string | undefined> | string | undefined,
) {
  return sql<boolean>`exists (
    select from appointments appointment
    where appointment.tenant_id = ${tenantId} and appointment.student_id = students.id
      and appointment.instructor_id = ${instructorId} and appointment.deleted_at is null)`
}

/** The student, unless it is deleted. */
export async function findStudent(
  db: Database,
  tenantId: string,
  id: string,
  { own }: StudentFilter = {},
): Promise<Student | undefined> {
  return db
    .selectFrom('students')
    .select(studentColumns)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .$if(own !== undefined, (rest) => rest.where(isTaughtBy(tenantId, own)))
    .executeTakeFirst()
}

/** A student as stored, with what the wire does not show. */
export type StoredStudent = Student & { readonly deleted: boolean }

const stored = [...studentColumns, sql<boolean>`deleted_at is not null`.as('deleted')] as const

/** The student, deleted or not, locked. Comes after the lock of its calendar, where that is needed. */
export async function lockStudent(
  db: Transaction,
  tenantId: string,
  id: string,
): Promise<StoredStudent | undefined> {
  return db
    .selectFrom('students')
    .select(stored)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Stores a student with a calendar, and notes it. */
export async function insertStudent(
  db: Transaction,
  actor: Actor,
  student: NewStudent & { readonly id: string },
): Promise<Student> {
  const values = { ...blank, ...student }
  const [, row] = await Promise.all([
    insertCalendar(db, actor.tenant.id, { id: student.id, kind: 'student' }),
    db
      .with('written', (query) =>
        query
          .insertInto('students')
          .values({ ...values, tenant_id: actor.tenant.id })
          .returningAll(),
      )
      .selectFrom('written')
      .select(studentColumns)
      .executeTakeFirstOrThrow(),
    recordChanges(db, actor, [deedOf('student', undefined, values)]),
  ])
  return row
}

/** A student as it was read, and as it shall be. */
type Replacement = { readonly stored: StoredStudent; readonly next: StoredStudent }

/** Gives a student that is locked its next values, and notes what has changed. Where nothing differs nothing is written. */
export async function updateStudent(
  db: Transaction,
  actor: Actor,
  { stored, next }: Replacement,
): Promise<Student> {
  const changed = changedFields(stored, next)
  if (!changed && stored.deleted === next.deleted) return stored
  const [row] = await Promise.all([
    db
      .with('written', (query) =>
        query
          .updateTable('students')
          .set({
            ...changed,
            deleted_at: next.deleted ? actor.now : null,
            version: sql<number>`version + 1`,
            updated_at: sql<Date>`now()`,
          })
          .where('tenant_id', '=', actor.tenant.id)
          .where('id', '=', stored.id)
          .returningAll(),
      )
      .selectFrom('written')
      .select(studentColumns)
      .executeTakeFirstOrThrow(),
    recordChanges(db, actor, [deedOf('student', stored, next)]),
  ])
  return row
}

/** Erases the row of a student whom no appointment names any more. */
export async function deleteStudentRow(db: Transaction, tenantId: string, id: string): Promise<void> {
  await db.deleteFrom('students').where('tenant_id', '=', tenantId).where('id', '=', id).execute()
  await db.deleteFrom('calendars').where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}
