import { sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import { MESSAGE_EVENT, type Webhook } from '../../contract/webhook.ts'
import type { Parameters } from '../connection/statement.ts'
import { jsonList } from '../json-list.ts'
import { changedFields, changeEntryFor, recordChanges } from '../log/changes.ts'
import type { Position } from '../log/position.ts'
import { createdAt, nextVersion, updatedAt } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'

const columns = [
  'id',
  'url',
  'events',
  sql<boolean>`disabled_at is not null`.as('disabled'),
  'disabled_reason',
  'version',
  createdAt,
  updatedAt,
] as const

export const listWebhooks = jsonList(
  { from: 'webhooks', orderedBy: { created_at: 'timestamptz', id: 'uuid' }, versionedBy: 'version' },
  (db, { tenantId }: Parameters<{ tenantId: string }>) =>
    db.selectFrom('webhooks').select(columns).where('tenant_id', '=', tenantId),
)

export async function findWebhook(db: Database, tenantId: string, id: string): Promise<Webhook | undefined> {
  return db
    .selectFrom('webhooks')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function hasWebhook(db: Database, tenantId: string, id: string): Promise<boolean> {
  return (await findWebhook(db, tenantId, id)) !== undefined
}

export async function findSealedSecret(
  db: Database,
  tenantId: string,
  id: string,
): Promise<Buffer | undefined> {
  const found = await db
    .selectFrom('webhooks')
    .select('secret')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
  return found?.secret
}

/** Returns a school's enabled webhook that sends messages, the first if there are several. */
export async function findMessageWebhook(
  db: Database,
  tenantId: string,
): Promise<{ readonly id: string; readonly url: string; readonly secret: Buffer } | undefined> {
  return db
    .selectFrom('webhooks')
    .select(['id', 'url', 'secret'])
    .where('tenant_id', '=', tenantId)
    .where('disabled_at', 'is', null)
    .where(sql<boolean>`events::jsonb @> ${JSON.stringify([MESSAGE_EVENT])}::jsonb`)
    .orderBy('webhooks.created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

export async function countWebhooks(db: Database, tenantId: string): Promise<number> {
  const { count } = await db
    .selectFrom('webhooks')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('tenant_id', '=', tenantId)
    .executeTakeFirstOrThrow()
  return count
}

export async function lockWebhook(
  db: Transaction,
  tenantId: string,
  id: string,
): Promise<Webhook | undefined> {
  return db
    .selectFrom('webhooks')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export type NewRow = Pick<Webhook, 'id' | 'url' | 'events' | 'disabled'> & {
  readonly sealed: Buffer
  readonly position: Position
}

export async function insertWebhook(
  db: Transaction,
  actor: Actor,
  { id, url, events, disabled, sealed, position }: NewRow,
): Promise<Webhook> {
  const row = { id, url, events, disabled, disabled_reason: null }
  await recordChanges(db, actor, [changeEntryFor('webhook', undefined, logged(row))])
  return db
    .insertInto('webhooks')
    .values({
      tenant_id: actor.tenant.id,
      id,
      url,
      events: JSON.stringify(events),
      secret: sealed,
      disabled_at: disabled ? actor.now : null,
      position: JSON.stringify(position),
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** Updates a locked webhook and records the change. Ends the claim of a process that serves it. */
export async function updateWebhook(
  db: Transaction,
  actor: Actor,
  { stored, next }: { readonly stored: Webhook; readonly next: Webhook },
): Promise<Webhook> {
  if (!changedFields(stored, next)) return stored
  await recordChanges(db, actor, [changeEntryFor('webhook', logged(stored), logged(next))])
  return db
    .updateTable('webhooks')
    .set({
      url: next.url,
      events: JSON.stringify(next.events),
      disabled_reason: next.disabled_reason,
      ...(next.disabled === stored.disabled ? {} : { disabled_at: next.disabled ? actor.now : null }),
      ...TAKEN,
      ...nextVersion,
    })
    .where('tenant_id', '=', actor.tenant.id)
    .where('id', '=', next.id)
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** The values that end a process's claim. The webhook is due once that process, which may be sending, has released it. */
const TAKEN = {
  turn: sql<number>`turn + 1`,
  next_look_at: sql<Date>`case when held_turn is null then now() else next_look_at end`,
  failures: 0,
  failing_since: null,
}

/**
 * Moves a locked webhook back to a position, so that later deliveries are queued again. A webhook before that position stays,
 * since it would skip changes.
 */
export async function rewindWebhook(
  db: Transaction,
  actor: Actor,
  id: string,
  position: Position,
): Promise<void> {
  const earlier = sql<string>`case when (position ->> 'at')::timestamptz <= ${position.at}::timestamptz
    then (position::jsonb - 'piece')::json else ${JSON.stringify(position)}::json end`
  await db
    .updateTable('webhooks')
    .set({ ...TAKEN, position: earlier, round: sql<number>`round + 1` })
    .where('tenant_id', '=', actor.tenant.id)
    .where('id', '=', id)
    .execute()
}

export async function deleteWebhookRow(db: Transaction, actor: Actor, stored: Webhook): Promise<void> {
  await recordChanges(db, actor, [
    changeEntryFor('webhook', logged(stored), { ...logged(stored), deleted: true }),
  ])
  await db
    .deleteFrom('webhooks')
    .where('tenant_id', '=', actor.tenant.id)
    .where('id', '=', stored.id)
    .execute()
}

/** Returns the row for the log with the URL's origin only: the office reads the log, and the path may be a secret. */
function logged<Row extends Pick<Webhook, 'url'>>(row: Row): Row {
  return { ...row, url: new URL(row.url).origin }
}
