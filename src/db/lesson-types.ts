import type { Insertable } from 'kysely'
import type { LessonTypeTable } from './catalogue-tables.ts'
import { createdAt, IN_ORDER_OF_PACK, updatedAt } from './columns.ts'
import { type JsonList, jsonList } from './json-list.ts'
import type { Parameters } from './statement.ts'
import type { Database } from './tables.ts'

const lessonTypeColumns = [
  'id',
  'code',
  'name',
  'category',
  'requirement_key',
  'default_minutes',
  'color',
  'counts_toward_limits',
  'counts_toward_legal_minutes',
  'needs_student',
  'only_in_the_dark',
  createdAt,
  updatedAt,
] as const

/** The tenant's lesson types, in the order of its country's pack. */
export function listLessonTypes(db: Database, tenantId: string): JsonList {
  return lessonTypes(db, { tenantId })
}

const lessonTypes = jsonList(
  { from: 'lesson_types', ...IN_ORDER_OF_PACK },
  (db, { tenantId }: Parameters<{ tenantId: string }>) =>
    db.selectFrom('lesson_types').select(lessonTypeColumns).where('tenant_id', '=', tenantId),
)

/** What the tenant's lesson types are called, by their ids. */
export async function readLessonTypeNames(
  db: Database,
  tenantId: string,
): Promise<ReadonlyMap<string, { readonly code: string; readonly name: string }>> {
  const rows = await db
    .selectFrom('lesson_types')
    .select(['id', 'code', 'name'])
    .where('tenant_id', '=', tenantId)
    .execute()
  return new Map(rows.map(({ id, code, name }) => [id, { code, name }]))
}

/** A lesson type as far as the rules and a booking ask. */
export type CountingLessonType = {
  readonly name: string
  readonly category: string
  readonly counts_toward_limits: boolean
}

/** Reads the tenant's lesson types as far as the rules ask, by their ids. */
export async function readCountingLessonTypes(
  db: Database,
  tenantId: string,
): Promise<ReadonlyMap<string, CountingLessonType>> {
  const rows = await db
    .selectFrom('lesson_types')
    .select(['id', 'name', 'category', 'counts_toward_limits'])
    .where('tenant_id', '=', tenantId)
    .execute()
  return new Map(rows.map(({ id, ...type }) => [id, type]))
}

/** Stores a tenant's lesson types. */
export async function insertLessonTypes(
  db: Database,
  lessonTypes: Insertable<LessonTypeTable>[],
): Promise<void> {
  await db.insertInto('lesson_types').values(lessonTypes).execute()
}
