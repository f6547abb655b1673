import { utc } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'

export type IdentityKey = { readonly tenant_id: string; readonly issuer: string; readonly subject: string }

export type StoredIdentity = { readonly issuer: string; readonly since: string }

export async function findUserOfIdentity(
  db: Database,
  { tenant_id, issuer, subject }: IdentityKey,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('identities')
    .select('user_id')
    .where('tenant_id', '=', tenant_id)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.user_id
}

export async function findIdentity(db: Database, userId: string): Promise<StoredIdentity | undefined> {
  return db
    .selectFrom('identities')
    .select(['issuer', utc('created_at').as('since')])
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Links a locked user in place of an earlier link. Returns false if the person is linked to another user of the school. */
export async function linkIdentity(db: Transaction, userId: string, key: IdentityKey): Promise<boolean> {
  await unlinkIdentity(db, userId)
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('identities')
    .values({ ...key, user_id: userId })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'issuer', 'subject']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function unlinkIdentity(db: Transaction, userId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('identities')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

export async function unlinkSchool(db: Transaction, tenantId: string): Promise<void> {
  await db.deleteFrom('identities').where('tenant_id', '=', tenantId).execute()
}
