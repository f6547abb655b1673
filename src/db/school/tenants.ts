import { sql } from 'kysely'
import type { Actor } from '../../contract/actor.ts'
import { type Tenant, TenantSchema } from '../../contract/tenant.ts'
import { changedFields, changeEntryFor, recordChanges } from '../log/changes.ts'
import { columnsOf, nextVersion } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'

const tenantColumns = columnsOf(TenantSchema)

export async function findTenant(db: Database, tenantId: string): Promise<Tenant | undefined> {
  return db.selectFrom('tenants').select(tenantColumns).where('id', '=', tenantId).executeTakeFirst()
}

export async function requireTenant(db: Database, tenantId: string): Promise<Tenant> {
  return db.selectFrom('tenants').select(tenantColumns).where('id', '=', tenantId).executeTakeFirstOrThrow()
}

/**
 * Locks and returns the tenant. Bookings only reference the row and do not wait. Not `for share`: in a cluster, two
 * transactions that hold it and then insert a row that references the tenant deadlock.
 */
export async function lockTenant(db: Transaction, tenantId: string): Promise<Tenant> {
  return db
    .selectFrom('tenants')
    .select(tenantColumns)
    .where('id', '=', tenantId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

/** Returns the school whose form for enquiries has the address, if it is enabled. */
export async function findTenantBySlug(db: Database, slug: string): Promise<Tenant | undefined> {
  return db
    .selectFrom('tenants')
    .select(tenantColumns)
    .where(sql`enquiries ->> 'slug'`, '=', slug)
    .where(sql<boolean>`(enquiries ->> 'enabled')::boolean`)
    .executeTakeFirst()
}

/** Whether another school has the address of its form. */
export async function isSlugTaken(db: Database, tenantId: string, slug: string): Promise<boolean> {
  const other = await db
    .selectFrom('tenants')
    .select('id')
    .where(sql`enquiries ->> 'slug'`, '=', slug)
    .where('id', '<>', tenantId)
    .executeTakeFirst()
  return other !== undefined
}

/** Lets one transaction at a time give an address to a school. */
export async function lockSlug(db: Transaction, slug: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('slug ' || ${slug}::text, 0))`.execute(db)
}

export async function hasTenants(db: Database): Promise<boolean> {
  const tenant = await db.selectFrom('tenants').select('id').limit(1).executeTakeFirst()
  return tenant !== undefined
}

/** Blocks other setups until the transaction ends. Returns false if there is a tenant. */
export async function lockSetup(db: Transaction): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtext('fahrplan setup'))`.execute(db)
  return !(await hasTenants(db))
}

export async function listTenants(db: Database): Promise<Tenant[]> {
  return db.selectFrom('tenants').select(tenantColumns).orderBy('name').orderBy('id').execute()
}

export async function insertTenant(db: Transaction, actor: Actor): Promise<void> {
  const { created_at: _, updated_at: __, ...tenant } = actor.tenant
  const default_availability_windows = JSON.stringify(tenant.default_availability_windows)
  const cancellation_policy = JSON.stringify(tenant.cancellation_policy)
  const messages = JSON.stringify(tenant.messages)
  const student_actions = JSON.stringify(tenant.student_actions)
  const student_booking = JSON.stringify(tenant.student_booking)
  const enquiries = JSON.stringify(tenant.enquiries)
  const record = JSON.stringify(tenant.record)
  const availability_round = tenant.availability_round && JSON.stringify(tenant.availability_round)
  await db
    .insertInto('tenants')
    .values({
      ...tenant,
      default_availability_windows,
      cancellation_policy,
      messages,
      student_actions,
      student_booking,
      enquiries,
      record,
      availability_round,
    })
    .execute()
  await recordChanges(db, actor, [changeEntryFor('tenant', undefined, tenant)])
}

type Replacement = { readonly stored: Tenant; readonly next: Tenant }

export async function updateTenant(
  db: Transaction,
  actor: Actor,
  { stored, next }: Replacement,
): Promise<Tenant> {
  const changed = changedFields(stored, next)
  if (!changed) return stored
  const { default_availability_windows: windows, cancellation_policy: policy, ...others } = changed
  const { messages, student_actions: actions, student_booking: booking, ...more } = others
  const { record, enquiries, availability_round: round, ...scalars } = more
  await db
    .updateTable('tenants')
    .set({
      ...scalars,
      ...(windows && { default_availability_windows: JSON.stringify(windows) }),
      ...(policy && { cancellation_policy: JSON.stringify(policy) }),
      ...(messages && { messages: JSON.stringify(messages) }),
      ...(actions && { student_actions: JSON.stringify(actions) }),
      ...(booking && { student_booking: JSON.stringify(booking) }),
      ...(enquiries && { enquiries: JSON.stringify(enquiries) }),
      ...(record && { record: JSON.stringify(record) }),
      ...(round !== undefined && { availability_round: round && JSON.stringify(round) }),
      ...nextVersion,
    })
    .where('id', '=', stored.id)
    .execute()
  await recordChanges(db, actor, [changeEntryFor('tenant', stored, next)])
  return requireTenant(db, stored.id)
}
