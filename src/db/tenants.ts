import type { Actor } from '../contract/actor.ts'
import type { Tenant } from '../contract/tenant.ts'
import { recordChanges } from './changes.ts'
import { createdAt, updatedAt } from './columns.ts'
import type { Database, Transaction } from './tables.ts'

const tenantColumns = [
  'id',
  'name',
  'timezone',
  'locale',
  'country',
  'unit_minutes',
  'default_max_daily_units',
  'default_max_weekly_units',
  'default_required_break_minutes',
  'default_max_continuous_minutes',
  createdAt,
  updatedAt,
] as const

/** The tenant, by its id. */
export async function findTenant(db: Database, tenantId: string): Promise<Tenant | undefined> {
  return db.selectFrom('tenants').select(tenantColumns).where('id', '=', tenantId).executeTakeFirst()
}

/** All tenants, by name. For the operator only. */
export async function listTenants(db: Database): Promise<Tenant[]> {
  return db.selectFrom('tenants').select(tenantColumns).orderBy('name').orderBy('id').execute()
}

/** Stores the actor's tenant, and notes it. */
export async function insertTenant(db: Transaction, actor: Actor): Promise<void> {
  const { created_at: _, updated_at: __, ...tenant } = actor.tenant
  await db.insertInto('tenants').values(tenant).execute()
  const { id, ...after } = tenant
  await recordChanges(db, actor, [
    { resource: 'tenant', resource_id: id, action: 'created', before: null, after },
  ])
}
