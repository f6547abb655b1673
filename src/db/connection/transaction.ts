import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { unavailable } from '../../contract/problem.ts'
import type { Database, Transaction } from '../schema/tables.ts'
import { handleOn } from './connection.ts'
import { startDeadline, stopDeadline } from './deadline.ts'
import type { DatabasePool } from './pool.ts'

const ATTEMPTS = 6
/** Each time somebody else has got through, so this ends; the bound is for the day on which it would not. */
const RESTARTS = 200

/**
 * SQLSTATEs that another try can mend: deadlock, serialization failure, and an exclusion constraint that fired behind
 * the locks' back. After that last one the agenda shows the rival, so the rules answer with its numbers.
 */
const RETRYABLE = new Set(['40P01', '40001', '23P01'])

/** The SQLSTATE of a value that another row has and that is unique. */
export const UNIQUE_VIOLATION = '23505'

/** A change under the locks of rows read before them: the work must start over, at once and under other locks. */
export class Outdated extends Error {}

/** Commits together with the last write, in one journey. Nothing may follow in the transaction. */
export type CommitWith = <T>(lastWrite: Promise<T>) => Promise<T>

type Work<T> = (db: Transaction, commitWith: CommitWith) => Promise<T>

/**
 * Runs the work in one READ COMMITTED transaction; retries it, from the start, when PostgreSQL asks for that. Statements
 * that are started together travel together and run in the order of their start, each with a snapshot of its own.
 */
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

/**
 * Runs the work in one READ COMMITTED transaction, once: for work that cannot start over, such as that of a file that is
 * read. Nobody else may be in its way: a deadlock is thrown.
 */
export async function inTransactionOnce<T>(
  database: DatabasePool,
  work: (db: Transaction) => Promise<T>,
): Promise<T> {
  return attemptOnce(database, work)
}

/** A statement that reads a whole school takes longer than one that answers a request. */
const SNAPSHOT_STATEMENT_TIMEOUT = '120s'

/**
 * Runs reading work on one state of the database, however long it takes and whatever is written meanwhile. Nothing can be
 * written in it. It must come with a connection that waits for its statements (`connectForMaintenance`).
 */
export async function inSnapshot<T>(database: DatabasePool, work: (db: Database) => Promise<T>): Promise<T> {
  return attemptOnce(
    database,
    async (db) => {
      await sql`set local statement_timeout = ${sql.lit(SNAPSHOT_STATEMENT_TIMEOUT)}`.execute(db)
      return work(db)
    },
    sql`begin isolation level repeatable read, read only`,
  )
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

/** A write that fails makes the commit fail too, maybe sooner; the write knows why. */
async function withCommit<T>(lastWrite: Promise<T>, commit: Promise<void>): Promise<T> {
  await Promise.allSettled([lastWrite, commit])
  const written = await lastWrite
  await commit
  return written
}

/** A connection that cannot even roll back is thrown away. */
async function rollbackFails(db: Transaction): Promise<boolean> {
  return sql`rollback`.execute(db).then(
    () => false,
    () => true,
  )
}

/** Returns the result of a single statement; undefined where a transaction would have been retried. */
export async function unlessRetryable<T>(attempt: () => Promise<T>): Promise<T | undefined> {
  stopDeadline()
  try {
    return await attempt()
  } catch (error) {
    if (RETRYABLE.has(sqlStateOf(error) ?? '')) return undefined
    throw error
  }
}

/** The SQLSTATE of a database error, if it is one. */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
