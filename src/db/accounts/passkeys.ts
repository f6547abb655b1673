import { sql } from 'kysely'
import type { Passkey } from '../../contract/passkey.ts'
import { createdAt, utc } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'

export type KeyFacts = {
  readonly credential_id: string
  readonly public_key: Buffer
  readonly counter: number
  readonly transports: readonly string[]
  readonly is_synced: boolean
  readonly is_backed_up: boolean
}

export type StoredPasskey = Pick<KeyFacts, 'credential_id' | 'public_key' | 'counter' | 'transports'> & {
  readonly id: string
  readonly user_id: string
}

const wireColumns = [
  'id',
  'name',
  createdAt,
  utc('last_used_at').as('last_used_at'),
  'is_synced',
  'is_backed_up',
] as const

const storedColumns = [
  'id',
  'user_id',
  'credential_id',
  'public_key',
  'transports',
  sql<number>`counter::float8`.as('counter'),
] as const

export async function listPasskeys(db: Database, userId: string): Promise<Passkey[]> {
  return db
    .selectFrom('passkeys')
    .select(wireColumns)
    .where('user_id', '=', userId)
    .orderBy(sql`passkeys.created_at`)
    .orderBy('id')
    .execute()
}

export async function listStoredPasskeys(db: Database, userId: string): Promise<StoredPasskey[]> {
  return db.selectFrom('passkeys').select(storedColumns).where('user_id', '=', userId).execute()
}

export async function findStoredPasskey(
  db: Database,
  credentialId: string,
): Promise<StoredPasskey | undefined> {
  return db
    .selectFrom('passkeys')
    .select(storedColumns)
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
}

/** Stores a passkey. Returns undefined if any user already has it. */
export async function insertPasskey(
  db: Transaction,
  userId: string,
  passkey: KeyFacts & Pick<Passkey, 'id' | 'name'>,
): Promise<Passkey | undefined> {
  return db
    .insertInto('passkeys')
    .values({ ...passkey, transports: [...passkey.transports], user_id: userId })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning(wireColumns)
    .executeTakeFirst()
}

export async function lockPasskey(db: Transaction, userId: string, id: string): Promise<Passkey | undefined> {
  return db
    .selectFrom('passkeys')
    .select(wireColumns)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
}

export async function setPasskeyName(
  db: Transaction,
  userId: string,
  { id, name }: Pick<Passkey, 'id' | 'name'>,
): Promise<void> {
  await db.updateTable('passkeys').set({ name }).where('id', '=', id).where('user_id', '=', userId).execute()
}

export async function deletePasskey(db: Transaction, userId: string, id: string): Promise<void> {
  await db.deleteFrom('passkeys').where('id', '=', id).where('user_id', '=', userId).execute()
}

export async function deletePasskeys(db: Transaction, userId: string): Promise<void> {
  await db.deleteFrom('passkeys').where('user_id', '=', userId).execute()
}

/** Records a use. Returns false if the passkey was deleted or its counter, unless 0, did not increase. */
export async function recordPasskeyUse(
  db: Transaction,
  id: string,
  { counter, is_backed_up }: Pick<KeyFacts, 'counter' | 'is_backed_up'>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ counter, is_backed_up, last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(sql<boolean>`(counter < ${counter} or ${counter}::bigint = 0)`)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
