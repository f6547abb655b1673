import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import type { Enrolment } from '../../contract/enrolment.ts'
import type { OpeningBalance } from '../../contract/opening-balance.ts'
import type { Student, StudentChange } from '../../contract/student.ts'
import { blankOf, namesOf } from '../../domain/fields.ts'
import type { Identity } from '../../domain/same-person.ts'
import type { StudentContact } from '../../domain/student-contacts.ts'
import { STUDENT_FIELDS } from '../../domain/student-fields.ts'
import { isAttendedBy } from '../appointments/attendees.ts'
import { insertCalendars } from '../calendars/calendar-locks.ts'
import type { Parameters } from '../connection/statement.ts'
import { jsonList } from '../json-list.ts'
import { changedFields, changeEntryFor, recordChanges } from '../log/changes.ts'
import { archivedAt, createdAt, nextVersion, updatedAt } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'

export const studentColumns = [
  'id',
  ...namesOf(STUDENT_FIELDS),
  'contacts',
  archivedAt,
  'version',
  createdAt,
  updatedAt,
] as const

const blank = {
  ...blankOf(STUDENT_FIELDS),
  messages_consent: false,
  message_channel: 'mail' as const,
  contacts: [] as readonly StudentContact[],
  archived_at: null,
}

type InsertedStudent = Omit<StudentChange, 'archived' | 'contacts'> & {
  readonly contacts?: readonly StudentContact[]
} & Pick<Student, 'id' | 'first_name' | 'last_name'> &
  Partial<Pick<Student, 'archived_at'>>

/** The students per statement: building a longer one would delay other requests. */
const STUDENTS_A_STATEMENT = 250

/** A filter of students: all, or those with lessons of the instructor `own`, optionally also those who prefer that instructor. */
export type StudentFilter = {
  readonly own?: string
  readonly withPreferring?: true
  /** Lists add the open enrolments. */
  readonly withEnrolments?: true
  readonly isCurrent?: boolean | undefined
}

export const BY_NAME = {
  from: 'students',
  orderedBy: { last_name: 'text', first_name: 'text', id: 'uuid' },
  versionedBy: 'version',
} as const

export const listStudents = jsonList(
  BY_NAME,
  (db, values: Parameters<{ tenantId: string } & StudentFilter>) => selectStudents(db, values),
)

type Open = Pick<Enrolment, 'id' | 'license_class' | 'is_current' | 'prior_classes'>

export const openEnrolments = (tenantId: RawBuilder<string>) => sql<readonly Open[]>`(
  select coalesce(json_agg(json_build_object('id', open.id, 'license_class', open.license_class, 'is_current', open.is_current,
    'prior_classes', open.prior_classes)
    order by open.is_current desc, open.begins_on desc, open.id), '[]')
  from enrolments open
  where open.tenant_id = ${tenantId} and open.student_id = students.id and open.outcome is null and open.deleted_at is null)`

/** Selects the version of a student's row with that of the calendar, which every write of an enrolment increments. */
export const calendarVersion = ({
  tenantId,
}: Parameters<{ tenantId: string }>) => sql<string>`students.version || ' ' || (
  select calendar.version from calendars calendar
  where calendar.tenant_id = ${tenantId} and calendar.id = students.id)`

export const listStudentsWithEnrolments = jsonList(
  { ...BY_NAME, versionedBy: calendarVersion },
  (db, values: Parameters<{ tenantId: string } & StudentFilter>) => selectStudents(db, values),
)

export function selectStudents(
  db: Database,
  {
    tenantId,
    own,
    withPreferring,
    withEnrolments,
    isCurrent,
  }: Parameters<{ tenantId: string } & StudentFilter>,
) {
  return db
    .selectFrom('students')
    .select(studentColumns)
    .$if(withEnrolments !== undefined, (rest) =>
      rest.select(openEnrolments(tenantId as RawBuilder<string>).as('enrolments')),
    )
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .$if(isCurrent !== undefined, (rest) =>
      rest.where(sql<boolean>`(archived_at is null) = ${isCurrent}::boolean`),
    )
    .$if(own !== undefined, (rest) => rest.where(isSeenBy(tenantId, own, withPreferring)))
}

type Value<T> = RawBuilder<T | undefined> | T | undefined

/** Whether a row of `students` passes the filter of an instructor. */
export function isSeenBy(
  tenantId: RawBuilder<string> | string,
  instructorId: Value<string>,
  withPreferring: Value<true>,
) {
  const isTaught = isTaughtBy(tenantId, instructorId)
  if (!withPreferring) return isTaught
  return sql<boolean>`(students.preferred_instructor_id = ${instructorId} or ${isTaught})`
}

function isTaughtBy(tenantId: RawBuilder<string> | string, instructorId: Value<string>) {
  const exists = (whose: RawBuilder<boolean>) => sql<boolean>`exists (
    select from appointments appointment
    where appointment.tenant_id = ${tenantId} and ${whose}
      and appointment.instructor_id = ${instructorId} and appointment.deleted_at is null)`
  const isAlone = exists(sql`appointment.student_id = students.id`)
  return sql<boolean>`(${isAlone} or ${exists(isAttendedBy(sql`students.id`, 'appointment'))})`
}

/** Whether a student prefers the instructor or has an appointment with them that is not deleted. */
export async function isStudentOf(
  db: Database,
  tenantId: string,
  { student_id, instructor_id }: { readonly student_id: string; readonly instructor_id: string },
): Promise<boolean> {
  const found = await db
    .selectFrom('students')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', student_id)
    .where('deleted_at', 'is', null)
    .where(isSeenBy(tenantId, instructor_id, true))
    .executeTakeFirst()
  return found !== undefined
}

export async function readIdentities(
  db: Database,
  tenantId: string,
): Promise<readonly (Identity & { readonly id: string })[]> {
  return db
    .selectFrom('students')
    .select(['id', 'first_name', 'last_name', 'email', 'phone', 'phone_2', 'birth_date'])
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .orderBy('last_name')
    .orderBy('first_name')
    .orderBy('id')
    .execute()
}

export async function findStudent(
  db: Database,
  tenantId: string,
  id: string,
  { own, withPreferring }: StudentFilter = {},
): Promise<Student | undefined> {
  return db
    .selectFrom('students')
    .select(studentColumns)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .$if(own !== undefined, (rest) => rest.where(isSeenBy(tenantId, own, withPreferring)))
    .executeTakeFirst()
}

export type StoredStudent = Student & {
  readonly opening_balance: OpeningBalance
  readonly deleted: boolean
}

/** Selects the opening balance of `students`: the credits of the current enrolment; without one, those that wait for it. */
export const openingBalance = (tenantId: RawBuilder<string> | string) => sql<OpeningBalance>`coalesce((
  select (
    select coalesce(json_agg(json_build_object('lesson_type_id', lesson_type_id, 'units', units, 'date', date,
      'source', school) order by place), '[]')
    from rows from (json_to_recordset(credits) as (lesson_type_id uuid, units integer, date text, school text))
      with ordinality credit (lesson_type_id, units, date, school, place))
  from enrolments current where current.tenant_id = ${tenantId} and current.student_id = students.id
    and current.is_current and current.deleted_at is null), opening_balance)`

export const storedStudent = (tenantId: string) =>
  [
    ...studentColumns,
    openingBalance(tenantId).as('opening_balance'),
    sql<boolean>`deleted_at is not null`.as('deleted'),
  ] as const

/** Locks the student, deleted or not; a restricted one only if asked for. Lock the calendar first, if needed. */
export async function lockStudent(
  db: Transaction,
  tenantId: string,
  id: string,
  { withRestricted = false } = {},
): Promise<StoredStudent | undefined> {
  const student = db
    .selectFrom('students')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .$if(!withRestricted, (rest) => rest.where('restriction', 'is', null))
  // The statement that waits for the lock does not see the enrolments that were written meanwhile.
  const [locked, stored] = await Promise.all([
    student.select('id').forNoKeyUpdate().executeTakeFirst(),
    student.select(storedStudent(tenantId)).executeTakeFirst(),
  ])
  return locked && stored
}

export async function insertStudent(
  db: Transaction,
  actor: Actor,
  student: InsertedStudent,
): Promise<Student> {
  const values = { ...blank, ...student }
  const [, row] = await Promise.all([
    insertCalendars(db, actor.tenant.id, [{ id: student.id, kind: 'student' }]),
    db
      .with('written', (query) =>
        query
          .insertInto('students')
          .values({ ...values, contacts: JSON.stringify(values.contacts), tenant_id: actor.tenant.id })
          .returningAll(),
      )
      .selectFrom('written')
      .select(studentColumns)
      .executeTakeFirstOrThrow(),
    recordChanges(db, actor, [changeEntryFor('student', undefined, values)]),
  ])
  return row
}

/** Inserts students with their calendars and records it. Passing JSON takes half the time of passing each value. */
export async function insertStudents(
  db: Transaction,
  actor: Actor,
  students: readonly InsertedStudent[],
): Promise<void> {
  const tenantId = actor.tenant.id
  for (let at = 0; at < students.length; at += STUDENTS_A_STATEMENT) {
    const part = students.slice(at, at + STUDENTS_A_STATEMENT).map((student) => ({ ...blank, ...student }))
    const rows = JSON.stringify(part)
    await sql`insert into calendars (tenant_id, id, kind)
      select ${tenantId}::uuid, id, 'student' from json_to_recordset(${rows}::json) given (id uuid)`.execute(
      db,
    )
    const columns = sql.join(['id', ...namesOf(STUDENT_FIELDS), 'archived_at'].map((name) => sql.ref(name)))
    await sql`insert into students (tenant_id, ${columns})
      select ${tenantId}::uuid, ${columns} from json_populate_recordset(null::students, ${rows}::json)`.execute(
      db,
    )
    await recordChanges(
      db,
      actor,
      part.map((student) => changeEntryFor('student', undefined, student)),
    )
  }
}

export type StudentUpdate = { readonly stored: StoredStudent; readonly next: StoredStudent }

export async function updateStudent(
  db: Transaction,
  actor: Actor,
  { stored, next }: StudentUpdate,
): Promise<Student> {
  const changed = changedFields(stored, next)
  if (!changed && stored.deleted === next.deleted) return stored
  const { opening_balance: _, contacts, ...scalars } = changed ?? {}
  const [row] = await Promise.all([
    db
      .with('written', (query) =>
        query
          .updateTable('students')
          .set({
            ...scalars,
            ...(contacts && { contacts: JSON.stringify(contacts) }),
            deleted_at: next.deleted ? actor.now : null,
            ...nextVersion,
          })
          .where('tenant_id', '=', actor.tenant.id)
          .where('id', '=', stored.id)
          .returningAll(),
      )
      .selectFrom('written')
      .select(studentColumns)
      .executeTakeFirstOrThrow(),
    recordChanges(db, actor, [changeEntryFor('student', stored, next)]),
  ])
  return row
}

/** Records in the history of a locked student that a double became part of it, or was given back. */
export async function markMerge(
  db: Transaction,
  actor: Actor,
  { id, version }: Pick<StoredStudent, 'id' | 'version'>,
  { before, after }: Readonly<Record<'before' | 'after', string | null>>,
): Promise<Student> {
  await recordChanges(db, actor, [
    {
      resource: 'student',
      resource_id: id,
      action: 'changed',
      before: { merged_id: before, version },
      after: { merged_id: after, version: version + 1 },
    },
  ])
  return db
    .with('written', (query) =>
      query
        .updateTable('students')
        .set(nextVersion)
        .where('tenant_id', '=', actor.tenant.id)
        .where('id', '=', id)
        .returningAll(),
    )
    .selectFrom('written')
    .select(studentColumns)
    .executeTakeFirstOrThrow()
}

/** Deletes the row and calendar of a student whom no appointment references any more. */
export async function deleteStudentRow(db: Transaction, tenantId: string, id: string): Promise<void> {
  await db.deleteFrom('students').where('tenant_id', '=', tenantId).where('id', '=', id).execute()
  await db.deleteFrom('calendars').where('tenant_id', '=', tenantId).where('id', '=', id).execute()
}
