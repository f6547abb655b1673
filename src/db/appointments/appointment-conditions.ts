import { type RawBuilder, sql } from 'kysely'
import type { LocalDateTime } from '../../domain/local-time.ts'

/** Selects appointments that end after a local time. None exceeds 24 hours, so a bound on the start allows its index. */
export function endsAfter(time: LocalDateTime | RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`end_at > ${time}::timestamp and start_at > ${time}::timestamp - interval '24 hours'`
}

/** The condition of appointments that take up time, like `isCounted` in the domain. */
export const isCountedRow = sql<boolean>`status <> 'cancelled'`
