import { type RawBuilder, sql } from 'kysely'
import type { Database } from './schema/tables.ts'

export type Clock = () => RawBuilder<Date>

/** The database's clock. Queues go by it, because all processes share it and that of one may jump. */
export const databaseClock: Clock = () => sql<Date>`now()`

export async function readTime(db: Database, clock: Clock): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select ${clock()} as now`.execute(db)
  return rows[0]?.now ?? new Date()
}
