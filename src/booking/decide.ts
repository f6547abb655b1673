import type { Actor } from '../contract/actor.ts'
import { type CalendarVersion, lockCalendars } from '../db/calendars/calendar-locks.ts'
import { startDeadline } from '../db/connection/deadline.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction, inTransactionOnce, Outdated, unlessRetryable } from '../db/connection/transaction.ts'
import { type Database, needsSeparateStatements, type Transaction } from '../db/schema/tables.ts'

export type Decision<T> = {
  readonly seen: readonly CalendarVersion[]
  readonly write: (db: Database) => Promise<T | undefined>
  /** Whether the write has several statements, which need the locks and a transaction. */
  readonly isCompound?: boolean
}

type DecisionReads<T> = {
  /** Reads committed data and decides. Throws the refusal. */
  readonly read: (db: Database) => Promise<Decision<T>>
  readonly lock?: (db: Transaction) => Promise<unknown>
}

/**
 * Decides without locks, so that a refusal costs one read. Writes an acceptance if the calendars are unchanged; otherwise
 * locks them and decides again.
 */
export async function decide<T>(
  database: DatabasePool,
  { tenant }: Actor,
  reads: DecisionReads<T>,
): Promise<T> {
  startDeadline()
  const decision = await reads.read(database)
  const written = decision.isCompound
    ? undefined
    : await unlessRetryable(() => writeUnlocked(database, decision))
  return written ?? decideUnderLocks(database, tenant.id, decision.seen, reads)
}

async function writeUnlocked<T>(database: DatabasePool, { write }: Decision<T>): Promise<T | undefined> {
  if (!needsSeparateStatements(database)) return write(database)
  return inTransactionOnce(database, async (db) => requireWritten(await write(db)))
}

/** Locks calendars and decides again; starts over if the new decision needs other calendars. */
async function decideUnderLocks<T>(
  database: DatabasePool,
  tenantId: string,
  seen: readonly CalendarVersion[],
  { read, lock }: DecisionReads<T>,
): Promise<T> {
  let locked = seen.map(({ id }) => id)
  return inTransaction(database, async (db, commitWith) => {
    const [, , decision] = await Promise.all([lockCalendars(db, tenantId, locked), lock?.(db), read(db)])
    const needed = decision.seen.map(({ id }) => id)
    const areLocked = needed.every((id) => locked.includes(id))
    locked = needed
    if (!areLocked) throw new Outdated()
    return requireWritten(
      await (decision.isCompound || needsSeparateStatements(db)
        ? decision.write(db)
        : commitWith(decision.write(db))),
    )
  })
}

function requireWritten<T>(written: T | undefined): T {
  if (!written) throw new Outdated()
  return written
}
