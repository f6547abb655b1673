import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectForMaintenance } from '../../src/db/connection/connect.ts'
import type { DatabasePool } from '../../src/db/connection/pool.ts'
import { isSpread, SPREAD, spread } from '../../src/db/schema/citus.ts'
import { MIGRATIONS, migrate, migrationProvider } from '../../src/db/schema/migrate.ts'
import { postgresDatabase } from '../support/database.ts'
import { addressOf, execute } from '../support/postgres-database.ts'
import { coordinatorUrl, makeCluster, workersOf } from './cluster.ts'

const name = `fahrplan_test_${randomBytes(6).toString('hex')}`
/** The last migration before support for clusters. */
const BEFORE = '0007-roles'

let early: DatabasePool
let late: DatabasePool

beforeAll(async () => {
  const owner = addressOf(coordinatorUrl(), { database: name })
  await execute(coordinatorUrl(), `create database ${name}`)
  await makeCluster(name, owner, await workersOf(coordinatorUrl()))
  early = connectForMaintenance(owner, () => undefined)
  late = connectForMaintenance(postgresDatabase().owner, () => undefined)
})

afterAll(async () => {
  await early?.destroy()
  await late?.destroy()
  for (const node of [coordinatorUrl(), ...(await workersOf(coordinatorUrl()))]) {
    await execute(node, `drop database if exists ${name} with (force)`)
  }
})

it('migrations after 0007-roles give distributed tables the same schema as a new database', async () => {
  const { error } = await new Migrator({ db: early, provider: migrationProvider }).migrateTo(BEFORE)
  expect(error).toBeUndefined()
  await spread(early)
  expect(await isSpread(early)).toBe(true)
  expect(await migrate(early)).toEqual(MIGRATIONS.slice(MIGRATIONS.indexOf(BEFORE) + 1))
  expect(await spread(early)).toEqual([])
  expect(await placesOf(early)).toEqual(await placesOf(late))
  expect(await constraintsOf(early)).toEqual(await constraintsOf(late))
})

it('all tables with school data are distributed by tenant_id and colocated', async () => {
  const { rows } = await sql<{ name: string; key: string; colocation: number }>`
    select logicalrelid::text as name, column_to_column_name(logicalrelid, partkey) as key, colocationid as colocation
    from pg_dist_partition where partmethod = 'h'`.execute(late)
  expect(rows.map((row) => row.name).toSorted()).toEqual([...SPREAD].toSorted())
  expect(new Set(rows.map(({ key }) => key))).toEqual(new Set(['tenant_id']))
  expect(new Set(rows.map(({ colocation }) => colocation)).size).toBe(1)
})

async function placesOf(db: DatabasePool) {
  const { rows } = await sql`select logicalrelid::text as name, partmethod as method from pg_dist_partition
    order by 1`.execute(db)
  return rows
}

/** Reads the constraints without shard ids in their names, because these depend on when a constraint was added. */
async function constraintsOf(db: DatabasePool) {
  const { rows } =
    await sql`select conrelid::regclass::text as table, regexp_replace(conname, '_\\d{6}$', '') as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`.execute(db)
  return rows
}
