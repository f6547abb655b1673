import { isUuid } from '../contract/formats.ts'
import type { Tenant } from '../contract/tenant.ts'
import type { Database } from '../db/schema/tables.ts'
import { findTenant } from '../db/school/tenants.ts'
import { CommandFailure, requiredOption, UsageError, type Values } from './command.ts'

export function tenantIdOf(values: Values): string {
  const id = requiredOption(values, 'tenant').toLowerCase()
  if (!isUuid(id)) throw new UsageError('--tenant must be the id printed by "tenant create"')
  return id
}

/** Returns the school of `--tenant`. Throws a `CommandFailure` if there is none. */
export async function requireTenantOption(db: Database, values: Values): Promise<Tenant> {
  const id = tenantIdOf(values)
  const tenant = await findTenant(db, id)
  if (!tenant) throw new CommandFailure(`There is no school ${id}.`)
  return tenant
}
