import { sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import type { OpeningBalance } from '../../contract/opening-balance.ts'
import { changeEntryFor, recordChanges } from '../log/changes.ts'
import type { Database, Transaction } from '../schema/tables.ts'
import { isSeenBy, type StudentFilter, type StudentUpdate } from './students.ts'

export async function findOpeningBalance(
  db: Database,
  tenantId: string,
  id: string,
  { own, withPreferring }: StudentFilter = {},
): Promise<{ readonly opening_balance: OpeningBalance; readonly version: number } | undefined> {
  return db
    .selectFrom('students')
    .select(['opening_balance', 'version'])
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .$if(own !== undefined, (rest) => rest.where(isSeenBy(tenantId, own, withPreferring)))
    .executeTakeFirst()
}

export async function readOpeningBalances(
  db: Database,
  tenantId: string,
  ids: readonly string[],
): Promise<{ readonly id: string; readonly opening_balance: OpeningBalance }[]> {
  return db
    .selectFrom('students')
    .select(['id', 'opening_balance'])
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()
}

/** The students per statement: with 100 entries each, more would delay other requests. */
export const BALANCES_A_STATEMENT = 50

export async function updateOpeningBalances(
  db: Transaction,
  actor: Actor,
  replacements: readonly StudentUpdate[],
): Promise<void> {
  const rows = JSON.stringify(
    replacements.map(({ next: { id, opening_balance } }) => ({ id, opening_balance })),
  )
  await sql`update students set opening_balance = given.opening_balance, version = students.version + 1, updated_at = now()
    from json_to_recordset(${rows}::json) given (id uuid, opening_balance json)
    where students.tenant_id = ${actor.tenant.id} and students.id = given.id`.execute(db)
  await recordChanges(
    db,
    actor,
    replacements.map(({ stored, next }) => changeEntryFor('student', stored, next)),
  )
}
