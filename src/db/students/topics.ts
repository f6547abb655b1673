import { sql } from 'kysely'
import { type LocalDateTime, MINUTES_PER_DAY, minutesLater } from '../../domain/local-time.ts'
import { TOPIC_DAYS } from '../../domain/ranges.ts'
import type { ComingClass, OwnClass } from '../../domain/topics.ts'
import { isAttendedBy, outcomeFor } from '../appointments/attendees.ts'
import { startAt } from '../schema/columns.ts'
import type { Database } from '../schema/tables.ts'

export async function readOwnClasses(
  db: Database,
  tenantId: string,
  studentId: string,
): Promise<readonly OwnClass[]> {
  return db
    .selectFrom('appointments')
    .select(['lesson_type_id', startAt, sql<string>`topic`.as('topic')])
    .select(outcomeFor(sql`${studentId}`).as('status'))
    .where('tenant_id', '=', tenantId)
    .where(isAttendedBy(sql`${studentId}`))
    .where('deleted_at', 'is', null)
    .where('topic', 'is not', null)
    .orderBy('appointments.start_at')
    .orderBy('id')
    .execute()
}

export async function readComingClasses(
  db: Database,
  tenantId: string,
  now: LocalDateTime,
): Promise<readonly ComingClass[]> {
  return db
    .selectFrom('appointments')
    .select(['id as appointment_id', 'lesson_type_id', startAt, sql<string>`topic`.as('topic')])
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .where('start_at', '>', now)
    .where('start_at', '<', minutesLater(now, TOPIC_DAYS * MINUTES_PER_DAY))
    .where('status', '=', 'planned')
    .where('topic', 'is not', null)
    .where(sql<boolean>`jsonb_array_length(attendees) < seats`)
    .orderBy('appointments.start_at')
    .orderBy('id')
    .execute()
}
