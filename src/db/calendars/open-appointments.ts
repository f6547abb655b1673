import { type RawBuilder, sql } from 'kysely'
import { MAX_OPEN_APPOINTMENTS } from '../../domain/ranges.ts'
import { endsAfter, isCountedRow } from '../appointments/appointment-conditions.ts'
import { isAttendedBy } from '../appointments/attendees.ts'
import type { Parameters } from '../connection/statement.ts'

type OpenQuery = { readonly tenant_id: string; readonly now: string; readonly except: string }

/** Counts the lessons and groups that end after `now`, if `calendar` belongs to a student who may have too many. */
export function openAppointmentsOf(
  calendar: RawBuilder<unknown>,
  { tenant_id, now, except }: Parameters<OpenQuery>,
) {
  const student = sql`${calendar}.id`
  const openWhere = (whose: RawBuilder<unknown>) =>
    sql`(select (count(*) filter (where appointments.deleted_at is null and ${isCountedRow}))::integer
    from appointments
    where tenant_id = ${tenant_id} and ${whose} and ${endsAfter(now)} and id <> ${except})`
  return sql`case when ${calendar}.kind = 'student' and ${calendar}.version >= ${sql.lit(MAX_OPEN_APPOINTMENTS)}
    then ${openWhere(sql`student_id = ${student}`)} + ${openWhere(isAttendedBy(student))} end`
}
