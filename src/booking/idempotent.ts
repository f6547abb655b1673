import type { Actor } from '../contract/actor.ts'
import { notFound, Problem } from '../contract/problem.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import type { CommitWith } from '../db/connection/transaction.ts'
import {
  dropExpiredKey,
  findKeptAnswer,
  type IdempotencyKey,
  isKeyTaken,
  type KeptAnswer,
  keepAnswer,
} from '../db/idempotency-keys.ts'
import type { Transaction } from '../db/schema/tables.ts'

/** The result of a request, with the text of the first response if an earlier request with the same key has executed it. */
export type IdempotentResult<T> = { readonly value: T; readonly json?: string }

/**
 * Makes what a request asks for, unless it was made under the same key before. `make` keeps its answer with what it writes,
 * and fails where the key is taken: a first request costs nothing more, and only one that is refused or meets its key is
 * looked up. Throws what `make` throws, `idempotency_key_reused`, and `not_found` for what has been erased since.
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

/** Whether the actor may not, or no longer, ask: nothing is repeated to a session that has ended. */
function isForActor(error: unknown): boolean {
  return error instanceof Problem && (error.code === 'unauthenticated' || error.code === 'forbidden')
}

/** Returns the first response. Throws `idempotency_key_reused` for another request, `not_found` for erased data. */
export function replayOf<T>({ request_hash, body }: KeptAnswer, key: IdempotencyKey): IdempotentResult<T> {
  if (request_hash === null || body === null) throw notFound()
  if (!request_hash.equals(key.request_hash)) throw new Problem('idempotency_key_reused')
  return { value: JSON.parse(body), json: body }
}

/**
 * Writes, and keeps the answer under the key, if there is one. Only the last statement of a transaction may travel with its commit,
 * and a write may be several.
 */
export async function commitOnce<T extends object>(
  { db, actor, commitWith }: { db: Transaction; actor: Actor; commitWith: CommitWith },
  key: IdempotencyKey | undefined,
  write: Promise<T>,
): Promise<T> {
  const written = await write
  if (key) await commitWith(keepAnswer(db, actor, key, written))
  return written
}
