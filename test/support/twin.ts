import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { SPREAD } from '../../src/db/schema/citus.ts'
import type { TestService } from './app.ts'
import { CANARY } from './canary.ts'

const WEEK = 7 * 86_400_000

const LOW = '00000000'

/** A twin's end of the indexes that begin with the tenant: a statement without the tenant reads the first or last row. */
export type Side = typeof LOW | 'ffffffff'

type Columns = Readonly<Record<string, unknown>>

/** The tables with rows of a school, in an order in which they can be written. */
const TABLES = [
  ...SPREAD,
  'mails',
  'webhooks',
  'webhook_deliveries',
  'busy_calendars',
  'messages',
  'message_causes',
  'availability_rounds',
  'identity_providers',
] as const

/** Tables of rows with ids that no two schools share, so that they are not copied. */
const NOT_COPIED = ['identities'] as const

/** The fields that differ in the twin, so that a read of them instead of the school's is noticed. */
const OTHERWISE: Readonly<Partial<Record<(typeof TABLES)[number], (row: Columns, side: Side) => Columns>>> = {
  lesson_types: ({ name, counts_toward_limits }) => ({
    name: `${name} ${CANARY}`,
    default_minutes: 10,
    counts_toward_limits: !counts_toward_limits,
  }),
  license_class_templates: ({ name }) => ({ name: `${name} ${CANARY}`, license_class: CANARY }),
  template_requirements: ({ position, required_units }) => ({
    position: Number(position) - 100,
    required_units: Number(required_units) + 7,
  }),
  instructors: ({ active }) => ({ active: !active, max_daily_units: 1, max_daily_override: null }),
  availability_windows: () => ({ start: '20:00', end: '21:00' }),
  vacations: () => ({ start_date: '2031-03-01', end_date: '2031-03-31' }),
  closures: () => ({ start_date: '2031-03-01', end_date: '2031-03-31' }),
  // No outbox may take the twin's in place of the school's.
  busy_calendars: () => ({
    ...{ name: CANARY, failing_since: '2026-05-01 12:00Z', failure: 'forbidden' },
    ...{ troubled_since: new Date(), next_read_at: '2099-01-01' },
  }),
  enrolments: ({ license_class }) => ({ license_class: `${license_class} ${CANARY}`, note: CANARY }),
  signatures: () => ({ as: 'school', name: CANARY, digest: CANARY }),
  ticks: () => ({ date: '2025-01-31', valid_until: null, note: CANARY }),
  enquiries: () => ({ first_name: CANARY, license_class: CANARY, state: 'closed', student_id: null }),
  wishes: () => ({ minutes: 45, time_from: '17:00', time_to: null, weekdays: null }),
  availability_rounds: () => ({ student_ids: [randomUUID()] }),
  availability: ({ lessons }) => ({ lessons: Number(lessons) + 1, windows: null }),
  students: ({ deleted_at }) => ({
    deleted_at: deleted_at === null ? '2026-05-01 12:00Z' : null,
    archived_at: '2026-05-01 12:00Z',
    preferred_instructor_id: null,
  }),
  appointments: ({ start_at, end_at }) => ({ start_at: weekLater(start_at), end_at: weekLater(end_at) }),
  offers: ({ start_at, end_at }) => ({ start_at: weekLater(start_at), end_at: weekLater(end_at) }),
  plans: () => ({ proposed: [], left_out: [], dropped: [], state: 'draft', to: '2099-12-30' }),
  identity_providers: () => ({ client_id: CANARY, required: true }),
  // Shift the log, so that its order shows whether a twin's was read, on either side.
  changes: ({ at }, side) => ({ at: new Date(Date.parse(String(at)) + (side === LOW ? WEEK : -WEEK)) }),
}

/**
 * Makes a school with the same ids in all its rows and different content: the database requires ids to be unique only
 * within a school. In the twin's texts the canary replaces `word`. Returns the twin's id.
 */
export async function plantTwin(
  { db }: TestService,
  tenantId: string,
  word: string,
  side: Side = LOW,
): Promise<string> {
  const twin = `${side}${randomUUID().slice(8)}`
  const insert = async (table: (typeof TABLES)[number] | 'tenants', rows: readonly Columns[]) => {
    const text = JSON.stringify(rows).replaceAll(word, CANARY)
    await sql`insert into ${sql.table(table)}
      select * from jsonb_populate_recordset(null::${sql.table(table)}, ${text}::jsonb)`.execute(db)
  }
  const [school] = await db.selectFrom('tenants').selectAll().where('id', '=', tenantId).execute()
  // No two schools have one address of a form.
  const enquiries = { ...school?.enquiries, slug: null, enabled: false }
  await insert('tenants', [{ ...school, id: twin, name: CANARY, enquiries }])
  for (const table of TABLES) {
    const rows = await rowsIn(db, table, tenantId)
    await insert(
      table,
      rows.map((row) => ({ ...row, tenant_id: twin, ...OTHERWISE[table]?.(row, side) })),
    )
  }
  return twin
}

/** Plants a twin at each end of the indexes and changes it. Returns their ids. */
export async function plantTwins(
  service: TestService,
  tenantId: string,
  word: string,
  change?: (twin: string, side: Side) => Promise<unknown>,
): Promise<readonly string[]> {
  const twins: string[] = []
  for (const side of [LOW, 'ffffffff'] as const) {
    const twin = await plantTwin(service, tenantId, word, side)
    await change?.(twin, side)
    twins.push(twin)
  }
  return twins
}

/** Returns a function that reads all rows of the schools. */
export function rowsOfAll(
  service: TestService,
  tenantIds: readonly string[],
): () => Promise<readonly object[]> {
  return () => Promise.all(tenantIds.map((id) => everythingOf(service, id)))
}

/** Returns rows in an order that does not depend on how the database read them. */
export function sorted(rows: readonly unknown[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).toSorted()
}

/** Returns all rows of a school, including calendars, so that an increment by a lock is noticed. */
export async function everythingOf({ db }: TestService, tenantId: string): Promise<object> {
  const school = await db.selectFrom('tenants').selectAll().where('id', '=', tenantId).execute()
  const tables: Record<string, readonly object[]> = { tenants: school }
  for (const table of [...TABLES, ...NOT_COPIED]) tables[table] = await rowsIn(db, table, tenantId)
  return tables
}

async function rowsIn(db: TestService['db'], table: string, tenantId: string): Promise<readonly Columns[]> {
  const { rows } = await sql<{ row: Columns }>`select to_jsonb(t) as row from ${sql.table(table)} t
    where tenant_id = ${tenantId} order by to_jsonb(t)::text`.execute(db)
  return rows.map(({ row }) => row)
}

function weekLater(time: unknown): string {
  return new Date(Date.parse(`${time}Z`) + WEEK).toISOString().slice(0, 19)
}
