import type { Actor } from '../contract/actor.ts'
import { type CalendarVersion, lockCalendars } from '../db/calendars/calendar-locks.ts'
import { startDeadline } from '../db/connection/deadline.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction, Outdated, unlessRetryable } from '../db/connection/transaction.ts'
import { type Database, isInSteps, type Transaction } from '../db/schema/tables.ts'

/** The write to perform, and the calendar versions it was decided on. */
export type Decision<T> = {
  readonly seen: readonly CalendarVersion[]
  /** Writes, if nothing has moved; nothing otherwise. */
  readonly write: (db: Database) => Promise<T | undefined>
}

type Question<T> = {
  /** Reads and decides. A refusal is thrown: it was true of a state that was committed. */
  readonly look: (db: Database) => Promise<Decision<T>>
  /** Locks rows beside the calendars, after them. */
  readonly lock?: (db: Transaction) => Promise<unknown>
}

/**
 * Decides before anything is locked: a refusal costs one read and waits for nobody, and an acceptance is written if the
 * calendars are still as it saw them. If one has moved, or a constraint knows better, they are locked and all is asked
 * again.
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
    // Had it meanwhile gone to others, they would have to be locked first: the next attempt does.
    if (!next.seen.every(({ id }) => ids.includes(id))) throw new Outdated()
    // A write in steps knows only at the end whether it is to be kept.
    return requireWritten(await (isInSteps(db) ? decision.write(db) : commitWith(decision.write(db))))
  })
}

/** Returns the written row. Throws `Outdated` if a calendar has changed. */
function requireWritten<T>(written: T | undefined): T {
  if (!written) throw new Outdated()
  return written
}
