import { sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import { type StoredEnquiry, StoredEnquirySchema } from '../../contract/enquiry.ts'
import { ENQUIRY_DAYS, type EnquiryState } from '../../domain/enquiries.ts'
import type { Parameters } from '../connection/statement.ts'
import { jsonList } from '../json-list.ts'
import { changeEntryFor, recordChanges } from '../log/changes.ts'
import { columnsOf, nextVersion, utc } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'

const columns = columnsOf(StoredEnquirySchema)

/** The fields in the log: nothing personal, because enquiries are deleted and the log is not. */
type LoggedEnquiry = Pick<StoredEnquiry, 'id' | 'license_class' | 'state' | 'student_id'>

function logged({ id, license_class, state, student_id }: LoggedEnquiry): LoggedEnquiry {
  return { id, license_class, state, student_id }
}

export const listEnquiries = jsonList(
  { from: 'enquiries', orderedBy: { id: 'uuid' }, isNewestFirst: true, versionedBy: 'version' },
  (db, { tenantId, state }: Parameters<{ tenantId: string; state?: EnquiryState }>) =>
    db
      .selectFrom('enquiries')
      .select(columns)
      .where('tenant_id', '=', tenantId)
      .$if(state !== undefined, (rest) => rest.where(sql<boolean>`state = ${state}`)),
)

export async function lockEnquiry(
  db: Transaction,
  tenantId: string,
  id: string,
): Promise<StoredEnquiry | undefined> {
  return selectEnquiry(db, tenantId, id).forNoKeyUpdate().executeTakeFirst()
}

function selectEnquiry(db: Database, tenantId: string, id: string) {
  return db.selectFrom('enquiries').select(columns).where('tenant_id', '=', tenantId).where('id', '=', id)
}

export type NewEnquiryRow = Omit<
  StoredEnquiry,
  'state' | 'student_id' | 'version' | 'created_at' | 'updated_at'
> & { readonly form_id: string }

/** Inserts an enquiry and records it. Returns false if one of the same form is stored. */
export async function insertEnquiry(db: Transaction, actor: Actor, row: NewEnquiryRow): Promise<boolean> {
  const enquiry = { ...row, state: 'new' as const, student_id: null }
  const inserted = await db
    .insertInto('enquiries')
    .values({ ...enquiry, tenant_id: actor.tenant.id, consent_at: actor.now })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'form_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted) await recordChanges(db, actor, [changeEntryFor('enquiry', undefined, logged(enquiry))])
  return inserted !== undefined
}

export async function updateEnquiry(
  db: Transaction,
  actor: Actor,
  stored: StoredEnquiry,
  next: Pick<StoredEnquiry, 'state' | 'student_id'>,
): Promise<StoredEnquiry> {
  await db
    .updateTable('enquiries')
    .set({ ...next, ...nextVersion })
    .where('tenant_id', '=', actor.tenant.id)
    .where('id', '=', stored.id)
    .execute()
  const before = { ...logged(stored), version: stored.version }
  await recordChanges(db, actor, [changeEntryFor('enquiry', before, logged({ ...stored, ...next }))])
  return selectEnquiry(db, actor.tenant.id, stored.id).executeTakeFirstOrThrow()
}

export async function moveEnquiries(
  db: Transaction,
  actor: Actor,
  { from, to, ids }: { readonly from: string; readonly to: string; readonly ids?: readonly string[] },
): Promise<void> {
  const enquiries = await db
    .selectFrom('enquiries')
    .select(columns)
    .where('tenant_id', '=', actor.tenant.id)
    .where('student_id', '=', from)
    .$if(ids !== undefined, (rest) => rest.where(sql<boolean>`id = any(${ids ?? []}::uuid[])`))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  for (const stored of enquiries)
    await updateEnquiry(db, actor, stored, { state: stored.state, student_id: to })
}

export async function countNewEnquiries(db: Database, tenantId: string): Promise<number> {
  const { count } = await db
    .selectFrom('enquiries')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('tenant_id', '=', tenantId)
    .where('state', '=', 'new')
    .executeTakeFirstOrThrow()
  return count
}

export type NewsEnquiry = Pick<StoredEnquiry, 'id' | 'first_name' | 'last_name' | 'license_class'> & {
  readonly at: string
}

export async function listNewEnquiries(
  db: Database,
  tenantId: string,
  { days, limit }: { readonly days: number; readonly limit: number },
): Promise<readonly NewsEnquiry[]> {
  // A range of `created_at` would invite the planner to read the index of all schools.
  const isRecent = sql<boolean>`now() - created_at < make_interval(days => ${days})`
  return db
    .selectFrom('enquiries')
    .select(['id', 'first_name', 'last_name', 'license_class', utc('created_at').as('at')])
    .where('tenant_id', '=', tenantId)
    .where('state', '=', 'new')
    .where(isRecent)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Deletes the enquiries of a student, and those with the student's numbers or addresses. */
export async function deleteEnquiriesOf(
  db: Transaction,
  tenantId: string,
  { student_id, pattern }: { readonly student_id: string; readonly pattern: string | undefined },
): Promise<void> {
  const numbers = pattern ?? null
  await sql`delete from enquiries where tenant_id = ${tenantId}
    and (student_id = ${student_id} or phone ~* ${numbers} or email ~* ${numbers})`.execute(db)
}

/** Deletes the enquiries of all schools whose time without an answer, or since it, is over. */
export async function purgeEnquiries(db: Database): Promise<void> {
  await sql`delete from enquiries where created_at < now() - make_interval(days => ${ENQUIRY_DAYS})
    and (state = 'new' or updated_at < now() - make_interval(days => ${ENQUIRY_DAYS}))`.execute(db)
}
