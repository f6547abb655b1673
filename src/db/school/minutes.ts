import { sql } from 'kysely'
import type { Instructor } from '../../contract/instructor.ts'
import type { LocalDateTime } from '../../domain/local-time.ts'
import type { TimeSheetRow } from '../../domain/minutes.ts'
import { type Parameters, statement } from '../connection/statement.ts'
import { actualEndAt, actualStartAt, endAt, startAt, utc } from '../schema/columns.ts'
import type { Database } from '../schema/tables.ts'

const instructorColumns = [
  'id',
  'first_name',
  'last_name',
  'number',
  'employment',
  'max_daily_units',
  'max_daily_override',
  'max_weekly_units',
  'max_weekly_override',
] as const

export type MinutesInstructor = Pick<Instructor, (typeof instructorColumns)[number]>

/** Returns the instructors of a school with their limits as they are today, by name. */
export async function readMinutesInstructors(db: Database, tenantId: string): Promise<MinutesInstructor[]> {
  return db
    .selectFrom('instructors')
    .select(instructorColumns)
    .where('tenant_id', '=', tenantId)
    .orderBy('last_name')
    .orderBy('first_name')
    .orderBy('id')
    .execute()
}

type TimeSheetQuery = {
  readonly tenant_id: string
  readonly instructor_id: string
  readonly from: LocalDateTime
  readonly to: LocalDateTime
}

/**
 * Returns the appointments of an instructor that were to start in `[from, to)`, cancelled ones among them: a condition on the
 * status would let PostgreSQL take the index of the overlaps, which has no order of starts.
 */
export function readTimeSheet(db: Database, question: TimeSheetQuery): Promise<TimeSheetRow[]> {
  return selectTimeSheet(db, question)
}

const selectTimeSheet = statement((db, { tenant_id, instructor_id, from, to }: Parameters<TimeSheetQuery>) =>
  sql<TimeSheetRow>`
    select appointments.id, student_id, lesson_type_id, status, ${startAt}, ${endAt}, ${actualStartAt}, ${actualEndAt},
      type.category, type.counts_toward_limits, type.counts_toward_legal_minutes,
      (select coalesce(json_agg(json_build_object('rule', rule, 'actor', booked.actor, 'at', booked.at) order by rule), '[]')
        from unnest(overrides_used) rule
        left join lateral (
          select json_build_object('kind', actor_kind, 'id', actor_id, 'name', actor_name) as actor, ${utc('at')} as at
          from changes
          where changes.tenant_id = ${tenant_id} and changes.resource_id = appointments.id
            and (changes.after -> 'overrides_used')::jsonb ? rule
          order by changes.at desc, changes.id desc limit 1) booked on true) as overrides
    from appointments
    join lesson_types type on type.tenant_id = ${tenant_id} and type.id = appointments.lesson_type_id
    where appointments.tenant_id = ${tenant_id} and instructor_id = ${instructor_id}
      and start_at >= ${from}::timestamp and start_at < ${to}::timestamp
      and deleted_at is null`.compile(db),
)
