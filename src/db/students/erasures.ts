import { sql } from 'kysely'
import type { Database } from '../schema/tables.ts'

/** A student whose data is gone: wholly, or except for the training record. Only random ids, so that it can be kept anywhere. */
export type KnownErasure = {
  readonly tenant_id: string
  readonly student_id: string
  readonly state: 'erased' | 'restricted'
}

/** Returns the erased students of a school, by the log, and the restricted ones. */
export async function listErasures(db: Database, tenantId: string): Promise<readonly KnownErasure[]> {
  const { rows } = await sql<KnownErasure>`
    select tenant_id, resource_id as student_id, 'erased' as state from changes
      where tenant_id = ${tenantId} and resource = 'student' and action = 'erased'
    union select tenant_id, id, 'restricted' from students where tenant_id = ${tenantId} and restriction is not null
    order by student_id`.execute(db)
  return rows
}
