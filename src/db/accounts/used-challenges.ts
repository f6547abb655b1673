import { sql } from 'kysely'
import type { Database, Transaction } from '../schema/tables.ts'

/** The minutes for which used challenges are kept: longer than any is valid, even with a slow clock. */
const KEPT_MINUTES = 30

export async function claimChallenge(db: Transaction, id: string): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('used_challenges')
    .values({ id, expires_at: sql<Date>`now() + make_interval(mins => ${KEPT_MINUTES})` })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function purgeUsedChallenges(db: Database): Promise<void> {
  await sql`delete from used_challenges where expires_at < now()`.execute(db)
}
