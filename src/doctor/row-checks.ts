import { type RawBuilder, sql } from 'kysely'
import { NIL } from 'uuid'
import { isCountedRow } from '../db/appointments/appointment-conditions.ts'
import { isLessonOf } from '../db/appointments/attendees.ts'
import type { Database } from '../db/schema/tables.ts'
import { oneSidedTravelTimes } from '../db/school/locations.ts'
import { CALENDAR_KINDS, CALENDARS, type CalendarKind } from '../domain/occupants.ts'
import type { Fact, FindingCode, Report } from './finding.ts'
import { REFERENCES, type Reference, SCHOOL_TABLES } from './references.ts'

/** A check of rows. Its statement returns `resource_id` and the parameters of the code. */
type RowCheck = Pick<Fact, 'resource' | 'code'> & { readonly rows: RawBuilder<unknown> }

type CheckScope = { readonly tenantId: string | null; readonly report: Report }

/** Reports rows whose school, user or session does not exist, which no other check finds. */
export async function checkStrayRows(db: Database, report: Report): Promise<void> {
  for (const table of SCHOOL_TABLES) {
    const rows = sql`select distinct tenant_id as resource_id from ${sql.table(table)} child
      where not exists (select from tenants where tenants.id = child.tenant_id)`
    await runCheck(db, { tenantId: null, report }, { resource: table, code: 'school_missing', rows })
  }
  for (const { table, id, column, parent } of STRAYS) {
    const rows = sql`select ${sql.ref(id)} as resource_id, ${sql.lit(column)} as "column", ${sql.ref(column)} as target
      from ${sql.table(table)} child
      where not exists (select from ${sql.table(parent)} parent where parent.id = ${sql.ref(`child.${column}`)})`
    await runCheck(db, { tenantId: null, report }, { resource: table, code: 'reference_to_nothing', rows })
  }
}

const STRAYS = [
  { table: 'token_families', id: 'id', column: 'user_id', parent: 'users' },
  { table: 'refresh_tokens', id: 'id', column: 'family_id', parent: 'token_families' },
  { table: 'session_users', id: 'family_id', column: 'family_id', parent: 'token_families' },
  { table: 'session_users', id: 'family_id', column: 'user_id', parent: 'users' },
  { table: 'passkeys', id: 'id', column: 'user_id', parent: 'users' },
  { table: 'recovery_codes', id: 'user_id', column: 'user_id', parent: 'users' },
  { table: 'totp_secrets', id: 'user_id', column: 'user_id', parent: 'users' },
  { table: 'identities', id: 'user_id', column: 'user_id', parent: 'users' },
  { table: 'login_addresses', id: 'user_id', column: 'user_id', parent: 'users' },
  { table: 'password_links', id: 'user_id', column: 'user_id', parent: 'users' },
] as const

/** Reports rows of a school that are impossible under any rules. */
export async function checkRows(db: Database, tenantId: string, report: Report): Promise<void> {
  for (const reference of REFERENCES) await checkReference(db, { tenantId, report }, reference)
  const checks = [
    ...appointmentChecks(tenantId),
    ...CALENDAR_KINDS.map((kind) => calendarCheck(tenantId, kind)),
    calendarOfNobody(tenantId),
    classCheck(tenantId),
    balanceCheck(tenantId),
    { resource: 'location', code: 'way_one_sided' as const, rows: oneSidedTravelTimes(tenantId) },
  ]
  for (const check of checks) await runCheck(db, { tenantId, report }, check)
}

async function runCheck(
  db: Database,
  { tenantId, report }: CheckScope,
  { resource, code, rows }: RowCheck,
): Promise<void> {
  const found = await sql<{ resource_id: string }>`${rows}`.execute(db)
  for (const { resource_id, ...params } of found.rows)
    report(tenantId, { resource, resource_id, code, params })
}

async function checkReference(
  db: Database,
  { tenantId, report }: CheckScope,
  { table, column, parent, resource, owner, isList }: Reference,
): Promise<void> {
  const named = sql.ref(`child.${column}`)
  const target = isList ? sql`one` : named
  const several =
    typeof isList === 'string'
      ? sql`(select (entry ->> ${sql.lit(isList)})::uuid from jsonb_array_elements(${named}) entry)`
      : sql`unnest(${named})`
  const from = typeof isList === 'string' ? sql`lateral ${several} named (one)` : sql`${several} one`
  const child = isList ? sql`${sql.table(table)} child, ${from}` : sql`${sql.table(table)} child`
  const { rows } = await sql<{ resource_id: string; target: string }>`
    select child.${sql.ref(owner)} as resource_id, ${target} as target
    from ${child}
    where child.tenant_id = ${tenantId} and ${target} <> ${sql.lit(NIL)} and not exists (
      select from ${sql.table(parent)} parent
      where parent.tenant_id = child.tenant_id and parent.id = ${target})`.execute(db)
  for (const { resource_id, target } of rows) {
    const code: FindingCode = (await isAnywhere(db, parent, target))
      ? 'reference_to_other_school'
      : 'reference_to_nothing'
    report(tenantId, { resource, resource_id, code, params: { column, target } })
  }
}

async function isAnywhere(db: Database, table: string, id: string): Promise<boolean> {
  const { rows } = await sql`select id from ${sql.table(table)} where id = ${id} limit 1`.execute(db)
  return rows.length > 0
}

function appointmentChecks(tenantId: string): readonly RowCheck[] {
  const resource = 'appointment'
  return [
    {
      resource,
      code: 'time_invalid',
      rows: sql`select id as resource_id, start_at::text, end_at::text from appointments
        where tenant_id = ${tenantId} and not (${isPossibleTime})`,
    },
    {
      resource,
      code: 'actual_time_invalid',
      rows: sql`select id as resource_id, actual_start_at::text, actual_end_at::text from appointments
        where tenant_id = ${tenantId} and not (${isPossible('actual_start_at', 'actual_end_at')})`,
    },
    {
      resource,
      code: 'cancellation_invalid',
      rows: sql`select id as resource_id, status from appointments
        where tenant_id = ${tenantId} and cancellation is not null and status <> 'cancelled'`,
    },
    {
      resource,
      code: 'no_show_fee_invalid',
      rows: sql`select id as resource_id, status from appointments
        where tenant_id = ${tenantId} and no_show_fee_percent is not null and status <> 'no_show'`,
    },
    {
      resource,
      code: 'cancelled_with_student_invalid',
      rows: sql`select id as resource_id, status from appointments
        where tenant_id = ${tenantId} and cancelled_with_student and ${isCountedRow}`,
    },
    {
      resource,
      code: 'student_deleted',
      rows: sql`select a.id as resource_id, start_at::text from appointments a
        join students s on s.tenant_id = a.tenant_id and s.id = a.student_id join tenants t on t.id = a.tenant_id
        where a.tenant_id = ${tenantId} and a.deleted_at is null and s.deleted_at is not null
          and a.status = 'planned' and a.start_at > now() at time zone t.timezone`,
    },
    {
      resource,
      code: 'student_deleted',
      rows: sql`select a.id as resource_id, start_at::text from appointments a
        cross join lateral jsonb_array_elements(a.attendees) entry
        join students s on s.tenant_id = a.tenant_id and s.id = (entry ->> 'student_id')::uuid
        join tenants t on t.id = a.tenant_id
        where a.tenant_id = ${tenantId} and a.deleted_at is null and s.deleted_at is not null
          and a.status = 'planned' and a.start_at > now() at time zone t.timezone`,
    },
    {
      resource,
      code: 'student_archived',
      rows: sql`select a.id as resource_id, start_at::text from appointments a
        join students s on s.tenant_id = a.tenant_id and ${isLessonOf(sql`s.id`, 'a')}
        join tenants t on t.id = a.tenant_id
        where a.tenant_id = ${tenantId} and a.deleted_at is null and a.status = 'planned'
          and a.start_at > now() at time zone t.timezone and a.start_at > s.archived_at at time zone t.timezone`,
    },
  ]
}

/** Whether an appointment's times meet the contract: whole minutes of this century, at most a day. */
export const isPossibleTime = isPossible('start_at', 'end_at')

function isPossible(startColumn: string, endColumn: string): RawBuilder<boolean> {
  const [start, end] = [sql.ref(startColumn), sql.ref(endColumn)]
  return sql<boolean>`coalesce(isfinite(${start}) and isfinite(${end})
    and ${start} >= '2000-01-01' and ${end} < '2100-01-01'
    and ${start} < ${end} and ${end} <= ${start} + interval '24 hours'
    and date_trunc('minute', ${start}) = ${start} and date_trunc('minute', ${end}) = ${end},
    ${start} is null and ${end} is null)`
}

function calendarCheck(tenantId: string, resource: CalendarKind): RowCheck {
  const rows = sql`select id as resource_id from ${sql.table(CALENDARS[resource])} person
    where tenant_id = ${tenantId} and not exists (select from calendars calendar
      where calendar.tenant_id = person.tenant_id and calendar.id = person.id)`
  return { resource, code: 'calendar_missing', rows }
}

function classCheck(tenantId: string): RowCheck {
  const rows = sql`select student.id as resource_id, license_class_template_id as template_id, current.template_id as current_id
    from students student
    left join enrolments current on current.tenant_id = student.tenant_id and current.student_id = student.id
      and current.is_current and current.deleted_at is null
    where student.tenant_id = ${tenantId} and license_class_template_id is distinct from current.template_id`
  return { resource: 'student', code: 'class_not_enrolled', rows }
}

function balanceCheck(tenantId: string): RowCheck {
  const rows = sql`select student.id as resource_id from students student
    join enrolments current on current.tenant_id = student.tenant_id and current.student_id = student.id
      and current.is_current and current.deleted_at is null
    where student.tenant_id = ${tenantId} and student.opening_balance::text <> '[]'`
  return { resource: 'student', code: 'balance_beside_enrolment', rows }
}

function calendarOfNobody(tenantId: string): RowCheck {
  const owners = CALENDAR_KINDS.map(
    (kind) => sql`when ${sql.lit(kind)} then exists (
      select from ${sql.table(CALENDARS[kind])} where tenant_id = ${tenantId} and id = calendar.id)`,
  )
  const rows = sql`select id as resource_id, kind from calendars calendar
    where tenant_id = ${tenantId} and not case kind ${sql.join(owners, sql` `)} else false end`
  return { resource: 'calendar', code: 'calendar_of_nobody', rows }
}
