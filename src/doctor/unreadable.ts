import { sqlStateOf } from '../db/connection/transaction.ts'
import type { Fact } from './finding.ts'

/** The SQLSTATEs of internal errors and corrupted data or indexes (XX), and of unreadable files (58). */
const DAMAGE = /^(XX|58)/

/** Runs `work`. If the database cannot read its data, reports that and returns. */
export async function unlessUnreadable(
  report: (fact: Fact) => void,
  what: Pick<Fact, 'resource' | 'resource_id'>,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof Error) || !DAMAGE.test(sqlStateOf(error) ?? '')) throw error
    report({ ...what, code: 'unreadable', params: { reason: error.message } })
  }
}
