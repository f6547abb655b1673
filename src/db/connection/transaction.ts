import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { unavailable } from '../../contract/problem.ts'
import type { Database, Transaction } from '../schema/tables.ts'
import { handleOn } from './connection.ts'
import { startDeadline, stopDeadline } from './deadline.ts'
import type { DatabasePool } from './pool.ts'

const ATTEMPTS = 6
/** The maximum of restarts, as a safety net: each means that another transaction has committed. */
const RESTARTS = 200

/** The SQLSTATEs of a deadlock, a serialization failure and an exclusion violation despite locks: a retry sees the conflict. */
const RETRYABLE = new Set(['40P01', '40001', '23P01'])

export const UNIQUE_VIOLATION = '23505'

/** Thrown if rows read before a lock have changed: the work restarts at once, with other locks. */
export class Outdated extends Error {}

/** Sends the commit with the last write, in one round trip. No statement may follow in the transaction. */
export type CommitWith = <T>(lastWrite: Promise<T>) => Promise<T>

type Work<T> = (db: Transaction, commitWith: CommitWith) => Promise<T>

/** Runs and retries a READ COMMITTED transaction. Statements started together run in order, each with its own snapshot. */
export async function inTransaction<T>(database: DatabasePool, work: Work<T>): Promise<T> {
  let failures = 0
  for (let restarts = 0; failures < ATTEMPTS && restarts < RESTARTS; restarts += 1) {
    try {
      return await attemptOnce(database, work)
    } catch (error) {
      if (error instanceof Outdated) continue
      if (!RETRYABLE.has(sqlStateOf(error) ?? '')) throw error
      failures += 1
      await pause(Math.random() * 10 * 2 ** failures)
    }
  }
  throw unavailable()
}

/** Runs work that cannot restart, such as reading a file, in a READ COMMITTED transaction. Does not retry on a deadlock. */
export async function inTransactionOnce<T>(
  database: DatabasePool,
  work: (db: Transaction) => Promise<T>,
): Promise<T> {
  return attemptOnce(database, work)
}

const SNAPSHOT_STATEMENT_TIMEOUT = '120s'

export async function inSnapshot<T>(database: DatabasePool, work: (db: Database) => Promise<T>): Promise<T> {
  return attemptOnce(database, work, sql`begin isolation level repeatable read, read only`)
}

/** Runs reads in one snapshot, each up to 120 s. Needs a connection without a query timeout (`connectForMaintenance`). */
export async function inLongSnapshot<T>(
  database: DatabasePool,
  work: (db: Database) => Promise<T>,
): Promise<T> {
  return inSnapshot(database, async (db) => {
    await sql`set local statement_timeout = ${sql.lit(SNAPSHOT_STATEMENT_TIMEOUT)}`.execute(db)
    return work(db)
  })
}

const READ_COMMITTED = sql`begin isolation level read committed`

async function attemptOnce<T>(
  { pool, isSpread }: DatabasePool,
  work: Work<T>,
  begin = READ_COMMITTED,
): Promise<T> {
  startDeadline()
  const client = await pool.connect()
  const db = handleOn(client, isSpread)
  let isOver = false
  const commit = async () => {
    stopDeadline()
    isOver = true
    await sql`commit`.execute(db)
  }
  try {
    const [, result] = await Promise.all([
      begin.execute(db),
      work(db, (lastWrite) => withCommit(lastWrite, commit())),
    ])
    if (!isOver) await commit()
    client.release()
    return result
  } catch (error) {
    client.release(!isOver && (await rollbackFails(db)))
    throw error
  }
}

/** Throws the write's error first: a failed write also fails the commit, possibly sooner, but without the reason. */
async function withCommit<T>(lastWrite: Promise<T>, commit: Promise<void>): Promise<T> {
  await Promise.allSettled([lastWrite, commit])
  const written = await lastWrite
  await commit
  return written
}

async function rollbackFails(db: Transaction): Promise<boolean> {
  return sql`rollback`.execute(db).then(
    () => false,
    () => true,
  )
}

export async function unlessRetryable<T>(attempt: () => Promise<T>): Promise<T | undefined> {
  stopDeadline()
  try {
    return await attempt()
  } catch (error) {
    if (error instanceof Outdated || RETRYABLE.has(sqlStateOf(error) ?? '')) return undefined
    throw error
  }
}

export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
