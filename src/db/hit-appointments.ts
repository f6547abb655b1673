import { sql } from 'kysely'
import type { LocalDateTime } from '../domain/local-time.ts'
import { endsAfter, isCountedRow } from './appointment-conditions.ts'
import { type StoredAppointment, stored } from './appointments.ts'
import type { TaughtLessonType } from './calendars/calendars.ts'
import { type Learner, type LearnerQuestion, learnerObject } from './calendars/learner.ts'
import { type Parameters, statement } from './connection/statement.ts'
import type { Database, Transaction } from './schema/tables.ts'

export type HitQuestion = {
  readonly instructor_id: string
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
}

export async function listHitAppointments(
  db: Database,
  tenantId: string,
  question: HitQuestion,
): Promise<StoredAppointment[]> {
  return selectHit(db, tenantId, question).execute()
}

/** Locks and lists an instructor's planned appointments that overlap an interval. Lock their calendars first. */
export async function lockHitAppointments(
  db: Transaction,
  tenantId: string,
  question: HitQuestion,
): Promise<StoredAppointment[]> {
  return selectHit(db, tenantId, question).forNoKeyUpdate().execute()
}

function selectHit(db: Database, tenantId: string, { instructor_id, start_at, end_at }: HitQuestion) {
  return db
    .selectFrom('appointments')
    .select(stored)
    .where('tenant_id', '=', tenantId)
    .where('instructor_id', '=', instructor_id)
    .where('deleted_at', 'is', null)
    .where('status', '=', 'planned')
    .where(sql<boolean>`start_at < ${end_at}::timestamp`)
    .where(endsAfter(start_at))
    .orderBy('appointments.start_at')
    .orderBy('id')
}

/** Marks appointments as deleted until each is updated later in the transaction, so that they can swap places. */
export async function hideAppointments(
  db: Transaction,
  tenantId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return
  await db
    .updateTable('appointments')
    .set({ deleted_at: sql<Date>`now()` })
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
}

export async function listActiveInstructorIds(db: Database, tenantId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('instructors')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('active', '=', true)
    .execute()
  return rows.map(({ id }) => id)
}

export type StudentContacts = {
  readonly phones: readonly string[]
  readonly lessons: ReadonlyMap<string, number>
}

export async function readContacts(
  db: Database,
  tenantId: string,
  studentIds: readonly string[],
): Promise<ReadonlyMap<string, StudentContacts>> {
  const [students, taught] = await Promise.all([
    db
      .selectFrom('students')
      .select(['id', 'phone', 'phone_2'])
      .where('tenant_id', '=', tenantId)
      .where(sql<boolean>`id = any(${studentIds}::uuid[])`)
      .execute(),
    db
      .selectFrom('appointments')
      .select(['student_id', 'instructor_id', sql<number>`count(*)::integer`.as('lessons')])
      .where('tenant_id', '=', tenantId)
      .where(sql<boolean>`student_id = any(${studentIds}::uuid[])`)
      .where('deleted_at', 'is', null)
      .where(isCountedRow)
      .groupBy(['student_id', 'instructor_id'])
      .execute(),
  ])
  const of = Map.groupBy(taught, ({ student_id }) => student_id)
  return new Map(
    students.map(({ id, phone, phone_2 }) => {
      const lessons = new Map((of.get(id) ?? []).map((one) => [one.instructor_id, one.lessons]))
      return [id, { phones: [phone, phone_2].filter((one) => one !== null), lessons }]
    }),
  )
}

export async function readTaughtLessonTypes(
  db: Database,
  tenantId: string,
): Promise<ReadonlyMap<string, TaughtLessonType>> {
  const rows = await db
    .selectFrom('lesson_types')
    .select([
      'id',
      'name',
      'category',
      'default_minutes',
      'counts_toward_limits',
      'needs_student',
      'only_in_the_dark',
      'seats',
    ])
    .where('tenant_id', '=', tenantId)
    .execute()
  return new Map(rows.map((one) => [one.id, one]))
}

export async function findLearner(
  db: Database,
  tenant_id: string,
  { id: except, student_id, lesson_type_id }: StoredAppointment,
): Promise<Learner | undefined> {
  if (student_id === null) return undefined
  const [row] = await selectLearner(db, { tenant_id, student_id, lesson_type_id, except })
  return row?.learner ?? undefined
}

const selectLearner = statement((db, question: Parameters<LearnerQuestion>) =>
  sql<{ learner: Learner | null }>`select ${learnerObject(question)} as learner`.compile(db),
)
