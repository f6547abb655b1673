import { sql } from 'kysely'
import type { Appointment } from '../../contract/appointment.ts'
import { localNow } from '../../domain/time-zone.ts'
import { endAt, startAt } from '../schema/columns.ts'
import type { Database } from '../schema/tables.ts'
import { endsAfter } from './appointment-conditions.ts'

type SkippedLesson = { readonly appointment_id: string } & Pick<Appointment, 'start_at' | 'end_at'>

/** Counts the coming planned lessons with a time that a zone skips, and returns the first ones. Records keep their times: they are evidence. */
export async function readSkippedLessons(
  db: Database,
  tenantId: string,
  { timezone, now, limit }: { readonly timezone: string; readonly now: Date; readonly limit: number },
): Promise<{ readonly lessons: readonly SkippedLesson[]; readonly appointments: number }> {
  const isSkipped = (time: 'start_at' | 'end_at') =>
    sql<boolean>`(${sql.ref(time)} at time zone ${timezone}::text) at time zone ${timezone}::text <> ${sql.ref(time)}`
  const rows = await db
    .selectFrom('appointments')
    .select([
      'id as appointment_id',
      startAt,
      endAt,
      sql<number>`(count(*) over ())::integer`.as('appointments'),
    ])
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .where('status', '=', 'planned')
    .where(endsAfter(localNow(now, timezone)))
    .where(({ or }) => or([isSkipped('start_at'), isSkipped('end_at')]))
    .orderBy('appointments.start_at')
    .limit(limit)
    .execute()
  return {
    lessons: rows.map(({ appointment_id, start_at, end_at }) => ({ appointment_id, start_at, end_at })),
    appointments: rows[0]?.appointments ?? 0,
  }
}
