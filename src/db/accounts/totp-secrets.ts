import type { Database, Transaction } from '../schema/tables.ts'

export async function findTotpSecret(db: Database, userId: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('totp_secrets')
    .select('sealed_secret')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row && Buffer.from(row.sealed_secret)
}

export async function replaceTotpSecret(
  db: Transaction,
  user_id: string,
  secret: { readonly sealed_secret: Buffer; readonly last_step: number },
): Promise<void> {
  await deleteTotpSecret(db, user_id)
  await db
    .insertInto('totp_secrets')
    .values({ ...secret, user_id })
    .execute()
}

export async function deleteTotpSecret(db: Transaction, userId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('totp_secrets')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

/** Uses up the code of a step and all before it. Returns false if one of them has been used, or the secret replaced. */
export async function claimTotpStep(
  db: Transaction,
  userId: string,
  { sealed, step }: { readonly sealed: Buffer; readonly step: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('totp_secrets')
    .set({ last_step: step })
    .where('user_id', '=', userId)
    .where('sealed_secret', '=', sealed)
    .where('last_step', '<', step)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
