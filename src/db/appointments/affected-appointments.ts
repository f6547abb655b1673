import { sql } from 'kysely'
import type { LocalDateTime } from '../../domain/local-time.ts'
import type { TaughtLessonType } from '../calendars/calendars.ts'
import { type Learner, type LearnerQuery, learnerObject } from '../calendars/learner.ts'
import { type Parameters, statement } from '../connection/statement.ts'
import type { Database, Transaction } from '../schema/tables.ts'
import { endsAfter, isCountedRow } from './appointment-conditions.ts'
import { type StoredAppointment, stored } from './appointments.ts'

/** The appointments of an instructor, with a vehicle, or of the whole school that overlap an interval. */
export type AffectedQuery = {
  readonly instructor_id?: string
  readonly vehicle_id?: string
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
}

export async function listAffectedAppointments(
  db: Database,
  tenantId: string,
  query: AffectedQuery,
): Promise<StoredAppointment[]> {
  return selectAffected(db, tenantId, query).execute()
}

/** Locks and lists planned appointments that overlap an interval. Lock their calendars first. */
export async function lockAffectedAppointments(
  db: Transaction,
  tenantId: string,
  query: AffectedQuery,
): Promise<StoredAppointment[]> {
  return selectAffected(db, tenantId, query).forNoKeyUpdate().execute()
}

function selectAffected(
  db: Database,
  tenantId: string,
  { instructor_id, vehicle_id, start_at, end_at }: AffectedQuery,
) {
  return db
    .selectFrom('appointments')
    .select(stored)
    .where('tenant_id', '=', tenantId)
    .$if(instructor_id !== undefined, (rest) => rest.where(sql<boolean>`instructor_id = ${instructor_id}`))
    .$if(vehicle_id !== undefined, (rest) => rest.where(sql<boolean>`${vehicle_id} = any(vehicle_ids)`))
    .where('deleted_at', 'is', null)
    .where('status', '=', 'planned')
    .where(sql<boolean>`start_at < ${end_at}::timestamp`)
    .where(endsAfter(start_at))
    .orderBy('appointments.start_at')
    .orderBy('id')
}

/** Returns the planned lessons with one student that overlap an interval, begin no earlier than a time, and are not signed. */
export async function listMovableLessons(
  db: Database,
  tenantId: string,
  { from, ...interval }: Pick<AffectedQuery, 'start_at' | 'end_at'> & { readonly from: LocalDateTime },
): Promise<StoredAppointment[]> {
  return selectAffected(db, tenantId, interval)
    .where('student_id', 'is not', null)
    .where(sql<boolean>`start_at >= ${from}::timestamp`)
    .where(
      sql<boolean>`not exists (select from signatures where tenant_id = ${tenantId} and appointment_id = appointments.id)`,
    )
    .execute()
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
      'counts_toward_legal_minutes',
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
  { id: except, student_id, lesson_type_id, enrolment_id }: StoredAppointment,
): Promise<Learner | undefined> {
  if (student_id === null) return undefined
  const question = { tenant_id, student_id, lesson_type_id, except }
  const [row] = await selectLearner(db, { ...question, enrolment_id: enrolment_id ?? undefined })
  return row?.learner ?? undefined
}

const selectLearner = statement((db, question: Parameters<LearnerQuery>) =>
  sql<{ learner: Learner | null }>`select ${learnerObject(question)} as learner`.compile(db),
)
