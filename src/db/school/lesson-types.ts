import { type Insertable, sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import { type LessonType, type LessonTypeChange, LessonTypeSchema } from '../../contract/lesson-type.ts'
import { formerNamesAfter } from '../../domain/own-title.ts'
import type { Parameters } from '../connection/statement.ts'
import { jsonList } from '../json-list.ts'
import { changedFields, changeEntryFor, recordChanges } from '../log/changes.ts'
import type { LessonTypeTable } from '../schema/catalogue-tables.ts'
import { columnsOf, IN_ORDER_OF_PACK } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'

const lessonTypeColumns = columnsOf(LessonTypeSchema)

export const listLessonTypes = jsonList(
  { from: 'lesson_types', ...IN_ORDER_OF_PACK, versionedBy: 'version' },
  (db, { tenantId }: Parameters<{ tenantId: string }>) =>
    db.selectFrom('lesson_types').select(lessonTypeColumns).where('tenant_id', '=', tenantId),
)

export async function findLessonType(
  db: Database,
  tenantId: string,
  id: string,
): Promise<LessonType | undefined> {
  return db
    .selectFrom('lesson_types')
    .select(lessonTypeColumns)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Locks and returns all lesson types of the tenant, since a move changes several positions. */
export async function lockLessonTypes(db: Transaction, tenantId: string): Promise<readonly LessonType[]> {
  return db
    .selectFrom('lesson_types')
    .select(lessonTypeColumns)
    .where('tenant_id', '=', tenantId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

const CHANGEABLE = Object.entries({
  name: 'text',
  hidden: 'boolean',
  position: 'integer',
  color: 'text',
  default_minutes: 'integer',
  seats: 'integer',
} satisfies Record<keyof LessonTypeChange, string>)

type LessonTypeReplacement = { readonly stored: LessonType; readonly next: LessonType }

export async function updateLessonTypes(
  db: Transaction,
  actor: Actor,
  replacements: readonly LessonTypeReplacement[],
): Promise<void> {
  const changed = replacements.filter(({ stored, next }) => changedFields(stored, next))
  if (changed.length === 0) return
  const tenantId = actor.tenant.id
  const moved = changed.filter(({ stored, next }) => stored.position !== next.position)
  // Negated first, because positions must be unique even while several types move.
  await sql`update lesson_types set position = -1 - position
    where tenant_id = ${tenantId} and id = any(${moved.map(({ stored }) => stored.id)}::uuid[])`.execute(db)
  const rows = JSON.stringify(
    changed.map(({ stored, next }) => ({ ...next, former_names: formerNamesAfter(stored, next.name) })),
  )
  await sql`update lesson_types entry set ${sql.join(CHANGEABLE.map(([name]) => sql`${sql.ref(name)} = given.${sql.ref(name)}`))},
      former_names = given.former_names, version = entry.version + 1, updated_at = now()
    from json_to_recordset(${rows}::json) given (id uuid, ${sql.join(CHANGEABLE.map(([name, type]) => sql`${sql.ref(name)} ${sql.raw(type)}`))}, former_names text[])
    where entry.tenant_id = ${tenantId} and entry.id = given.id`.execute(db)
  const renamed = changed.filter(({ stored, next }) => stored.name !== next.name).map(({ next }) => next.id)
  await touchTemplatesOf(db, tenantId, renamed)
  const entries = changed.map(({ stored, next }) => changeEntryFor('lesson_type', stored, next))
  await recordChanges(db, actor, entries)
}

async function touchTemplatesOf(db: Transaction, tenantId: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`update license_class_templates set updated_at = now()
    where tenant_id = ${tenantId} and id in (select license_class_template_id from template_requirements
      where tenant_id = ${tenantId} and lesson_type_id = any(${ids}::uuid[]))`.execute(db)
}

export type LessonTypeName = { readonly code: string; readonly name: string; readonly category: string }

export async function readLessonTypeNames(
  db: Database,
  tenantId: string,
): Promise<ReadonlyMap<string, LessonTypeName>> {
  const rows = await db
    .selectFrom('lesson_types')
    .select(['id', 'code', 'name', 'category'])
    .where('tenant_id', '=', tenantId)
    .orderBy('position')
    .execute()
  return new Map(rows.map(({ id, ...type }) => [id, type]))
}

export async function insertLessonTypes(
  db: Database,
  lessonTypes: Insertable<LessonTypeTable>[],
): Promise<void> {
  await db.insertInto('lesson_types').values(lessonTypes).execute()
}
