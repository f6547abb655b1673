import { sql } from 'kysely'
import type { Appointment } from '../../contract/appointment.ts'
import type { Tenant } from '../../contract/tenant.ts'
import {
  type Cancellation,
  type CancellationAct,
  cancellationFor,
  countsWorkingDays,
  noShowFeeFor,
} from '../../domain/cancellation.ts'
import { WorkingDays } from '../../domain/closed-days.ts'
import { vacationWithin } from '../../domain/vacation.ts'
import type { Database } from '../schema/tables.ts'
import { holidaysOf } from '../school/holidays.ts'

type AssessedLesson = Pick<Appointment, 'start_at' | 'lesson_type_id'>

export type AssessCancellation = (lesson: AssessedLesson, act: CancellationAct) => Cancellation

/** Returns the fee in percent that the policy proposes for a no-show of a type, or the one that was decided. */
export async function assessNoShow(
  db: Database,
  { id, cancellation_policy }: Tenant,
  { lesson_type_id }: Pick<Appointment, 'lesson_type_id'>,
  charge: boolean | null,
): Promise<number> {
  const categories = cancellation_policy.length > 0 ? await readCategories(db, id) : undefined
  return noShowFeeFor({ category: categories?.get(lesson_type_id) ?? '' }, charge, cancellation_policy)
}

/** The days from Monday to Friday, for policies that count no working days. */
const WEEKDAYS = new WorkingDays(() => false)

/** Returns a function that assesses cancellations. Runs no query if the school has no policy. */
export async function loadCancellationAssessment(db: Database, tenant: Tenant): Promise<AssessCancellation> {
  const { id, cancellation_policy: policy, timezone } = tenant
  const hasPolicy = policy.length > 0
  const categories = hasPolicy ? await readCategories(db, id) : undefined
  const workingDays = countsWorkingDays(policy) ? await readWorkingDays(db, tenant) : WEEKDAYS
  return ({ start_at, lesson_type_id }, act) => {
    const category = categories?.get(lesson_type_id) ?? ''
    return cancellationFor({ start_at, category }, act, { policy, timezone, workingDays })
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

/** Returns the working days of a school. Public holidays are none, even if the school ignores them for bookings. */
async function readWorkingDays(db: Database, tenant: Tenant): Promise<WorkingDays> {
  const findHolidays = await holidaysOf(tenant)
  const closures = await db
    .selectFrom('closures')
    .select(['start_date', 'end_date', sql<null>`null`.as('note')])
    .where('tenant_id', '=', tenant.id)
    .where('deleted_at', 'is', null)
    .execute()
  return new WorkingDays(
    (date) =>
      vacationWithin(date, date, closures) !== undefined ||
      findHolidays(date).some(({ is_public }) => is_public),
  )
}
