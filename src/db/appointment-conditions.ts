import { type RawBuilder, sql } from 'kysely'
import type { LocalDateTime } from '../domain/local-time.ts'

/** Selects appointments that end after a local time. None lasts more than 24 hours, so a bound on the start lets its index work. */
export function endsAfter(time: LocalDateTime | RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`end_at > ${time}::timestamp and start_at > ${time}::timestamp - interval '24 hours'`
}

/** Selects appointments that take up time: `isCounted` of the domain. */
export const isCountedRow = sql<boolean>`status <> 'cancelled'`
