import { sql } from 'kysely'
import { type Wish, WishSchema } from '../../contract/wish.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import type { Parameters } from '../connection/statement.ts'
import { type JsonList, jsonList } from '../json-list.ts'
import { resourceRows } from '../resource-rows.ts'
import { columnsOf } from '../schema/columns.ts'
import type { Database } from '../schema/tables.ts'

const wishColumns = columnsOf(WishSchema)

export const WISHES = resourceRows({
  table: 'wishes',
  resource: 'wish',
  schema: WishSchema,
  references: { student_id: 'students', lesson_type_id: 'lesson_types', instructor_id: 'instructors' },
})

export function listWishes(db: Database, tenantId: string, student_id: string): JsonList {
  return wishes(db, tenantId, { student_id })
}

const wishes = jsonList(
  { from: 'wishes', orderedBy: { id: 'uuid' }, versionedBy: 'version' },
  (db, { tenantId, student_id }: Parameters<{ tenantId: string; student_id: string }>) =>
    db
      .selectFrom('wishes')
      .select(wishColumns)
      .where('tenant_id', '=', tenantId)
      .where('student_id', '=', student_id)
      .where('deleted_at', 'is', null),
)

/** Returns a wish of a student; undefined if it has been withdrawn. */
export async function findWish(
  db: Database,
  tenantId: string,
  { student_id, wish_id }: { readonly student_id: string; readonly wish_id: string },
): Promise<Wish | undefined> {
  return db
    .selectFrom('wishes')
    .select(wishColumns)
    .where('tenant_id', '=', tenantId)
    .where('student_id', '=', student_id)
    .where('id', '=', wish_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export async function countWishes(
  db: Database,
  tenantId: string,
  { student_id, today }: { readonly student_id: string; readonly today: LocalDate },
): Promise<number> {
  const { wishes } = await db
    .selectFrom('wishes')
    .select(sql<number>`count(*)::integer`.as('wishes'))
    .where('tenant_id', '=', tenantId)
    .where('student_id', '=', student_id)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`(until is null or until >= ${today}::date)`)
    .executeTakeFirstOrThrow()
  return wishes
}

export async function listStudentsOfWishes(
  db: Database,
  tenantId: string,
  ids: readonly string[],
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('wishes')
    .select('student_id')
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
  return rows.map(({ student_id }) => student_id)
}

/** Returns students' wishes that have not been withdrawn, longest lessons first. */
export async function listWishesOf(
  db: Database,
  tenantId: string,
  studentIds: readonly string[],
): Promise<readonly Wish[]> {
  return db
    .selectFrom('wishes')
    .select(wishColumns)
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`student_id = any(${studentIds}::uuid[])`)
    .where('deleted_at', 'is', null)
    .orderBy('minutes', 'desc')
    .orderBy('id')
    .execute()
}

/** Returns those of the wishes that have not been withdrawn. */
export async function readWishesOfStudents(
  db: Database,
  tenantId: string,
  ids: readonly string[],
): Promise<readonly Pick<Wish, 'student_id' | 'weekdays' | 'time_from' | 'time_to' | 'minutes'>[]> {
  return db
    .selectFrom('wishes')
    .select(['student_id', 'weekdays', 'time_from', 'time_to', 'minutes'])
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .orderBy('id')
    .execute()
}
