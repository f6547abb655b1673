import type { OpeningBalance } from '../contract/opening-balance.ts'
import type { Database } from './schema/tables.ts'
import { isSeenBy, type StudentFilter } from './students.ts'

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
