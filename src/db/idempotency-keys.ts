import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../contract/actor.ts'
import type { Parameters } from './connection/statement.ts'
import { sqlStateOf, UNIQUE_VIOLATION } from './connection/transaction.ts'
import { lessonsAbout } from './log/changes.ts'
import type { Database, Transaction } from './schema/tables.ts'

const KEPT_HOURS = 24

/** The constraint's name in an error message. A Citus worker appends the shard's number and sends the name only there. */
const PRIMARY_KEY = /\bidempotency_keys_pkey(_\d+)?\b/

export type IdempotencyKey = {
  readonly user_id: string
  readonly key: string
  /** 0 for the request itself, or the position of a lesson in a series, from 1. */
  readonly part: number
  readonly request_hash: Buffer
}

/** The stored response of a key; hash and body are null after an erasure. */
export type StoredResponse = {
  readonly part: number
  readonly request_hash: Buffer | null
  readonly body: string | null
}

export type KeyValues = {
  readonly key_user_id?: string | undefined
  readonly key?: string | undefined
  readonly key_part?: number | undefined
  readonly request_hash?: Buffer | undefined
  readonly kept_at?: Date | undefined
}

export function keyValues(actor: Actor, key: IdempotencyKey | undefined): KeyValues {
  if (!key) return {}
  const { user_id, part, request_hash } = key
  return { key_user_id: user_id, key: key.key, key_part: part, request_hash, kept_at: actor.now }
}

/** Returns the part of a statement that stores `answer` under a key, or fails if the key is taken. Empty without a key. */
export function storedResponsePart(
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

/** Stores a response under a key, in the request's transaction. Throws if the key is taken. */
export async function storeResponse(
  db: Transaction,
  actor: Actor,
  key: IdempotencyKey,
  answer: object,
): Promise<void> {
  const row = { ...key, tenant_id: actor.tenant.id, body: JSON.stringify(answer), at: actor.now }
  await db.insertInto('idempotency_keys').values(row).execute()
}

export function isKeyTaken(error: unknown): boolean {
  const isTwice = sqlStateOf(error) === UNIQUE_VIOLATION
  return isTwice && PRIMARY_KEY.test((error as Error).message)
}

/** Returns the response to a request, or the first stored part of an interrupted one, from the last 24 hours (actor's clock). */
export async function findKeptAnswer(
  db: Database,
  actor: Actor,
  { user_id, key, part }: IdempotencyKey,
): Promise<StoredResponse | undefined> {
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

export async function scrubKeptAnswers(db: Transaction, tenantId: string, studentId: string): Promise<void> {
  const ids = [studentId, ...(await lessonsAbout(db, tenantId, studentId))]
  await sql`
    update idempotency_keys set request_hash = null, body = null
    where tenant_id = ${tenantId} and body like any(${ids.map((id) => `%${id}%`)}::text[])`.execute(db)
}

export async function purgeKeptAnswers(db: Database): Promise<void> {
  await sql`delete from idempotency_keys
    where at < now() - make_interval(hours => ${KEPT_HOURS})`.execute(db)
}
