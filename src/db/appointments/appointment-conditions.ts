import { type RawBuilder, sql } from 'kysely'
import type { LocalDateTime } from '../../domain/local-time.ts'
import { startAt } from '../schema/columns.ts'
import type { Database } from '../schema/tables.ts'

/** Selects appointments that end after a local time. None exceeds 24 hours, so a bound on the start allows its index. */
export function endsAfter(time: LocalDateTime | RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`end_at > ${time}::timestamp and start_at > ${time}::timestamp - interval '24 hours'`
}

/** The condition of appointments that take up time, like `isCounted` in the domain. */
export const isCountedRow = sql<boolean>`status <> 'cancelled'`

export type CountedUse = { readonly appointments: number; readonly start_at: string }

export async function findCountedUse(
  db: Database,
  tenantId: string,
  condition: RawBuilder<boolean>,
): Promise<CountedUse | undefined> {
  const rows = await db
    .selectFrom('appointments')
    .select(startAt)
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .where(isCountedRow)
    .where(condition)
    .orderBy('appointments.start_at')
    .execute()
  const [first] = rows
  return first && { appointments: rows.length, start_at: first.start_at }
}
