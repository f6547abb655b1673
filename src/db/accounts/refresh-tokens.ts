import { type RawBuilder, sql } from 'kysely'
import type { ApiTokenScope } from '../../contract/api-token.ts'
import type { UserRole } from '../../contract/auth.ts'
import type { Device } from '../../contract/own-session.ts'
import type { ProofKind } from '../../contract/proof.ts'
import type { RevokedReason } from '../schema/login-tables.ts'
import type { Database, Transaction } from '../schema/tables.ts'

export const REFRESH_TOKEN_SECONDS = 30 * 24 * 60 * 60

/** A refresh token with its family. The database's clock decides whether it has expired. */
export type StoredRefreshToken = {
  readonly id: string
  readonly family_id: string
  readonly user_id: string
  readonly expired: boolean
  readonly revoked: boolean
  readonly seconds_since_rotation: number | null
  readonly is_parent_of_active: boolean
}

/** The minutes between two records of a session's use: a write per request would cost too much. */
const USE_RECORDED_MINUTES = 10

/** Whether a session's use is to be recorded: it was not for ten minutes, or it is the first of an API token. */
export const isUseDue = sql<boolean>`(last_used_at < now() - make_interval(mins => ${USE_RECORDED_MINUTES})
  or token_hash is not null and last_used_at = token_families.created_at)`

export type LiveSession = {
  readonly user_id: string
  readonly tenant_id: string
  readonly role: UserRole
  readonly instructor_id: string | null
  readonly second_factor: boolean
  /** Whether the session began with a login at the issuer of the school. */
  readonly is_sso: boolean
  /** The scope of an API token; null for a session that a login has opened. */
  readonly scope: ApiTokenScope | null
}

const expiry = sql<Date>`now() + make_interval(secs => ${REFRESH_TOKEN_SECONDS})`

const isUnexpired = sql<boolean>`(token_families.expires_at is null or token_families.expires_at > now())`

type NewFamily = Device & {
  readonly id: string
  readonly user_id: string
  readonly proved_by: ProofKind | null
  readonly sso?: SsoSession | undefined
}

/** The person at an issuer with whose login a session begins, and the issuer's own session. */
export type SsoSession = { readonly issuer: string; readonly subject: string; readonly sid: string | null }

export async function insertFamily(db: Database, { sso, ...family }: NewFamily): Promise<void> {
  await db
    .insertInto('token_families')
    .values({
      ...family,
      proved_at: family.proved_by && sql<Date>`now()`,
      ...(sso && { sso_issuer: sso.issuer, sso_subject: sso.subject, sso_sid: sso.sid }),
    })
    .execute()
}

export async function insertRefreshToken(
  db: Database,
  token: { id: string; family_id: string; parent_id: string | null; token_hash: Buffer },
): Promise<void> {
  await db
    .insertInto('refresh_tokens')
    .values({ ...token, expires_at: expiry })
    .execute()
}

export async function findFamilyOf(db: Database, tokenHash: Buffer): Promise<string | undefined> {
  const row = await db
    .selectFrom('refresh_tokens')
    .select('family_id')
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return row?.family_id
}

/** Locks a family, so that rotation, reuse, logout and writes run one at a time. Returns its session, if valid after the lock. */
export async function lockFamily(db: Transaction, familyId: string): Promise<LiveSession | undefined> {
  const [, live] = await Promise.all([
    db.selectFrom('token_families').select('id').where('id', '=', familyId).forNoKeyUpdate().execute(),
    findLiveSession(db, familyId),
  ])
  return live
}

export async function findLiveSession(
  db: Database,
  familyId: string,
): Promise<(LiveSession & { readonly is_use_due: boolean }) | undefined> {
  return db
    .selectFrom('token_families')
    .innerJoin('users', 'users.id', 'token_families.user_id')
    .select([
      'users.id as user_id',
      'users.tenant_id',
      // The order of the roles' names is that of their rights, from least to most.
      sql<UserRole>`least(users.role, token_families.role)`.as('role'),
      'users.instructor_id',
      'users.second_factor',
      sql<boolean>`token_families.sso_subject is not null`.as('is_sso'),
      'token_families.scope',
      isUseDue.as('is_use_due'),
    ])
    .where('token_families.id', '=', familyId)
    .where('token_families.revoked_at', 'is', null)
    .where(isUnexpired)
    .where('users.disabled_at', 'is', null)
    .executeTakeFirst()
}

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

export async function claimRefreshToken(db: Transaction, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('refresh_tokens')
    .set({ revoked_at: sql<Date>`now()`, revoked_reason: 'rotated' })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export async function revokeFamily(
  db: Transaction,
  familyId: string,
  reason: RevokedReason,
): Promise<string[]> {
  return revokeFamiliesWhere(db, sql<boolean>`id = ${familyId}`, reason)
}

/** Revokes one family of a user, or all (but one) with the rights to switch to the user. Returns the ids that were valid. */
export async function revokeFamiliesOf(
  db: Transaction,
  userId: string,
  reason: RevokedReason,
  {
    except = null,
    only = null,
    loginsOnly = false,
  }: { except?: string | null; only?: string | null; loginsOnly?: boolean } = {},
): Promise<string[]> {
  if (only === null) await db.deleteFrom('session_users').where('user_id', '=', userId).execute()
  return revokeFamiliesWhere(
    db,
    sql<boolean>`user_id = ${userId} and id is distinct from ${except}::uuid
      and (id = ${only}::uuid or ${only}::uuid is null) and (not ${loginsOnly}::boolean or token_hash is null)`,
    reason,
  )
}

/** Locks all families of a user whose rights change: waits for their writes, and later writes see the change. */
export async function lockFamiliesOf(db: Transaction, userId: string): Promise<void> {
  await lockFamiliesWhere(db, sql<boolean>`user_id = ${userId}`)
}

async function lockFamiliesWhere(
  db: Transaction,
  condition: RawBuilder<boolean>,
): Promise<readonly string[]> {
  const alive = await db
    .selectFrom('token_families')
    .select('id')
    .where('revoked_at', 'is', null)
    .where(condition)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return alive.map(({ id }) => id)
}

/** Revokes families. Locks them in a separate statement, to wait for a refresh in progress and see its new token. */
export async function revokeFamiliesWhere(
  db: Transaction,
  condition: RawBuilder<boolean>,
  reason: RevokedReason,
): Promise<string[]> {
  const ids = [...(await lockFamiliesWhere(db, condition))]
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

/** Deletes families whose last token has expired; those of API tokens after 30 days in the list. */
export async function purgeExpiredFamilies(db: Database): Promise<void> {
  await sql`delete from token_families family where case when family.token_hash is null
    then not exists (select from refresh_tokens token where token.family_id = family.id and token.expires_at > now())
    else family.expires_at < now() - interval '30 days' end`.execute(db)
}
