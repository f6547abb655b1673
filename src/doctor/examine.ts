import { sql } from 'kysely'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inLongSnapshot } from '../db/connection/transaction.ts'
import type { Database } from '../db/schema/tables.ts'
import { findTenant, listTenants } from '../db/school/tenants.ts'
import { checkCorrectedFigures } from './corrected-figures.ts'
import { type Finding, findingFor, type Report } from './finding.ts'
import { checkHistory } from './history-check.ts'
import { checkIndexes } from './index-check.ts'
import { checkRows, checkStrayRows } from './row-checks.ts'
import { checkRules } from './rule-check.ts'
import { checkMigrations, checkSchema } from './schema-check.ts'
import { checkSessions } from './session-check.ts'
import { unlessUnreadable } from './unreadable.ts'

export type ExaminedCounts = { readonly schools: number; readonly appointments: number }

export type Examination = {
  readonly tenantId?: string | undefined
  readonly onFinding: (finding: Finding) => void
  readonly onProgress?: (done: number, total: number) => void
}

/** Checks stored data without writing, each school in one snapshot. Checks nothing else if the migrations are not the known ones. */
export async function examine(database: DatabasePool, examination: Examination): Promise<ExaminedCounts> {
  const { tenantId, onFinding } = examination
  const report: Report = (tenant, fact) => onFinding(findingFor(tenant, fact))
  const isKnown = await inLongSnapshot(database, (db) => checkMigrations(db, report))
  if (!isKnown) return { schools: 0, appointments: 0 }
  await inLongSnapshot(database, (db) => checkSchema(db, report))
  await checkIndexes(database, report)
  const all = { resource: 'database', resource_id: 'all schools' }
  await unlessUnreadable(
    (fact) => report(null, fact),
    all,
    () =>
      inLongSnapshot(database, async (db) => {
        await checkStrayRows(db, report)
        await checkSessions(db, tenantId, report)
      }),
  )
  const progress = progressOf(examination, await inLongSnapshot(database, (db) => countRows(db, tenantId)))
  let [schools, appointments] = [0, 0]
  for (const { id } of await schoolsOf(database, tenantId)) {
    schools += 1
    const school = { resource: 'tenant', resource_id: id }
    await unlessUnreadable(
      (fact) => report(id, fact),
      school,
      async () => {
        appointments += await inLongSnapshot(database, (db) =>
          examineSchool(db, id, { report, onRead: progress }),
        )
      },
    )
  }
  return { schools, appointments }
}

async function schoolsOf(database: DatabasePool, tenantId: string | undefined) {
  if (tenantId === undefined) return listTenants(database)
  const tenant = await findTenant(database, tenantId)
  return tenant ? [tenant] : []
}

export async function examineSchool(
  db: Database,
  id: string,
  listeners: { readonly report: Report; readonly onRead: (rows: number) => void },
): Promise<number> {
  const tenant = await findTenant(db, id)
  if (!tenant) return 0
  await checkRows(db, id, listeners.report)
  await checkRules(db, tenant, listeners)
  await checkCorrectedFigures(db, tenant, listeners.report)
  await checkHistory(db, id, listeners)
  return (await countRows(db, id)).appointments
}

async function countRows(db: Database, tenantId: string | undefined) {
  const ofSchool = tenantId === undefined ? sql`true` : sql`tenant_id = ${tenantId}`
  const { rows } = await sql<{ appointments: number; changes: number }>`
    select (select count(*)::float8 from appointments where ${ofSchool}) as appointments,
      (select count(*)::float8 from changes where ${ofSchool}) as changes`.execute(db)
  return rows[0] ?? { appointments: 0, changes: 0 }
}

function progressOf(
  { onProgress }: Examination,
  { appointments, changes }: { readonly appointments: number; readonly changes: number },
): (rows: number) => void {
  let done = 0
  return (rows) => {
    done += rows
    onProgress?.(done, appointments + changes)
  }
}
