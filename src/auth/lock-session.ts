import type { Actor } from '../contract/actor.ts'
import { Problem } from '../contract/problem.ts'
import { findLiveSession, type LiveSession, lockFamily } from '../db/accounts/refresh-tokens.ts'
import type { Database, Transaction } from '../db/schema/tables.ts'

/**
 * Locks the actor's session until the transaction ends. Call it last, after locking schools, users and calendars. Throws
 * `unauthenticated` if it has ended, `forbidden` if the role has changed.
 */
export async function lockSession(db: Transaction, actor: Actor): Promise<void> {
  if (actor.session_id !== undefined) requireSame(actor, await lockFamily(db, actor.session_id))
}

/** Reads the session again without a lock, between the parts of a long write. Throws as `lockSession` does. */
export async function requireSession(db: Database, actor: Actor): Promise<void> {
  if (actor.session_id !== undefined) requireSame(actor, await findLiveSession(db, actor.session_id))
}

function requireSame({ role, instructor_id }: Actor, live: LiveSession | undefined): void {
  if (!live) throw new Problem('unauthenticated')
  if (live.role !== role || live.instructor_id !== instructor_id) throw new Problem('forbidden')
}
