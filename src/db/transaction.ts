import { setTimeout as pause } from 'node:timers/promises'
import { unavailable } from '../contract/problem.ts'
import type { Database, Transaction } from './tables.ts'

const ATTEMPTS = 6

/**
 * SQLSTATEs that another try can mend: deadlock, serialization failure, and an exclusion constraint that fired behind
 * the locks' back. After that last one the agenda shows the rival, so the rules answer with its numbers.
 */
const RETRYABLE = new Set(['40P01', '40001', '23P01'])

/** What was read before the locks has changed under them: the work must start over. */
export class Outdated extends Error {
  readonly code = '40001'
}

/** Runs the work in one READ COMMITTED transaction; retries it, from the start, when PostgreSQL asks for that. */
export async function inTransaction<T>(db: Database, work: (db: Transaction) => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      return await db.transaction().setIsolationLevel('read committed').execute(work)
    } catch (error) {
      if (!RETRYABLE.has(sqlStateOf(error) ?? '')) throw error
      await pause(Math.random() * 10 * 2 ** attempt)
    }
  }
  throw unavailable()
}

/** The SQLSTATE of a database error, if it is one. */
export function sqlStateOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
