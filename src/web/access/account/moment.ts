import { dateOf, timeOf } from '../../../domain/local-time.ts'
import { localNow } from '../../../domain/time-zone.ts'
import type { School } from '../../ui/school.tsx'

export function momentIn({ tenant, format }: School, at: string): string {
  const local = localNow(new Date(at), tenant.timezone)
  return `${format.day(dateOf(local))}, ${timeOf(local)}`
}
