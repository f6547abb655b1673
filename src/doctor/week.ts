import { type RawBuilder, sql } from 'kysely'
import { endsAfter, isCountedRow } from '../db/appointments/appointment-conditions.ts'
import type { Database } from '../db/schema/tables.ts'
import type { InstructorRules } from '../domain/agenda.ts'
import { UNCHECKED_FIELDS } from '../domain/booking.ts'
import type { ListedAppointment } from '../domain/counted.ts'
import type { Interval } from '../domain/interval.ts'
import { type LocalDateTime, localDateTimeFor } from '../domain/local-time.ts'
import {
  CALENDARS,
  type CalendarKind,
  OCCUPANT_KINDS,
  OCCUPANTS,
  OCCUPYING_FIELDS,
} from '../domain/occupants.ts'
import type { OverrideUsed } from '../domain/unit-limits.ts'
import { isPossibleTime } from './row-checks.ts'

export type WrittenAppointment = ListedAppointment & {
  readonly overrides_used: readonly OverrideUsed[]
  readonly asked_at: number
}

/** The fields that no rule depends on (`isCheckedByRules` in `domain/booking.ts`), and attendees, unless one was added. */
const UNASKED = sql.lit([...UNCHECKED_FIELDS, 'attendees', 'version'].join())

/** Whether the rules were checked for a change; unknown if an erasure has removed values. */
const wasAsked = sql<boolean>`(action in ('created', 'restored') or action = 'changed' and (
    before ->> 'status' = 'cancelled' and after ->> 'status' <> 'cancelled'
    or exists (select from json_object_keys(before) name where name <> all(string_to_array(${UNASKED}, ',')))
    or coalesce(json_array_length(after -> 'attendees') > json_array_length(before -> 'attendees'), false)))`

const standing = sql<boolean>`deleted_at is null and ${isCountedRow} and ${isPossibleTime}`

/** Returns the start of the next appointment. Uses only indexed conditions: with others, PostgreSQL would sort all rows. */
export async function nextStart(
  db: Database,
  tenantId: string,
  from: LocalDateTime,
): Promise<LocalDateTime | undefined> {
  const { rows } = await sql<{ start_at: string }>`
    select to_char(start_at, 'YYYY-MM-DD HH24:MI') as start_at from appointments
    where tenant_id = ${tenantId} and deleted_at is null and start_at >= ${from}::timestamp and start_at < '2100-01-01'
    order by appointments.start_at, id limit 1`.execute(db)
  return rows[0]?.start_at
}

export async function readStanding(
  db: Database,
  tenantId: string,
  { start, end }: Interval,
): Promise<readonly WrittenAppointment[]> {
  const [from, to] = [localDateTimeFor(start), localDateTimeFor(end)]
  const { rows } = await sql<WrittenAppointment>`
    select id, ${sql.join(OCCUPYING_FIELDS.map(sql.ref))}, seats, lesson_type_id, to_char(start_at, 'YYYY-MM-DD HH24:MI') as start_at,
      to_char(end_at, 'YYYY-MM-DD HH24:MI') as end_at, status, overrides_used,
      ${lastChange('appointment', wasAsked)} as asked_at
    from appointments stored
    where tenant_id = ${tenantId} and ${standing} and start_at < ${to}::timestamp and ${endsAfter(from)}
    order by stored.start_at, id`.execute(db)
  return rows
}

const RULES: readonly (keyof InstructorRules)[] = [
  'active',
  'max_daily_units',
  'max_daily_override',
  'max_weekly_units',
  'max_weekly_override',
  'required_break_minutes',
  'max_continuous_minutes',
  'availability_windows',
  'vacations',
  'absences',
]

/** Returns the time at which each instructor's and thing's rules were last written, by id, comparable to `asked_at`. */
export async function readRuleTimes(db: Database, tenantId: string): Promise<ReadonlyMap<string, number>> {
  const changesRules = sql<boolean>`exists (select from json_object_keys(after) name
    where name = any(string_to_array(${sql.lit(RULES.join())}, ',')))`
  const things = OCCUPANT_KINDS.filter((kind) => OCCUPANTS[kind].thing).map((kind) => {
    const { calendar } = OCCUPANTS[kind]
    return sql`union all select id, ${lastChange(calendar, sql<boolean>`true`)}
      from ${sql.table(CALENDARS[calendar])} stored where tenant_id = ${tenantId}`
  })
  const { rows } = await sql<{ id: string; written_at: number }>`
    select id, ${lastChange('instructor', changesRules)} as written_at from instructors stored
    where tenant_id = ${tenantId}
    ${sql.join(things, sql` `)}`.execute(db)
  return new Map(rows.map(({ id, written_at }) => [id, written_at]))
}

function lastChange(resource: 'appointment' | CalendarKind, condition: RawBuilder<boolean>) {
  return sql<number>`(select coalesce(extract(epoch from max(changes.at))::float8 * 1000, 0) from changes
    where changes.tenant_id = stored.tenant_id and resource_id = stored.id and resource = ${sql.lit(resource)}
      and ${condition})`
}
