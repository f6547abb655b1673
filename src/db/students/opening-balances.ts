import { sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import { balanceOf, type Credits } from '../../contract/credit.ts'
import type { OpeningBalance } from '../../contract/opening-balance.ts'
import { changedFields, changeEntryFor, recordChanges } from '../log/changes.ts'
import type { Database, Transaction } from '../schema/tables.ts'
import type { StoredEnrolment } from './enrolments.ts'
import { isSeenBy, openingBalance, type StoredStudent, type StudentFilter } from './students.ts'

export async function findOpeningBalance(
  db: Database,
  tenantId: string,
  id: string,
  { own, withPreferring }: StudentFilter = {},
): Promise<{ readonly opening_balance: OpeningBalance; readonly version: number } | undefined> {
  return db
    .selectFrom('students')
    .select([openingBalance(tenantId).as('opening_balance'), 'version'])
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
    .select(['id', openingBalance(tenantId).as('opening_balance')])
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()
}

/** The students per statement: with 100 entries each, more would delay other requests. */
export const BALANCES_A_STATEMENT = 50

/** The credits to write, of a locked enrolment; without one, of a student without a current one. */
export type CreditsUpdate = {
  readonly student: StoredStudent
  readonly enrolment?: StoredEnrolment | undefined
  readonly credits: Credits
}

/** Writes credits and records the changes: those of a current enrolment also change the student's opening balance. */
export async function updateCredits(
  db: Transaction,
  actor: Actor,
  updates: readonly CreditsUpdate[],
): Promise<void> {
  const tenantId = actor.tenant.id
  const enrolments = updates.flatMap(({ enrolment: stored, credits }) => {
    const next = stored && { ...stored, credits }
    return next && changedFields(stored, next) ? [{ stored, next }] : []
  })
  const students = updates.flatMap(({ student: stored, enrolment, credits }) => {
    const next = { ...stored, opening_balance: balanceOf(credits) }
    const isShown = enrolment === undefined || enrolment.is_current
    return isShown && changedFields(stored, next) ? [{ stored, next, isOwn: enrolment === undefined }] : []
  })
  const credited = JSON.stringify(enrolments.map(({ next: { id, credits } }) => ({ id, credits })))
  if (enrolments.length > 0)
    await sql`update enrolments set credits = given.credits, version = enrolments.version + 1, updated_at = now()
      from json_to_recordset(${credited}::json) given (id uuid, credits json)
      where enrolments.tenant_id = ${tenantId} and enrolments.id = given.id`.execute(db)
  const balances = JSON.stringify(
    students.map(({ next: { id, opening_balance }, isOwn }) => ({ id, ...(isOwn && { opening_balance }) })),
  )
  if (students.length > 0)
    await sql`update students set opening_balance = coalesce(given.opening_balance, students.opening_balance),
        version = students.version + 1, updated_at = now()
      from json_to_recordset(${balances}::json) given (id uuid, opening_balance json)
      where students.tenant_id = ${tenantId} and students.id = given.id`.execute(db)
  await recordChanges(db, actor, [
    ...enrolments.map(({ stored, next }) => changeEntryFor('enrolment', stored, next)),
    ...students.map(({ stored, next }) => changeEntryFor('student', stored, next)),
  ])
}

export async function takeWaitingBalance(
  db: Transaction,
  tenantId: string,
  id: string,
): Promise<OpeningBalance> {
  const { rows } = await sql<{ opening_balance: OpeningBalance }>`
    with waiting as (
      select id, opening_balance from students
      where tenant_id = ${tenantId} and id = ${id} and opening_balance::text <> '[]')
    update students set opening_balance = '[]' from waiting
    where students.tenant_id = ${tenantId} and students.id = waiting.id
    returning waiting.opening_balance`.execute(db)
  return rows[0]?.opening_balance ?? []
}

/** Writes the units that wait for an enrolment of a student. */
export async function writeWaiting(
  db: Transaction,
  tenantId: string,
  { id, balance }: { readonly id: string; readonly balance: OpeningBalance },
): Promise<void> {
  await db
    .updateTable('students')
    .set({ opening_balance: JSON.stringify(balance) })
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .execute()
}
