import { sqlStateOf } from '../db/connection/transaction.ts'
import type { Fact } from './finding.ts'

/** SQLSTATEs of an internal error, corrupted data or a corrupted index (XX), and of files that cannot be read (58). */
const DAMAGE = /^(XX|58)/

/** Does the work; where the database cannot read what it needs, that is a fact, too, and the work ends. */
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
