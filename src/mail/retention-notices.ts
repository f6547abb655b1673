import { countDue } from '../booking/students/retention.ts'
import { newId } from '../contract/new-id.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { type Clock, databaseClock, readTime } from '../db/now.ts'
import { storeRetentionNotice, tenantsWithoutNotice } from '../db/school/retention-notices.ts'
import { requireTenant } from '../db/school/tenants.ts'
import { localToday } from '../domain/time-zone.ts'
import { forEachSchool, type SchoolLog } from './each-school.ts'

type Noting = {
  readonly log: SchoolLog
  readonly clock?: Clock
  /** Whether the service stops: the other schools have to wait for its next start. */
  readonly isStopping?: () => boolean
}

/** Counts the students who are due in each school once a month, for the inbox of its owners. */
export async function noteDueStudents(
  db: DatabasePool,
  { log, clock = databaseClock, isStopping = () => false }: Noting,
): Promise<void> {
  const ids = await tenantsWithoutNotice(db, await readTime(db, clock))
  await forEachSchool(ids, log, async (id) => {
    if (!isStopping()) await noteDue(db, id, await readTime(db, clock))
  })
}

async function noteDue(db: DatabasePool, tenantId: string, now: Date): Promise<void> {
  const tenant = await requireTenant(db, tenantId)
  const today = localToday(now, tenant.timezone)
  const due = await countDue(db, tenant, today)
  const notice = { id: newId(), month: today.slice(0, 7), at: now.toISOString(), due }
  await storeRetentionNotice(db, tenantId, notice)
}
