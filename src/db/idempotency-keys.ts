import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../contract/actor.ts'
import type { Parameters } from './connection/statement.ts'
import { sqlStateOf, UNIQUE_VIOLATION } from './connection/transaction.ts'
import { lessonsAbout } from './log/changes.ts'
import type { Database, Transaction } from './schema/tables.ts'

/** For so many hours a request is known by its key. */
const KEPT_HOURS = 24

/** A worker of a cluster adds the number of a shard, and says the name in the message only. */
const PRIMARY_KEY = /\bidempotency_keys_pkey(_\d+)?\b/

/** The key by which a user may send a request again, and the hash that distinguishes it from any other request. */
export type IdempotencyKey = {
  readonly user_id: string
  readonly key: string
  /** 0 is the request itself; a lesson of a series has its position, from 1. */
  readonly part: number
  /** SHA-256 of the address and the body. */
  readonly request_hash: Buffer
}

/** The answer to a request with that key; its hash and body are null once they are erased. */
export type KeptAnswer = {
  readonly part: number
  readonly request_hash: Buffer | null
  /** JSON text. */
  readonly body: string | null
}

/** A key as parameters of a statement; nothing for a request that has none. */
export type KeyValues = {
  readonly key_user_id?: string | undefined
  readonly key?: string | undefined
  readonly key_part?: number | undefined
  readonly request_hash?: Buffer | undefined
  readonly kept_at?: Date | undefined
}

/** The key as the parameters of `keptAnswer`. */
export function keyValues(actor: Actor, key: IdempotencyKey | undefined): KeyValues {
  if (!key) return {}
  const { user_id, part, request_hash } = key
  return { key_user_id: user_id, key: key.key, key_part: part, request_hash, kept_at: actor.now }
}

/**
 * The part of a statement that keeps the row of `answer` under a key: the statement fails, and all of it, if another
 * request has that key. Empty where there is none.
 */
export function keptAnswer(
  tenant_id: RawBuilder<string>,
  values: Parameters<KeyValues>,
  answer: RawBuilder<unknown>,
) {
  const { key_user_id, key, key_part, request_hash, kept_at } = values
  if (!key) return sql``
  return sql`, kept as (
      insert into idempotency_keys (tenant_id, user_id, key, part, request_hash, body, at)
      select ${tenant_id}::uuid, ${key_user_id}::uuid, ${key}::text, ${key_part}::integer, ${request_hash}::bytea,
        row_to_json(answer)::text, ${kept_at}::timestamptz
      from (${answer}) answer)`
}

/** Keeps an answer under a key, in the transaction of what it tells. Fails if another request has that key. */
export async function keepAnswer(
  db: Transaction,
  actor: Actor,
  key: IdempotencyKey,
  answer: object,
): Promise<void> {
  const row = { ...key, tenant_id: actor.tenant.id, body: JSON.stringify(answer), at: actor.now }
  await db.insertInto('idempotency_keys').values(row).execute()
}

/** Whether a write failed because another request has its key. */
export function isKeyTaken(error: unknown): boolean {
  const isTwice = sqlStateOf(error) === UNIQUE_VIOLATION
  return isTwice && PRIMARY_KEY.test((error as Error).message)
}

/**
 * Finds the response of the last 24 hours, by the actor's clock, to the request with this key, or to the first part of one that was
 * cut short.
 */
export async function findKeptAnswer(
  db: Database,
  actor: Actor,
  { user_id, key, part }: IdempotencyKey,
): Promise<KeptAnswer | undefined> {
  return db
    .selectFrom('idempotency_keys')
    .select(['part', 'request_hash', 'body'])
    .where('tenant_id', '=', actor.tenant.id)
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .where('part', '>=', part)
    .where('at', '>', expiry(actor))
    .orderBy('part')
    .limit(1)
    .executeTakeFirst()
}

/** Frees a key whose time is over before housekeeping has come round. */
export async function dropExpiredKey(
  db: Database,
  actor: Actor,
  { user_id, key }: IdempotencyKey,
): Promise<void> {
  await db
    .deleteFrom('idempotency_keys')
    .where('tenant_id', '=', actor.tenant.id)
    .where('user_id', '=', user_id)
    .where('key', '=', key)
    .where('at', '<=', expiry(actor))
    .execute()
}

function expiry({ now }: Actor): Date {
  return new Date(now.getTime() - KEPT_HOURS * 3_600_000)
}

/** Takes what tells of a student, or of a lesson that was ever the student's, out of the kept answers. */
export async function scrubKeptAnswers(db: Transaction, tenantId: string, studentId: string): Promise<void> {
  const ids = [studentId, ...(await lessonsAbout(db, tenantId, studentId))]
  await sql`
    update idempotency_keys set request_hash = null, body = null
    where tenant_id = ${tenantId} and body like any(${ids.map((id) => `%${id}%`)}::text[])`.execute(db)
}

/** Deletes what has been kept for its time. */
export async function purgeKeptAnswers(db: Database): Promise<void> {
  await sql`delete from idempotency_keys
    where at < now() - make_interval(hours => ${KEPT_HOURS})`.execute(db)
}
