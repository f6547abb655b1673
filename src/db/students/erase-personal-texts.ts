import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import type { OpeningBalance } from '../../contract/opening-balance.ts'
import { NOTED_FIELDS } from '../../domain/appointment-fields.ts'
import { ERASED_NAME, eraseFromLessonNotes } from '../appointments/lesson-notes.ts'
import { type ChangeEntry, changeEntryAfter, recordChanges, thisTransaction } from '../log/changes.ts'
import type { Transaction } from '../schema/tables.ts'
import { requireInstructor } from '../school/instructors.ts'
import { FREE_FIELDS, FREE_TEXTS, LISTS, ROW_LISTS, type RowList } from './personal-texts.ts'
import { openingBalance } from './students.ts'

/** Erases and records matches in all free texts, the log and stored responses. Locks the rows with matches. */
export async function erasePersonalTexts(db: Transaction, actor: Actor, pattern: string): Promise<void> {
  const tenantId = actor.tenant.id
  await sql`update idempotency_keys set request_hash = null, body = null
    where tenant_id = ${tenantId} and body ~* ${pattern}`.execute(db)
  for (const { table, columns } of FREE_TEXTS) await lockRows(db, tenantId, table, matching(columns, pattern))
  for (const list of ROW_LISTS) await lockRows(db, tenantId, list.table, matchingIn(list, pattern))
  await eraseFromLog(db, tenantId, pattern)
  const written: ChangeEntry[] = []
  for (const place of FREE_TEXTS) written.push(...(await eraseFromTable(db, tenantId, { ...place, pattern })))
  written.push(...(await eraseFromVacations(db, tenantId, pattern)))
  for (const list of ROW_LISTS) written.push(...(await eraseFromRows(db, tenantId, list, pattern)))
  written.push(...(await writeBalances(db, tenantId, written)))
  written.push(...(await eraseFromLessonNotes(db, tenantId, pattern)))
  await recordChanges(db, actor, written)
}

type Place = (typeof FREE_TEXTS)[number] & { readonly pattern: string }
type Written = {
  readonly id: string
  readonly version: number
  readonly is_deleted: boolean
}

/** Locks the rows with matching texts, so that any concurrent change is in the log before the log is erased. */
async function lockRows(
  db: Transaction,
  tenantId: string,
  table: string,
  condition: RawBuilder<unknown>,
): Promise<void> {
  await sql`select id from ${sql.table(table)} where tenant_id = ${tenantId} and (${condition})
    order by id for no key update`.execute(db)
}

function matching(columns: readonly string[], pattern: string) {
  return sql.join(
    columns.map((name) => sql`${sql.ref(name)} ~* ${pattern}`),
    sql` or `,
  )
}

async function eraseFromTable(db: Transaction, tenantId: string, place: Place): Promise<ChangeEntry[]> {
  const { resource, table, columns, deleted, pattern } = place
  const values = columns.map((name) => sql`${sql.ref(name)} = ${withoutMatches(sql.ref(name), pattern)}`)
  const { rows } = await sql<Written>`
    update ${sql.table(table)} set ${sql.join(values)}, updated_at = now(),
      version = version + case when ${deleted} then 0 else 1 end
    where tenant_id = ${tenantId} and (${matching(columns, pattern)})
    returning id, version, ${deleted} as is_deleted, ${sql.join(columns.map((name) => sql.ref(name)))}`.execute(
    db,
  )
  return rows
    .filter(({ is_deleted }) => !is_deleted)
    .map(({ id, version, is_deleted: _, ...fields }) =>
      // The log has nothing personal of an enquiry.
      changeEntryAfter(resource, { id, version, fields: resource === 'enquiry' ? {} : fields }),
    )
}

async function eraseFromVacations(
  db: Transaction,
  tenantId: string,
  pattern: string,
): Promise<ChangeEntry[]> {
  const { rows: met } = await sql<{ instructor_id: string }>`
    update vacations set note = ${withoutMatches(sql.ref('note'), pattern)}
    where tenant_id = ${tenantId} and note ~* ${pattern} returning instructor_id`.execute(db)
  const entries: ChangeEntry[] = []
  for (const id of new Set(met.map(({ instructor_id }) => instructor_id))) {
    await sql`update instructors set version = version + 1, updated_at = now()
      where tenant_id = ${tenantId} and id = ${id}`.execute(db)
    const { version, vacations } = await requireInstructor(db, tenantId, id)
    entries.push(changeEntryAfter('instructor', { id, version, fields: { vacations } }))
  }
  return entries
}

async function eraseFromRows(
  db: Transaction,
  tenantId: string,
  list: RowList,
  pattern: string,
): Promise<ChangeEntry[]> {
  const { resource, table, column, text, deleted } = list
  const { rows } = await sql<Written & { readonly entries: unknown }>`
    update ${sql.table(table)} set ${sql.ref(column)} = ${withoutIn(sql.ref(column), text, pattern)}, updated_at = now(),
      version = version + case when ${deleted} then 0 else 1 end
    where tenant_id = ${tenantId} and ${matchingIn(list, pattern)}
    returning id, version, ${deleted} as is_deleted, ${sql.ref(column)} as entries`.execute(db)
  return rows
    .filter(({ is_deleted }) => !is_deleted)
    .map(({ id, version, entries }) =>
      changeEntryAfter(resource, { id, version, fields: { [column]: entries } }),
    )
}

async function writeBalances(
  db: Transaction,
  tenantId: string,
  written: readonly ChangeEntry[],
): Promise<ChangeEntry[]> {
  const ids = written.flatMap(({ resource, resource_id, after }) =>
    resource === 'enrolment' && after && 'credits' in after ? [resource_id] : [],
  )
  const { rows } = await sql<{ id: string; version: number; opening_balance: OpeningBalance }>`
    update students set version = version + 1, updated_at = now()
    where tenant_id = ${tenantId} and deleted_at is null and id in (
      select student_id from enrolments
      where tenant_id = ${tenantId} and id = any(${ids}::uuid[]) and is_current and deleted_at is null)
    returning id, version, ${openingBalance(tenantId)} as opening_balance`.execute(db)
  return rows.map(({ id, version, ...fields }) => changeEntryAfter('student', { id, version, fields }))
}

function matchingIn({ column, text }: RowList, pattern: string) {
  return sql`exists (
      select from json_array_elements(${sql.ref(column)}) entry where entry ->> ${sql.lit(text)} ~* ${pattern})`
}

function withoutIn(list: RawBuilder<unknown>, name: RowList['text'], pattern: string) {
  return sql`(select coalesce(json_agg((select json_object_agg(key, case
        when key = ${sql.lit(name)} then to_json(${withoutMatches(sql`value #>> '{}'`, pattern)}) else value end)
      from json_each(entry))), '[]') from json_array_elements(${list}) entry)`
}

/** Erases matches from free texts in the log. Keeps names, numbers and addresses, which belong to the row's own person. */
async function eraseFromLog(db: Transaction, tenantId: string, pattern: string): Promise<void> {
  const texts = [...FREE_FIELDS, ...LISTS].flatMap((name) => [
    sql`before ->> ${sql.lit(name)}`,
    sql`after ->> ${sql.lit(name)}`,
  ])
  const { rows } = await sql<{ id: string; before: string | null; after: string | null }>`
    select id, ${cleaned(sql.ref('before'), pattern)}::text as before, ${cleaned(sql.ref('after'), pattern)}::text as after
    from changes where tenant_id = ${tenantId} and concat_ws(E'\n', ${sql.join(texts)}) ~* ${pattern}
    order by id for update`.execute(db)
  const transaction = await thisTransaction(db)
  for (const { id, before, after } of rows) {
    await sql`update changes set transaction = ${transaction}::xid8, before = ${before}::json, after = ${after}::json
      where tenant_id = ${tenantId} and id = ${id}`.execute(db)
  }
}

function cleaned(fields: RawBuilder<unknown>, pattern: string) {
  const value = sql.ref('field.value')
  return sql`(select json_object_agg(field.key, case
      when field.key in ('vacations', 'credits') then ${withoutMatches(sql`${value}::text`, pattern)}::json
      when field.key = 'opening_balance' then ${withoutIn(value, 'source', pattern)}
      when field.key = 'contacts' then ${withoutIn(value, 'name', pattern)}
      when field.key = 'absences' then ${withoutIn(value, 'note', pattern)}
      when field.key in (${sql.join(NOTED_FIELDS.map((name) => sql.lit(name)))}) and json_typeof(${value}) = 'object'
        then ${withoutIn(sql`json_build_array(${value})`, 'note', pattern)} -> 0
      when field.key in (${sql.join(FREE_FIELDS.map((name) => sql.lit(name)))}) and json_typeof(${value}) = 'string'
        then to_json(${withoutMatches(sql`${value} #>> '{}'`, pattern)})
      else ${value} end) from json_each(${fields}) field)`
}

function withoutMatches(text: RawBuilder<unknown>, pattern: string) {
  return sql`regexp_replace(${text}, ${pattern}, ${ERASED_NAME}, 'gi')`
}
