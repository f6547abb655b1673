import { dateOf, timeOf } from '../../domain/local-time.ts'
import { localNow } from '../../domain/time-zone.ts'
import type { School } from './school.tsx'

/** Returns "23 November 2026, 14:05" by the school's clock, for a `moment` in RFC 3339. */
export function momentText(moment: string, { format, tenant }: School): string {
  const local = localNow(new Date(moment), tenant.timezone)
  return `${format.date(dateOf(local))}, ${timeOf(local)}`
}
