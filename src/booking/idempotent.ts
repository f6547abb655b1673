import type { Actor } from '../contract/actor.ts'
import { notFound, Problem } from '../contract/problem.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import type { CommitWith } from '../db/connection/transaction.ts'
import {
  dropExpiredKey,
  findKeptAnswer,
  type IdempotencyKey,
  isKeyTaken,
  type StoredResponse,
  storeResponse,
} from '../db/idempotency-keys.ts'
import type { Transaction } from '../db/schema/tables.ts'

export type IdempotentResult<T> = { readonly value: T; readonly json?: string }

/**
 * Executes a request once per key. `make` stores its response with its writes and fails if the key is taken, so only a retry
 * or refusal costs a look-up. Throws as `make` does, `idempotency_key_reused`, and `not_found` if the data has been erased.
 */
export async function executeOnce<T>(
  database: DatabasePool,
  actor: Actor,
  key: IdempotencyKey | undefined,
  make: () => Promise<T>,
): Promise<IdempotentResult<T>> {
  try {
    return { value: await make() }
  } catch (error) {
    if (!key || !(error instanceof Problem || isKeyTaken(error)) || isForActor(error)) throw error
    const kept = await findKeptAnswer(database, actor, key)
    if (kept?.part === key.part) return replayOf<T>(kept, key)
    if (error instanceof Problem) throw error
    await dropExpiredKey(database, actor, key)
    return executeOnce(database, actor, key, make)
  }
}

/** Whether the error concerns the actor: an ended session must not get the stored response. */
function isForActor(error: unknown): boolean {
  return error instanceof Problem && (error.code === 'unauthenticated' || error.code === 'forbidden')
}

/** Returns the stored response. Throws `idempotency_key_reused` for a different request, `not_found` for erased data. */
export function replayOf<T>(
  { request_hash, body }: StoredResponse,
  key: IdempotencyKey,
): IdempotentResult<T> {
  if (request_hash === null || body === null) throw notFound()
  if (!request_hash.equals(key.request_hash)) throw new Problem('idempotency_key_reused')
  return { value: JSON.parse(body), json: body }
}

/** Waits for the write, then stores the response under the key, if any: only the last statement may be sent with the commit. */
export async function commitOnce<T extends object>(
  { db, actor, commitWith }: { db: Transaction; actor: Actor; commitWith: CommitWith },
  key: IdempotencyKey | undefined,
  write: Promise<T>,
): Promise<T> {
  const written = await write
  if (key) await commitWith(storeResponse(db, actor, key, written))
  return written
}
