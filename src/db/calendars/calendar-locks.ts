import { type RawBuilder, sql } from 'kysely'
import type { CalendarKind } from '../../domain/occupants.ts'
import { type Parameters, statement } from '../connection/statement.ts'
import type { Transaction } from '../schema/tables.ts'

export type CalendarVersion = { readonly id: string; readonly version: number }

/** Locks calendars, in the order of ids to prevent deadlocks, by incrementing their versions (like `for no key update`). */
export async function lockCalendars(
  db: Transaction,
  tenantId: string,
  ids: readonly string[],
): Promise<void> {
  await Promise.all(ids.toSorted().map((id) => lockCalendar(db, { tenantId, id })))
}

const lockCalendar = statement((db, { tenantId, id }: Parameters<{ tenantId: string; id: string }>) =>
  db
    .updateTable('calendars')
    .set({ version: sql<number>`version + 1` })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .compile(),
)

export async function lockManyCalendars(
  db: Transaction,
  tenantId: string,
  ids: readonly string[],
): Promise<void> {
  await sql`
    with held as (
      select id from calendars where tenant_id = ${tenantId} and id = any(${ids}::uuid[])
      order by id for no key update)
    update calendars set version = version + 1 from held
    where tenant_id = ${tenantId} and calendars.id = held.id`.execute(db)
}

/** Locks and increments calendars like `lockCalendars`. Returns whether all still had the expected versions. */
export async function lockUnchanged(
  db: Transaction,
  tenantId: string,
  seen: readonly CalendarVersion[],
): Promise<boolean> {
  const ordered = seen.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const locked = await Promise.all(ordered.map((one) => lockIfUnmoved(db, { tenantId, ...one })))
  return locked.every((rows) => rows.length > 0)
}

const lockIfUnmoved = statement(
  (db, { tenantId, id, version }: Parameters<CalendarVersion & { tenantId: string }>) =>
    sql<{ id: string }>`
      update calendars set version = version + 1
      where tenant_id = ${tenantId} and id = ${id} and version = ${version} returning id`.compile(db),
)

export type SeenCalendars = { readonly [name: `calendar_${number}` | `version_${number}`]: string | number }

export function seenCalendars(seen: readonly CalendarVersion[]): SeenCalendars {
  const ordered = seen.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return Object.fromEntries(
    ordered.flatMap(({ id, version }, at) => [
      [`calendar_${at}`, id],
      [`version_${at}`, version],
    ]),
  )
}

/** Returns the part of a statement that locks and increments calendars, and the condition that all versions matched. */
export function unchangedCalendars(tenant_id: RawBuilder<string>, seen: Parameters<SeenCalendars>) {
  let locks = sql``
  let unchanged = sql<boolean>`true`
  for (let at = 0; seen[`calendar_${at}`] !== undefined; at += 1) {
    const name = sql.ref(`calendar_${at}`)
    locks = sql`${locks} ${name} as (
      update calendars set version = version + 1
      where tenant_id = ${tenant_id} and id = ${seen[`calendar_${at}`]} and version = ${seen[`version_${at}`]} and ${unchanged}
      returning id),`
    unchanged = sql<boolean>`exists (select from ${name})`
  }
  return { locks, unchanged }
}

export async function insertCalendars(
  db: Transaction,
  tenantId: string,
  calendars: readonly { readonly id: string; readonly kind: CalendarKind }[],
): Promise<void> {
  const rows = calendars.map((calendar) => ({ ...calendar, tenant_id: tenantId }))
  await db.insertInto('calendars').values(rows).execute()
}
