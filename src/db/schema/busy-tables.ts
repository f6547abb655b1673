import type { Generated } from 'kysely'
import type { BusyFailure } from '../../domain/busy-policy.ts'

export type BusyCalendarTable = {
  tenant_id: string
  id: string
  instructor_id: string
  name: string
  host: string
  /** The address, sealed by `auth/busy-addresses.ts`. */
  address: Buffer
  /** The day, zone and e-mail address that the times were computed for. */
  read_for: string | null
  etag: string | null
  last_modified: string | null
  digest: Buffer | null
  last_read_at: Date | null
  failing_since: Date | null
  failure: BusyFailure | null
  /** The first failure since the calendar was last well for a day. */
  troubled_since: Date | null
  well_since: Date | null
  failures: Generated<number>
  /** The number of claims and of their ends: a claim with another one was lost. */
  turn: Generated<number>
  next_read_at: Generated<Date>
  created_at: Generated<Date>
}

export type BusyTimesTable = {
  tenant_id: string
  instructor_id: string
  calendar_id: string
  times: string
}
