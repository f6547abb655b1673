import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from './tables.ts'

/** The tables distributed over workers by `tenant_id`: all rows of a school are on one. */
export const SPREAD = [
  'calendars',
  'lesson_types',
  'license_class_templates',
  'template_requirements',
  'locations',
  'vehicles',
  'instructors',
  'availability_windows',
  'vacations',
  'busy_times',
  'students',
  'enrolments',
  'ticks',
  'appointments',
  'signatures',
  'schedule_requests',
  'closures',
  'links',
  'enquiries',
  'wishes',
  'availability',
  'offers',
  'offer_links',
  'push_subscriptions',
  'changes',
  'retention_runs',
  'plans',
  'plannings',
  'idempotency_keys',
] as const

/** The tables replicated on every worker, because distributed tables reference them. */
export const EVERYWHERE = ['tenants'] as const

/** The tables that stay on the coordinator, with the reasons. */
export const AT_HOME = {
  mails: 'the outbox is one queue, of which any process takes what is next, of whatever school',
  webhooks: 'one queue, like the outbox',
  webhook_deliveries: 'of webhooks',
  busy_calendars: 'one queue, like the outbox',
  messages: 'an outbox, as `mails`',
  availability_rounds: 'one queue of what is due, as `messages`',
  message_causes: 'what the outbox of messages is filled from',
  users: 'a login does not name its school, and an address may have users of several',
  password_links: 'of users',
  passkeys: 'of users, and a login by passkey names no school',
  recovery_codes: 'of users',
  totp_secrets: 'of users',
  identity_providers: 'of logins, before there is a session',
  identities: 'of users',
  used_challenges: 'of logins that are under way',
  token_families: 'a refresh token does not name its school',
  refresh_tokens: 'a refresh token does not name its school',
  session_users: 'of sessions, and of users of several schools',
  login_failures: 'counted by account and address, of whatever school',
  login_addresses: 'of users',
} as const

export function isSpreadTable(table: string): boolean {
  return [...EVERYWHERE, ...SPREAD].some((name) => name === table)
}

/** The foreign key from a table on the coordinator to a replicated one, which Citus does not allow. */
export const DROPPED_WHERE_SPREAD = 'users_tenant_id_fkey'

export class NoCitus extends Error {
  constructor() {
    super(
      'The database has no Citus: run CREATE EXTENSION citus on the coordinator and add its workers first, or migrate without --citus.',
    )
  }
}

export async function isSpread(db: Database): Promise<boolean> {
  if (!(await hasCitus(db))) return false
  const { rows } = await sql`select from pg_dist_partition
    where logicalrelid = to_regclass('appointments')`.execute(db)
  return rows.length > 0
}

/** Distributes all undistributed tables in one transaction and returns them. Run as schema owner. Throws `NoCitus`. */
export async function spread(db: Database): Promise<readonly string[]> {
  await requireCitus(db)
  return db.transaction().execute(async (transaction) => {
    await sql`set local citus.multi_shard_modify_mode to 'sequential'`.execute(transaction)
    const missing = await notSpread(transaction)
    if (missing.length === 0) return []
    const keys = await foreignKeysOf(transaction, missing)
    for (const { table, name } of keys) {
      await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(transaction)
    }
    for (const table of missing) await spreadTable(transaction, table)
    for (const { table, name, definition } of keys) {
      if (name === DROPPED_WHERE_SPREAD) continue
      await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(
        transaction,
      )
    }
    return missing
  })
}

/** Distributes a new table in a migration if the database is distributed. Call it before adding the table's foreign keys. */
export async function placeNewTable(db: Kysely<unknown>, table: (typeof SPREAD)[number]): Promise<void> {
  const tables = db as Database
  if (await isSpread(tables)) await spreadTable(tables, table)
}

export async function requireCitus(db: Database): Promise<void> {
  if (!(await hasCitus(db))) throw new NoCitus()
}

async function hasCitus(db: Database): Promise<boolean> {
  const { rows } = await sql`select from pg_extension where extname = 'citus'`.execute(db)
  return rows.length > 0
}

async function notSpread(db: Database): Promise<readonly string[]> {
  const wanted = [...EVERYWHERE, ...SPREAD]
  const { rows } = await sql<{ name: string }>`
    select name from unnest(${wanted}::text[]) with ordinality as wanted (name, position)
    where to_regclass(name) is not null
      and not exists (select from pg_dist_partition where logicalrelid = to_regclass(name))
    order by position`.execute(db)
  return rows.map(({ name }) => name)
}

async function spreadTable(db: Database, table: string): Promise<void> {
  const asReference: RawBuilder<unknown> = sql`select create_reference_table(${table}::regclass)`
  const asSpread = sql`select create_distributed_table(${table}::regclass, 'tenant_id', colocate_with => ${
    table === SPREAD[0] ? 'none' : SPREAD[0]
  })`
  const isReference = EVERYWHERE.some((name) => name === table)
  await (isReference ? asReference : asSpread).execute(db)
}

type ForeignKey = { readonly table: string; readonly name: string; readonly definition: string }

async function foreignKeysOf(db: Database, tables: readonly string[]): Promise<readonly ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and (conrelid = any(${tables}::regclass[]) or confrelid = any(${tables}::regclass[]))
      and conparentid = 0
    order by conname`.execute(db)
  return rows
}
