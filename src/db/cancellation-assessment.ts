import { sql } from 'kysely'
import type { Appointment } from '../contract/appointment.ts'
import type { Tenant } from '../contract/tenant.ts'
import {
  type Cancellation,
  type CancellationAct,
  cancellationFor,
  countsWorkingDays,
} from '../domain/cancellation.ts'
import type { LocalDate } from '../domain/local-time.ts'
import { vacationWithin } from '../domain/vacation.ts'
import { holidaysOf } from './holidays.ts'
import type { Database } from './schema/tables.ts'

export type AssessCancellation = (
  lesson: Pick<Appointment, 'start_at' | 'lesson_type_id'>,
  act: CancellationAct,
) => Cancellation

/** Returns a function that assesses cancellations. Runs no query if the school has no policy. */
export async function loadCancellationAssessment(db: Database, tenant: Tenant): Promise<AssessCancellation> {
  const { id, cancellation_policy: policy, timezone } = tenant
  const hasPolicy = policy.length > 0
  const categories = hasPolicy ? await readCategories(db, id) : undefined
  const isClosedOn = hasPolicy && countsWorkingDays(policy) ? await readClosedDays(db, tenant) : () => false
  return ({ start_at, lesson_type_id }, act) => {
    const category = categories?.get(lesson_type_id) ?? ''
    return cancellationFor({ start_at, category }, act, { policy, timezone, isClosedOn })
  }
}

async function readCategories(db: Database, tenantId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('lesson_types')
    .select(['id', 'category'])
    .where('tenant_id', '=', tenantId)
    .execute()
  return new Map(rows.map(({ id, category }) => [id, category]))
}

/** Returns a check for closed days. Public holidays count even if the school ignores them for bookings. */
async function readClosedDays(db: Database, tenant: Tenant): Promise<(date: LocalDate) => boolean> {
  const findHolidays = await holidaysOf(tenant)
  const closures = await db
    .selectFrom('closures')
    .select(['start_date', 'end_date', sql<null>`null`.as('note')])
    .where('tenant_id', '=', tenant.id)
    .where('deleted_at', 'is', null)
    .execute()
  return (date) =>
    findHolidays(date).some(({ is_public }) => is_public) ||
    vacationWithin(date, date, closures) !== undefined
}
