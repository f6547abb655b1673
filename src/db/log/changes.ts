import { sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import type { Action, Resource } from '../../contract/change.ts'
import { newId } from '../../contract/new-id.ts'
import { LESSON_TEXTS, NOTED_FIELDS } from '../../domain/appointment-fields.ts'
import { isMessageCause } from '../../domain/message-causes.ts'
import { TEXTS_BESIDE_RECORD } from '../../domain/retention.ts'
import { isAttendedBy } from '../appointments/attendees.ts'
import type { Parameters } from '../connection/statement.ts'
import type { ChangeTable, Transaction } from '../schema/tables.ts'

/** The rows per statement: PostgreSQL accepts at most 65,535 parameters. */
const ROWS_A_STATEMENT = 1000

type Fields = Readonly<Record<string, unknown>>

export type ChangeEntry = {
  readonly resource: Resource
  readonly resource_id: string
  readonly action: Action
  readonly before: Fields | null
  readonly after: Fields | null
}

export type ChangeValues = Readonly<Omit<ChangeTable, 'id' | 'at' | 'transaction'>> & {
  readonly change_id: string
  readonly caused_at: Date | undefined
}

export function changeValues(actor: Actor, change: ChangeEntry): ChangeValues {
  const { kind, id, name, set_id, undoes, tenant } = actor
  const { before, after, ...entry } = change
  return {
    ...entry,
    tenant_id: tenant.id,
    change_id: newId(),
    set_id,
    undoes: undoes ?? null,
    actor_kind: kind,
    actor_id: id,
    actor_name: name,
    before: before && JSON.stringify(before),
    after: after && JSON.stringify(after),
    caused_at: isMessageCause(actor.tenant.messages, { ...change, actor_kind: kind }) ? actor.now : undefined,
  }
}

export async function recordChanges(
  db: Transaction,
  actor: Actor,
  entries: readonly ChangeEntry[],
): Promise<void> {
  for (let at = 0; at < entries.length; at += ROWS_A_STATEMENT) {
    const rows = entries.slice(at, at + ROWS_A_STATEMENT).map((entry) => {
      const { change_id: id, ...values } = changeValues(actor, entry)
      return { ...values, id }
    })
    await db
      .insertInto('changes')
      .values(rows.map(({ caused_at: _, ...row }) => row))
      .execute()
    const causes = rows.flatMap(({ tenant_id, id, caused_at: at }) => (at ? [{ tenant_id, id, at }] : []))
    if (causes.length > 0) await db.insertInto('message_causes').values(causes).execute()
  }
}

/** Returns the part of a statement that records a change if `written` contains its row. */
export function recordedChange(change: Parameters<ChangeValues>, written: string) {
  const { tenant_id, change_id, set_id, undoes, actor_kind, actor_id, actor_name } = change
  const { resource, resource_id, action } = change
  return sql`insert into changes
      (tenant_id, id, set_id, undoes, actor_kind, actor_id, actor_name, resource, resource_id, action, before, after)
    select ${tenant_id}::uuid, ${change_id}::uuid, ${set_id}::uuid, ${undoes}::uuid, ${actor_kind},
      ${actor_id}::uuid, ${actor_name}, ${resource}, ${resource_id}::uuid, ${action}, ${change.before}::json, ${change.after}::json
    from ${sql.ref(written)}`
}

/** Returns the part that records a change as a cause of messages if `written` contains its row. Empty if it is no cause. */
export function recordedCause(change: Parameters<ChangeValues>, written: string) {
  // A part without effect would take 2 to 4 % of a booking's time (`npm run bench -- --only book --beside`).
  if (!change.caused_at) return sql``
  return sql`caused as (insert into message_causes (tenant_id, id, at)
    select ${change.tenant_id}::uuid, ${change.change_id}::uuid, ${change.caused_at}::timestamptz from ${sql.ref(written)}),`
}

/** Removes a student's values from the log, but keeps author and time. Followers receive the scrubbed rows again. */
export async function scrubStudent(db: Transaction, tenantId: string, id: string): Promise<void> {
  const transaction = await thisTransaction(db)
  await sql`update changes set before = null, after = null, transaction = ${transaction}::xid8
    where tenant_id = ${tenantId} and (resource_id = ${id} and resource = 'student'
      or resource = 'enrolment' and resource_id in (
        select id from enrolments where tenant_id = ${tenantId} and student_id = ${id})
      or resource = 'tick' and resource_id in (select id from ticks where tenant_id = ${tenantId} and student_id = ${id})
      or resource = 'signature' and resource_id in (
        select id from signatures where tenant_id = ${tenantId} and student_id = ${id})
      or resource in ('student_link', 'wish', 'availability') and ${id} in (before ->> 'student_id', after ->> 'student_id'))`.execute(
    db,
  )
  await scrubOffers(db, tenantId, { id, transaction })
  await scrubAttendee(db, tenantId, { id, transaction })
  await scrubLessons(db, tenantId, { id, transaction, texts: TEXTS, keepsId: false })
}

/** Removes from the log what the record of a student does not need, but keeps author and time. */
export async function scrubBesideRecord(
  db: Transaction,
  tenantId: string,
  { id, fields }: { readonly id: string; readonly fields: readonly string[] },
): Promise<void> {
  const transaction = await thisTransaction(db)
  await sql`update changes set transaction = ${transaction}::xid8,
      before = (before::jsonb - ${fields}::text[])::json, after = (after::jsonb - ${fields}::text[])::json
    where tenant_id = ${tenantId} and resource = 'student' and resource_id = ${id}`.execute(db)
  await sql`update changes set before = null, after = null, transaction = ${transaction}::xid8
    where tenant_id = ${tenantId} and resource in ('student_link', 'wish', 'availability')
      and ${id} in (before ->> 'student_id', after ->> 'student_id')`.execute(db)
  await scrubOffers(db, tenantId, { id, transaction })
  await scrubLessons(db, tenantId, {
    id,
    transaction,
    texts: [...TEXTS_BESIDE_RECORD, ...NOTED_FIELDS],
    keepsId: true,
  })
}

type LessonScrub = {
  readonly id: string
  readonly transaction: string
  readonly texts: readonly string[]
  readonly keepsId: boolean
}

/** Removes the texts of lessons, except new ones since another student took over. Keeps the ids of other students. */
async function scrubLessons(
  db: Transaction,
  tenantId: string,
  { id, transaction, texts, keepsId }: LessonScrub,
): Promise<void> {
  const lessons = await lessonsAbout(db, tenantId, id)
  const enrolments = sql`(select id::text from enrolments where tenant_id = ${tenantId} and student_id = ${id})`
  const ownIds = (side: string) => sql`(
    case when ${keepsId}::boolean then '{}' when ${sql.ref(side)} ->> 'student_id' = ${id} then '{student_id}'::text[] else '{}' end
    || case when ${keepsId}::boolean then '{}' when ${sql.ref(side)} ->> 'enrolment_id' in ${enrolments} then '{enrolment_id}'::text[] else '{}' end)`
  const isAboutAnother = sql`action = 'changed' and at >= (select taken.at from taken where taken.id = resource_id)`
  await sql`
    with taken as (${lessonsLeft(tenantId, id)})
    update changes set transaction = ${transaction}::xid8,
        before = (before::jsonb - ${texts}::text[] - ${ownIds('before')})::json,
        after = (after::jsonb - case when ${isAboutAnother} then '{}' else ${texts}::text[] end - ${ownIds('after')})::json
    where tenant_id = ${tenantId} and resource = 'appointment' and resource_id = any(${lessons}::uuid[])`.execute(
    db,
  )
}

async function scrubOffers(
  db: Transaction,
  tenantId: string,
  { id, transaction }: { readonly id: string; readonly transaction: string },
): Promise<void> {
  await sql`update changes set actor_id = null, actor_name = '…', transaction = ${transaction}::xid8
    where tenant_id = ${tenantId} and actor_kind = 'student' and actor_id = ${id}`.execute(db)
  await sql`update changes set transaction = ${transaction}::xid8,
      before = (before::jsonb - '{student_ids,taken_by}'::text[])::json, after = (after::jsonb - '{student_ids,taken_by}'::text[])::json
    where tenant_id = ${tenantId} and resource = 'offer'
      and (before::text like ${`%${id}%`} or after::text like ${`%${id}%`})`.execute(db)
}

async function scrubAttendee(
  db: Transaction,
  tenantId: string,
  { id, transaction }: { readonly id: string; readonly transaction: string },
): Promise<void> {
  const without = (side: string) => {
    const column = sql.ref(side)
    return sql`case when ${column} -> 'attendees' is null then ${column} else
      jsonb_set(${column}::jsonb, '{attendees}', (
        select coalesce(jsonb_agg(entry), '[]') from jsonb_array_elements(${column}::jsonb -> 'attendees') entry
        where entry ->> 'student_id' <> ${id}))::json end`
  }
  const names = (side: string) => sql`(${sql.ref(side)} ->> 'attendees') like ${`%${id}%`}`
  await sql`update changes set transaction = ${transaction}::xid8, before = ${without('before')}, after = ${without('after')}
    where tenant_id = ${tenantId} and resource = 'appointment' and (${names('before')} or ${names('after')})`.execute(
    db,
  )
}

/** Returns the transaction's number, which followers read by. In a cluster, it is the coordinator's: each worker has its own. */
export async function thisTransaction(db: Transaction): Promise<string> {
  const { rows } = await sql<{ number: string }>`select pg_current_xact_id()::text as number`.execute(db)
  const [row] = rows
  if (!row) throw new Error('no transaction')
  return row.number
}

/** Returns the ids of lessons that are, or ever were, the student's, and of groups with only this student. */
export async function lessonsAbout(
  db: Transaction,
  tenantId: string,
  studentId: string,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from appointments where tenant_id = ${tenantId} and student_id = ${studentId}
    union select id from appointments where tenant_id = ${tenantId} and ${isAttendedBy(sql`${studentId}`)}
      and jsonb_array_length(attendees) = 1
    union select resource_id from changes where tenant_id = ${tenantId} and resource = 'appointment'
      and ${studentId} in (before ->> 'student_id', after ->> 'student_id')`.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the query for the lessons that the student has left, with the time of the change. */
export function lessonsLeft(tenantId: string, studentId: string) {
  return sql`select lesson.id, max(left_by.at) as at from changes left_by
    join appointments lesson on lesson.tenant_id = ${tenantId} and lesson.id = left_by.resource_id
    where left_by.tenant_id = ${tenantId} and left_by.resource = 'appointment'
      and left_by.before ->> 'student_id' = ${studentId} and lesson.student_id is distinct from ${studentId}::uuid
    group by lesson.id`
}

const TEXTS = [...LESSON_TEXTS, ...NOTED_FIELDS]

export type Row = Fields & { readonly id: string; readonly version?: number; readonly deleted?: boolean }

/** The columns that changes do not record or compare; `changeEntryFor` adds `version`. */
const UNLOGGED = [
  'id',
  'tenant_id',
  'version',
  'deleted',
  'cancelled_with_student',
  'created_at',
  'updated_at',
] as const
type Unlogged = (typeof UNLOGGED)[number]
const unlogged: ReadonlySet<string> = new Set(UNLOGGED)

/** Returns the change from `stored` (undefined for a new row) to `next`. Every write increments the version. */
export function changeEntryFor(resource: Resource, stored: Row | undefined, next: Row): ChangeEntry {
  const what = { resource, resource_id: next.id }
  const after = { ...fieldsOf(next), version: (stored?.version ?? 0) + 1 }
  if (stored === undefined) return { ...what, action: 'created', before: null, after }
  const before = { ...fieldsOf(stored), version: stored.version }
  if (next.deleted && !stored.deleted) return { ...what, action: 'deleted', before, after: null }
  if (stored.deleted && !next.deleted) return { ...what, action: 'restored', before: null, after }
  const names = [...changedNames(stored, next), 'version']
  return { ...what, action: 'changed', before: picked(names, before), after: picked(names, after) }
}

type SecretChange = { readonly id: string; readonly version: number; readonly fields: Fields }

export function changeEntryAfter(resource: Resource, { id, version, fields }: SecretChange): ChangeEntry {
  const [before, after] = [{ version: version - 1 }, { ...fields, version }]
  return { resource, resource_id: id, action: 'changed', before, after }
}

/** Returns the fields of `next` that differ from `stored`; undefined if there are none. */
export function changedFields<T extends Row>(stored: T, next: T): Partial<Omit<T, Unlogged>> | undefined {
  const names = changedNames(stored, next)
  return names.length === 0 ? undefined : (picked(names, next) as Partial<Omit<T, Unlogged>>)
}

function changedNames(stored: Row, next: Row): readonly string[] {
  return Object.keys(fieldsOf(next)).filter((name) => isOther(stored[name], next[name]))
}

function fieldsOf(row: Row): Fields {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !unlogged.has(name)))
}

function picked(names: readonly string[], fields: Fields): Fields {
  return Object.fromEntries(names.map((name) => [name, fields[name]]))
}

function isOther(before: unknown, after: unknown): boolean {
  return before !== after && JSON.stringify(before) !== JSON.stringify(after)
}
