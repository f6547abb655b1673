import { sql } from 'kysely'
import type { Passkey } from '../../contract/passkey.ts'
import { createdAt, utc } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'

/** A device's statement about a key that it has created. */
export type KeyFacts = {
  readonly credential_id: string
  readonly public_key: Buffer
  readonly counter: number
  readonly transports: readonly string[]
  readonly is_synced: boolean
  readonly is_backed_up: boolean
}

/** A passkey with what its answers are checked against. */
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

/** The counters of all devices fit into 32 bits, so a number holds them. */
const storedColumns = [
  'id',
  'user_id',
  'credential_id',
  'public_key',
  'transports',
  sql<number>`counter::float8`.as('counter'),
] as const

/** The passkeys of a user, the oldest first. */
export async function listPasskeys(db: Database, userId: string): Promise<Passkey[]> {
  return db
    .selectFrom('passkeys')
    .select(wireColumns)
    .where('user_id', '=', userId)
    .orderBy(sql`passkeys.created_at`)
    .orderBy('id')
    .execute()
}

/** The same, with what a browser and its answers need. */
export async function listStoredPasskeys(db: Database, userId: string): Promise<StoredPasskey[]> {
  return db.selectFrom('passkeys').select(storedColumns).where('user_id', '=', userId).execute()
}

/** The passkey of that name in WebAuthn, whosever it is. */
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

/** Stores a passkey; nothing if the device's key is stored already, whosever it is. */
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

/** The passkey of a user under a lock; nothing if it is not the user's. */
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

/** Deletes all passkeys of a user. */
export async function deletePasskeys(db: Transaction, userId: string): Promise<void> {
  await db.deleteFrom('passkeys').where('user_id', '=', userId).execute()
}

/** Notes that a passkey was used. False: it is gone, or its counter has meanwhile passed this one. */
export async function notePasskeyUse(
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
