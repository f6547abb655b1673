import { sql } from 'kysely'
import type { OwnSession } from '../../contract/own-session.ts'
import type { ProofKind } from '../../contract/proof.ts'
import { createdAt, utc } from '../schema/columns.ts'
import type { Database } from '../schema/tables.ts'
import { isUseDue } from './refresh-tokens.ts'

const PROOF_MINUTES = 5

/** The maximum of listed sessions: a program that logs in for every request has thousands. */
const MAX_LISTED = 100

/** Returns at most 100 valid sessions, most recently used first. */
export async function listSessions(
  db: Database,
  userId: string,
  current: string,
): Promise<readonly OwnSession[]> {
  return db
    .selectFrom('token_families')
    .select([
      'id',
      createdAt,
      utc('last_used_at').as('last_used_at'),
      'browser',
      'system',
      sql<boolean>`id = ${current}`.as('is_current'),
    ])
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`exists (select from refresh_tokens token where token.family_id = token_families.id
      and token.revoked_at is null and token.expires_at > now())`)
    .orderBy(sql`token_families.last_used_at`, 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_LISTED)
    .execute()
}

export async function recordSessionUse(db: Database, familyId: string): Promise<void> {
  await db
    .updateTable('token_families')
    .set({ last_used_at: sql<Date>`now()` })
    .where('id', '=', familyId)
    .where(isUseDue)
    .execute()
}

export async function recordProof(db: Database, familyId: string, proved_by: ProofKind): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('token_families')
    .set({ proved_at: sql<Date>`now()`, proved_by })
    .where('id', '=', familyId)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Returns the kind of a proof from the last five minutes; undefined if there is none or the session has ended. */
export async function findRecentProof(db: Database, familyId: string): Promise<ProofKind | undefined> {
  const row = await db
    .selectFrom('token_families')
    .select('proved_by')
    .where('id', '=', familyId)
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`proved_at > now() - make_interval(mins => ${PROOF_MINUTES})`)
    .executeTakeFirst()
  return row?.proved_by ?? undefined
}
