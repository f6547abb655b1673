import { sql } from 'kysely'
import { utc } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'
import { revokeFamiliesWhere } from './refresh-tokens.ts'

export type StoredProvider = {
  readonly tenant_id: string
  readonly issuer: string
  readonly client_id: string
  readonly sealed_secret: Buffer
  readonly required: boolean
  readonly updated_at: string
}

export async function findProvider(db: Database, tenantId: string): Promise<StoredProvider | undefined> {
  const row = await db
    .selectFrom('identity_providers')
    .select([
      'tenant_id',
      'issuer',
      'client_id',
      'sealed_secret',
      'required',
      utc('updated_at').as('updated_at'),
    ])
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst()
  return row && { ...row, sealed_secret: Buffer.from(row.sealed_secret) }
}

export async function putProvider(
  db: Transaction,
  provider: Omit<StoredProvider, 'updated_at'>,
): Promise<void> {
  const { tenant_id: _, ...changed } = { ...provider, updated_at: sql<Date>`now()` }
  await db
    .insertInto('identity_providers')
    .values(provider)
    .onConflict((conflict) => conflict.column('tenant_id').doUpdateSet(changed))
    .execute()
}

export async function deleteProvider(db: Transaction, tenantId: string): Promise<void> {
  await db.deleteFrom('identity_providers').where('tenant_id', '=', tenantId).execute()
}

/** Locks the users of a school: logins that have begun end first, and others wait. */
export async function lockUsersOfSchool(db: Transaction, tenantId: string): Promise<void> {
  await db
    .selectFrom('users')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Whether a user may log in only at the school's issuer. Owners with a second factor are let in if it is away. */
export async function mustUseSso(db: Database, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where(sql<boolean>`not (role = 'owner' and second_factor)`)
    .where(sql<boolean>`(select required from identity_providers provider
      where provider.tenant_id = users.tenant_id)`)
    .executeTakeFirst()
  return row !== undefined
}

/** Ends the sessions of a school that did not begin at its issuer, except those of owners with a second factor. */
export function revokeOtherLogins(db: Transaction, tenantId: string, issuer: string): Promise<string[]> {
  return revokeFamiliesWhere(
    db,
    sql<boolean>`sso_issuer is distinct from ${issuer} and user_id in (select id from users
      where tenant_id = ${tenantId} and not (role = 'owner' and second_factor))`,
    'sso_required',
  )
}

/** Ends the sessions that a person has through an issuer: all, or those of one session there. */
export function revokeSsoLogins(
  db: Transaction,
  tenantId: string,
  { issuer, subject, sid }: { issuer: string; subject: string | null; sid: string | null },
): Promise<string[]> {
  return revokeFamiliesWhere(
    db,
    sql<boolean>`sso_issuer = ${issuer}
      and (${subject}::text is null or sso_subject = ${subject}) and (${sid}::text is null or sso_sid = ${sid})
      and user_id in (select id from users where tenant_id = ${tenantId})`,
    'sso_logout',
  )
}
