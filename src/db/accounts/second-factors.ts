import { sql } from 'kysely'
import type { SecondFactor } from '../../contract/passkey.ts'
import { utc } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'

export async function findSecondFactor(db: Database, userId: string): Promise<SecondFactor> {
  return db
    .selectFrom('users')
    .leftJoin('totp_secrets as totp', 'totp.user_id', 'users.id')
    .select([
      'users.second_factor as enabled',
      utc('totp.created_at').as('totp_since'),
      sql<boolean>`(select second_factor from tenants where id = users.tenant_id) = 'required'`.as(
        'is_required',
      ),
      sql<number>`(select count(*)::int from recovery_codes
        where user_id = users.id and used_at is null)`.as('recovery_codes_left'),
    ])
    .where('users.id', '=', userId)
    .executeTakeFirstOrThrow()
}

/** Locks the user, so that passkeys, recovery codes and the second-factor setting change one at a time. */
export async function lockSecondFactor(db: Transaction, userId: string): Promise<SecondFactor> {
  await db.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
  return findSecondFactor(db, userId)
}

export async function setSecondFactor(db: Transaction, userId: string, enabled: boolean): Promise<void> {
  await db.updateTable('users').set({ second_factor: enabled }).where('id', '=', userId).execute()
}

export async function replaceRecoveryCodes(
  db: Transaction,
  user_id: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await db.deleteFrom('recovery_codes').where('user_id', '=', user_id).execute()
  const rows = hashes.map((code_hash) => ({ user_id, code_hash, used_at: null }))
  if (rows.length > 0) await db.insertInto('recovery_codes').values(rows).execute()
}

export async function claimRecoveryCode(db: Transaction, userId: string, hash: Buffer): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recovery_codes')
    .set({ used_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
