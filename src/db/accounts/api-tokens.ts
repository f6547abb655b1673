import { sql } from 'kysely'
import type { ApiToken } from '../../contract/api-token.ts'
import { createdAt, utc } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'

type NewRow = Pick<ApiToken, 'id' | 'name' | 'role' | 'scope'> & {
  readonly user_id: string
  readonly token_hash: Buffer
  readonly days: number
  /** The session that makes the token. A token of a login at an issuer belongs to that person there, too. */
  readonly session_id: string | undefined
}

const wireColumns = [
  'id',
  sql<string>`name`.as('name'),
  sql<ApiToken['role']>`role`.as('role'),
  sql<ApiToken['scope']>`scope`.as('scope'),
  createdAt,
  sql<string | null>`case when last_used_at <> created_at then ${utc('last_used_at')} end`.as('last_used_at'),
  utc('expires_at').as('expires_at'),
] as const

export async function listApiTokens(db: Database, userId: string): Promise<readonly ApiToken[]> {
  return db
    .selectFrom('token_families')
    .select(wireColumns)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('name', 'is not', null)
    .orderBy(sql`token_families.created_at`, 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function countApiTokens(db: Database, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('token_families')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('name', 'is not', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertApiToken(
  db: Transaction,
  { days, session_id, ...row }: NewRow,
): Promise<ApiToken> {
  const expires_at = sql<Date>`now() + make_interval(days => ${days})`
  const ofSession = (column: 'sso_issuer' | 'sso_subject') =>
    sql<string | null>`(select ${sql.ref(column)} from token_families where id = ${session_id ?? null})`
  const person = { sso_issuer: ofSession('sso_issuer'), sso_subject: ofSession('sso_subject') }
  return db
    .insertInto('token_families')
    .values({ ...row, ...person, expires_at, browser: null, system: null })
    .returning(wireColumns)
    .executeTakeFirstOrThrow()
}

export async function findApiTokenName(
  db: Transaction,
  userId: string,
  id: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('token_families')
    .select(sql<string>`name`.as('name'))
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('token_hash', 'is not', null)
    .executeTakeFirst()
  return row?.name
}

export async function findClaimsOf(
  db: Database,
  tokenHash: Buffer,
): Promise<{ readonly sub: string; readonly tid: string; readonly sid: string } | undefined> {
  return db
    .selectFrom('token_families')
    .innerJoin('users', 'users.id', 'token_families.user_id')
    .select(['users.id as sub', 'users.tenant_id as tid', 'token_families.id as sid'])
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
}
