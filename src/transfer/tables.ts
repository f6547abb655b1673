import { type RawBuilder, sql } from 'kysely'
import { EXPECTED_SCHEMA, type ExpectedTable } from '../db/schema/made-schema.ts'
import type { Tables } from '../db/schema/tables.ts'

export type TableName = keyof Tables

export type SchoolTable = keyof typeof WITH_A_SCHOOL

/** The tables of a school, each after the tables that it references, with the columns that sort its rows. */
const WITH_A_SCHOOL = {
  tenants: ['id'],
  users: ['id'],
  passkeys: ['id'],
  recovery_codes: ['user_id', 'code_hash'],
  calendars: ['id'],
  lesson_types: ['id'],
  license_class_templates: ['id'],
  template_requirements: ['license_class_template_id', 'position'],
  locations: ['id'],
  vehicles: ['id'],
  instructors: ['id'],
  availability_windows: ['instructor_id', 'position'],
  vacations: ['instructor_id', 'position'],
  students: ['id'],
  enrolments: ['id'],
  ticks: ['id'],
  appointments: ['id'],
  signatures: ['id'],
  schedule_requests: ['id'],
  closures: ['id'],
  enquiries: ['id'],
  wishes: ['id'],
  availability: ['id'],
  availability_rounds: ['id'],
  offers: ['id'],
  changes: ['at', 'id'],
  retention_runs: ['at', 'id'],
  plans: ['id'],
  idempotency_keys: ['user_id', 'key', 'part'],
} as const satisfies Partial<Record<TableName, readonly string[]>>

/** The tables that only portable backups contain. */
const WITH_AN_INSTALLATION = {
  links: ['tenant_id', 'id'],
  offer_links: ['tenant_id', 'offer_id', 'student_id'],
  push_subscriptions: ['tenant_id', 'student_id', 'endpoint'],
  password_links: ['user_id', 'kind'],
  token_families: ['id'],
  refresh_tokens: ['id'],
  session_users: ['family_id', 'user_id'],
  totp_secrets: ['user_id'],
  identity_providers: ['tenant_id'],
  identities: ['user_id'],
  login_addresses: ['user_id', 'address'],
  login_failures: ['failed_at', 'account', 'address'],
  used_challenges: ['id'],
  mails: ['id'],
  busy_calendars: ['tenant_id', 'id'],
  busy_times: ['tenant_id', 'instructor_id', 'calendar_id'],
  webhooks: ['tenant_id', 'id'],
  webhook_deliveries: ['tenant_id', 'webhook_id', 'sequence'],
  message_causes: ['tenant_id', 'id'],
  messages: ['tenant_id', 'id'],
  plannings: ['tenant_id'],
} as const satisfies Record<Exclude<TableName, keyof typeof WITH_A_SCHOOL>, readonly string[]>

const ORDER: Readonly<Record<TableName, readonly string[]>> = { ...WITH_A_SCHOOL, ...WITH_AN_INSTALLATION }

export type Scope = { readonly tenantId?: string | undefined }

export function tablesOf({ tenantId }: Scope): readonly TableName[] {
  return Object.keys(tenantId === undefined ? ORDER : WITH_A_SCHOOL) as TableName[]
}

type Spelling = 'plain' | 'moment' | 'wall_clock' | 'time_of_day'

const SPELLINGS: Readonly<Record<string, Spelling>> = {
  timestamptz: 'moment',
  timestamp: 'wall_clock',
  time: 'time_of_day',
}

/** The columns that have no meaning in another database. */
const LEFT: ReadonlySet<string> = new Set(['changes.transaction', 'webhook_deliveries.sequence'])

function madeTable(table: TableName): ExpectedTable {
  const made = EXPECTED_SCHEMA[table]
  if (!made) throw new Error(`schema.json lacks ${table}`)
  return made
}

/** Returns the columns of a table's lines. A school's file omits `tenant_id`. */
export function fileColumnsFor(
  table: TableName,
  { tenantId }: Scope,
): readonly (readonly [string, Spelling])[] {
  return Object.entries(madeTable(table).columns)
    .filter(([name]) => !LEFT.has(`${table}.${name}`) && (tenantId === undefined || name !== 'tenant_id'))
    .map(([name, type]) => [name, SPELLINGS[type] ?? 'plain'])
}

export function namesSchool(table: TableName): boolean {
  return 'tenant_id' in madeTable(table).columns
}

export function belongsTo(table: TableName, { tenantId }: Scope): RawBuilder<boolean> {
  if (tenantId === undefined) return sql`true`
  const school = sql.lit(tenantId)
  if (table === 'tenants') return sql`id = ${school}`
  if (namesSchool(table)) return sql`tenant_id = ${school}`
  return sql`user_id in (select id from users where tenant_id = ${school})`
}

export function linesOf(table: TableName, scope: Scope): RawBuilder<{ line: string }> {
  const fields = fileColumnsFor(table, scope).map(
    ([name, spelling]) =>
      sql`${written(scope, table, name) ?? spelled(table, name, spelling)} as ${sql.ref(name)}`,
  )
  const order = sql.join(ORDER[table].map((name) => sql.ref(`${table}.${name}`)))
  return sql`select row_to_json(line)::text as line from (
    select ${sql.lit(table)} as "table", ${sql.join(fields)} from ${sql.table(table)}
    where ${belongsTo(table, scope)} order by ${order}) line`
}

/** Without the secrets of authenticator apps, which only their installation can open, nobody may be left without a way in. */
function written({ tenantId }: Scope, table: TableName, name: string): RawBuilder<unknown> | undefined {
  if (tenantId === undefined || table !== 'users' || name !== 'second_factor') return undefined
  return sql`second_factor and exists (select from passkeys where user_id = users.id)`
}

const FORMS = {
  moment: 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"',
  wall_clock: 'YYYY-MM-DD HH24:MI',
  time_of_day: 'HH24:MI',
} as const

function spelled(table: TableName, name: string, spelling: Spelling): RawBuilder<unknown> {
  const column = sql.ref(`${table}.${name}`)
  if (spelling === 'plain') return column
  const form = sql.lit(FORMS[spelling])
  return spelling === 'moment'
    ? sql`to_char(${column} at time zone interval '0', ${form})`
    : sql`to_char(${column}, ${form})`
}
