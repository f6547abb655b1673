import type { Actor } from '../contract/actor.ts'
import { notFound } from '../contract/problem.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import type { Transaction } from '../db/schema/tables.ts'
import { type ExpectedVersion, requireExpected } from './expected-version.ts'

type Deletable = { readonly version: number; readonly deleted?: boolean }

/**
 * Returns a use case that locks a resource and removes it. It throws `not_found`, `stale` if the client has seen another
 * version, and as `remove` does.
 */
export function deletion<Stored extends Deletable>(
  lock: (db: Transaction, actor: Actor, id: string) => Promise<Stored | undefined>,
  remove: (db: Transaction, actor: Actor, stored: Stored) => Promise<unknown>,
) {
  return (database: DatabasePool, actor: Actor, id: string, isExpected: ExpectedVersion): Promise<void> =>
    inTransaction(database, async (db) => {
      const stored = await lock(db, actor, id)
      if (!stored || stored.deleted) throw notFound()
      requireExpected(isExpected, stored)
      await remove(db, actor, stored)
    })
}
