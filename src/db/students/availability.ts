import { sql } from 'kysely'
import {
  NewAvailabilitySchema,
  type StoredAvailability,
  StoredAvailabilitySchema,
} from '../../contract/availability.ts'
import type { LocalDate } from '../../domain/local-time.ts'
import { resourceRows, type StoredRow } from '../resource-rows.ts'
import { columnsOf } from '../schema/columns.ts'
import type { Database } from '../schema/tables.ts'

const availabilityColumns = columnsOf(StoredAvailabilitySchema)

export const AVAILABILITY = resourceRows({
  table: 'availability',
  resource: 'availability',
  schema: StoredAvailabilitySchema,
  change: NewAvailabilitySchema,
  references: { student_id: 'students' },
})

type Week = Pick<StoredAvailability, 'student_id' | 'week_start'>

/** Returns the answer of a student for a week; undefined if there is none. */
export async function findAvailability(
  db: Database,
  tenantId: string,
  { student_id, week_start }: Week,
): Promise<StoredRow<StoredAvailability> | undefined> {
  const row = await db
    .selectFrom('availability')
    .select(availabilityColumns)
    .where('tenant_id', '=', tenantId)
    .where('student_id', '=', student_id)
    .where('week_start', '=', week_start)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row && { ...row, deleted: false }
}

/** Returns the answers of a student for the weeks whose Mondays are in a range. */
export async function availabilityOf(
  db: Database,
  tenantId: string,
  student_id: string,
  { from, to }: { readonly from: LocalDate; readonly to: LocalDate },
): Promise<readonly StoredAvailability[]> {
  return db
    .selectFrom('availability')
    .select(availabilityColumns)
    .where('tenant_id', '=', tenantId)
    .where('student_id', '=', student_id)
    .where('week_start', '>=', from)
    .where('week_start', '<=', to)
    .where('deleted_at', 'is', null)
    .execute()
}

/** Returns the answers of all students for weeks, each named by its Monday. */
export async function availabilityIn(
  db: Database,
  tenantId: string,
  weeks: readonly LocalDate[],
): Promise<readonly StoredAvailability[]> {
  return db
    .selectFrom('availability')
    .select(availabilityColumns)
    .where('tenant_id', '=', tenantId)
    .where(sql<boolean>`week_start = any(${weeks}::date[])`)
    .where('deleted_at', 'is', null)
    .orderBy('week_start')
    .orderBy('student_id')
    .execute()
}
