import { type RawBuilder, sql } from 'kysely'
import type { TokenFamilyTable } from './login-tables.ts'
import type { Database, Transaction } from './tables.ts'

/** Seconds that a refresh token lives. */
export const REFRESH_TOKEN_SECONDS = 30 * 24 * 60 * 60

export type RevokedReason = NonNullable<TokenFamilyTable['revoked_reason']>

/** A refresh token with what its family's lock protects. Times are compared by the database's clock. */
export type StoredRefreshToken = {
  readonly id: string
  readonly family_id: string
  readonly user_id: string
  readonly expired: boolean
  readonly revoked: boolean
  readonly seconds_since_rotation: number | null
  readonly is_parent_of_active: boolean
}

/** A session that may act: its family stands, and its user may log in. */
export type LiveSession = { readonly user_id: string; readonly tenant_id: string }

const expiry = sql<Date>`now() + make_interval(secs => ${REFRESH_TOKEN_SECONDS})`

/** Opens a token family: what a login begins. */
export async function insertFamily(db: Database, family: { id: string; user_id: string }): Promise<void> {
  await db.insertInto('token_families').values(family).execute()
}

/** Stores a token by its hash. */
export async function insertRefreshToken(
  db: Database,
  token: { id: string; family_id: string; parent_id: string | null; token_hash: Buffer },
): Promise<void> {
  await db
    .insertInto('refresh_tokens')
    .values({ ...token, expires_at: expiry })
    .execute()
}

/** The family of a token, known or not. */
export async function findFamilyOf(db: Database, tokenHash: Buffer): Promise<string | undefined> {
  const row = await db
    .selectFrom('refresh_tokens')
    .select('family_id')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row?.family_id
}

/** Locks a family, so that rotation, reuse and logout happen one after the other; nothing if it may not act. */
export async function lockFamily(db: Transaction, familyId: string): Promise<LiveSession | undefined> {
  await db.selectFrom('token_families').select('id').where('id', '=', familyId).forNoKeyUpdate().execute()
  return findLiveSession(db, familyId)
}

/** The session behind an access token's `sid`. */
export async function findLiveSession(db: Database, familyId: string): Promise<LiveSession | undefined> {
  return db
    .selectFrom('token_families')
    .innerJoin('users', 'users.id', 'token_families.user_id')
    .select(['users.id as user_id', 'users.tenant_id'])
    .where('token_families.id', '=', familyId)
    .where('token_families.revoked_at', 'is', null)
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst()
}

/** The token of a family that is locked. */
export async function findRefreshToken(
  db: Transaction,
  tokenHash: Buffer,
): Promise<StoredRefreshToken | undefined> {
  return db
    .selectFrom('refresh_tokens as token')
    .innerJoin('token_families as family', 'family.id', 'token.family_id')
    .select([
      'token.id',
      'token.family_id',
      'family.user_id',
      sql<boolean>`token.expires_at <= now()`.as('expired'),
      sql<boolean>`token.revoked_at is not null`.as('revoked'),
      sql<number | null>`case when token.revoked_reason = 'rotated'
        then extract(epoch from now() - token.revoked_at)::float end`.as('seconds_since_rotation'),
      sql<boolean>`exists (select from refresh_tokens child
        where child.parent_id = token.id and child.family_id = token.family_id and child.revoked_at is null)`.as(
        'is_parent_of_active',
      ),
    ])
    .where('token.token_hash', '=', tokenHash)
    .executeTakeFirst()
}

/** Takes the one use of a token. False: another use was first. */
export async function claimRefreshToken(db: Transaction, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('refresh_tokens')
    .set({ revoked_at: sql<Date>`now()`, revoked_reason: 'rotated' })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Ends a family and all its tokens; returns its id if it was alive. */
export async function revokeFamily(
  db: Transaction,
  familyId: string,
  reason: RevokedReason,
): Promise<string[]> {
  return revokeFamiliesWhere(db, sql<boolean>`id = ${familyId}`, reason)
}

/** Ends all families of a user, except one that is named; returns the ids of those that were alive. */
export async function revokeFamiliesOf(
  db: Transaction,
  userId: string,
  reason: RevokedReason,
  { except = null }: { except?: string | null } = {},
): Promise<string[]> {
  return revokeFamiliesWhere(
    db,
    sql<boolean>`user_id = ${userId} and id is distinct from ${except}::uuid`,
    reason,
  )
}

/** Locks first, in a statement of its own: a refresh that is under way is waited for, and its new token is seen. */
async function revokeFamiliesWhere(
  db: Transaction,
  condition: RawBuilder<boolean>,
  reason: RevokedReason,
): Promise<string[]> {
  const alive = await db
    .selectFrom('token_families')
    .select('id')
    .where('revoked_at', 'is', null)
    .where(condition)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const ids = alive.map(({ id }) => id)
  const revoked = { revoked_at: sql<Date>`now()`, revoked_reason: reason }
  await Promise.all([
    db
      .updateTable('token_families')
      .set(revoked)
      .where('id', '=', sql<string>`any(${ids}::uuid[])`)
      .execute(),
    db
      .updateTable('refresh_tokens')
      .set(revoked)
      .where('family_id', '=', sql<string>`any(${ids}::uuid[])`)
      .where('revoked_at', 'is', null)
      .execute(),
  ])
  return ids
}

/** Deletes families whose last token has expired: they can never act again. */
export async function purgeExpiredFamilies(db: Database): Promise<void> {
  await sql`delete from token_families family where not exists
    (select from refresh_tokens token where token.family_id = family.id and token.expires_at > now())`.execute(
    db,
  )
}
