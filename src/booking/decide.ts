import type { Actor } from '../contract/actor.ts'
import { type CalendarVersion, lockCalendars } from '../db/calendars/calendar-locks.ts'
import { startDeadline } from '../db/connection/deadline.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction, Outdated, unlessRetryable } from '../db/connection/transaction.ts'
import { type Database, isInSteps, type Transaction } from '../db/schema/tables.ts'

/** The write to perform, and the calendar versions it was decided on. */
export type Decision<T> = {
  readonly seen: readonly CalendarVersion[]
  /** Writes, or returns undefined if a calendar has changed. */
  readonly write: (db: Database) => Promise<T | undefined>
}

type Question<T> = {
  /** Reads and decides. Throws the refusal, which is true of a committed state. */
  readonly look: (db: Database) => Promise<Decision<T>>
  /** Locks further rows, after the calendars. */
  readonly lock?: (db: Transaction) => Promise<unknown>
}

/**
 * Decides without locks: a refusal costs one read and waits for nobody. An acceptance is written if the calendars are
 * unchanged; otherwise they are locked and the decision is made again.
 */
export async function decide<T>(
  database: DatabasePool,
  { tenant }: Actor,
  { look, lock }: Question<T>,
): Promise<T> {
  startDeadline()
  let decision = await look(database)
  let isToBeTried = isInSteps(database)
  const written = isToBeTried ? undefined : await unlessRetryable(() => decision.write(database))
  if (written) return written
  return inTransaction(database, async (db, commitWith) => {
    if (isToBeTried) {
      isToBeTried = false
      return requireWritten(await decision.write(db))
    }
    const ids = decision.seen.map(({ id }) => id)
    const [, , next] = await Promise.all([lockCalendars(db, tenant.id, ids), lock?.(db), look(db)])
    decision = next
    // The change needs other calendars now: the next attempt locks them first.
    if (!next.seen.every(({ id }) => ids.includes(id))) throw new Outdated()
    // A write in steps is kept or rolled back only at its end.
    return requireWritten(await (isInSteps(db) ? decision.write(db) : commitWith(decision.write(db))))
  })
}

function requireWritten<T>(written: T | undefined): T {
  if (!written) throw new Outdated()
  return written
}
