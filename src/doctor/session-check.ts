import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/schema/tables.ts'
import type { Fact, Report } from './finding.ts'

type SessionCheck = Pick<Fact, 'resource' | 'code'> & { readonly rows: RawBuilder<unknown> }

/** Checks that an ended session has only ended tokens, and any other that a login has opened exactly one active token. */
export async function checkSessions(
  db: Database,
  tenantId: string | undefined,
  report: Report,
): Promise<void> {
  const ofSchool = tenantId === undefined ? sql`true` : sql`users.tenant_id = ${tenantId}`
  for (const { resource, code, rows } of checksOf(ofSchool)) {
    const found = await sql<{ tenant_id: string; resource_id: string }>`${rows}`.execute(db)
    for (const { tenant_id, resource_id, ...params } of found.rows)
      report(tenant_id, { resource, resource_id, code, params })
  }
}

function checksOf(ofSchool: RawBuilder<unknown>): readonly SessionCheck[] {
  const families = sql`token_families family join users on users.id = family.user_id and ${ofSchool}`
  const tokens = sql`refresh_tokens token join token_families family on family.id = token.family_id
    join users on users.id = family.user_id and ${ofSchool}`
  const family = sql`users.tenant_id, family.id as resource_id`
  const token = sql`users.tenant_id, token.id as resource_id`
  return [
    {
      resource: 'session',
      code: 'session_without_token',
      rows: sql`select ${family} from ${families} where family.revoked_at is null and family.token_hash is null
        and not exists (select from refresh_tokens token where token.family_id = family.id and token.revoked_at is null)`,
    },
    {
      resource: 'session',
      code: 'session_with_two_tokens',
      rows: sql`select ${family}, count(*)::int as tokens from ${tokens} where token.revoked_at is null
        group by users.tenant_id, family.id having count(*) > 1`,
    },
    {
      resource: 'session',
      code: 'session_of_disabled_user',
      rows: sql`select ${family} from ${families} where family.revoked_at is null and users.disabled_at is not null`,
    },
    {
      resource: 'session',
      code: 'session_of_another_address',
      rows: sql`select ${family}, other.id as user_id from ${families}
        join session_users proved on proved.family_id = family.id join users other on other.id = proved.user_id
        where family.revoked_at is null and other.email <> users.email`,
    },
    {
      resource: 'refresh_token',
      code: 'token_outlives_session',
      rows: sql`select ${token} from ${tokens} where token.revoked_at is null and family.revoked_at is not null`,
    },
    {
      resource: 'refresh_token',
      code: 'token_without_parent',
      rows: sql`select ${token}, token.parent_id from ${tokens} where token.parent_id is not null and not exists (
        select from refresh_tokens parent where parent.id = token.parent_id and parent.family_id = token.family_id)`,
    },
  ]
}
