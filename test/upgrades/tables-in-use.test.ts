import { Migrator } from 'kysely/migration'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { connectForMaintenance } from '../../src/db/connection/connect.ts'
import type { DatabasePool } from '../../src/db/connection/pool.ts'
import { lockTables, untilUnused } from '../../src/db/schema/lock-tables.ts'
import { MIGRATIONS, migrate, migrationProvider } from '../../src/db/schema/migrate.ts'
import { execute, useFreshDatabase } from '../cli/fresh-database.ts'
import { waitUntilBlockedBy } from '../db/lock-holder.ts'

/** A migration after which others lock students, users and the log, in this order and in others. */
const BEFORE = '0080-push-subscriptions'
const PENDING = MIGRATIONS.slice(MIGRATIONS.indexOf(BEFORE) + 1)

const database = useFreshDatabase()
let owner: DatabasePool
let request: pg.Client

beforeAll(async () => {
  owner = connectForMaintenance(database().owner, () => undefined)
  request = new pg.Client({ connectionString: database().owner, application_name: 'a request' })
  await request.connect()
})

afterAll(async () => {
  await request.end()
  await owner.destroy()
})

beforeEach(async () => {
  await request.query('rollback')
  await execute(database().owner, 'drop schema public cascade; create schema public')
  const { error } = await new Migrator({ db: owner, provider: migrationProvider }).migrateTo(BEFORE)
  expect(error).toBeUndefined()
})

it('a migration waits for a request that has written a student and goes on to the log', async () => {
  // PostgreSQL aborts the connection that notices a deadlock: there must be none.
  await request.query(`set deadlock_timeout = '10ms'`)
  const migrating = await migrateBehind('students')
  await request.query('lock table changes in row exclusive mode')
  await request.query('commit')
  expect(await migrating()).toEqual(PENDING)
})

it.each([
  ['changes', 'students'],
  ['appointments', 'instructors'],
])('a migration gives way to a request that has written %s and goes on to %s', async (first, second) => {
  await request.query(`set deadlock_timeout = '1min'`)
  const migrating = await migrateBehind(first)
  await request.query(`lock table ${second} in row exclusive mode`)
  await request.query('commit')
  expect(await migrating()).toEqual(PENDING)
})

it('a migration that cannot lock the tables names the connections that use them', async () => {
  await request.query('begin')
  await request.query('select from students')
  const locking = untilUnused(
    owner,
    (attempt) => owner.transaction().execute((db) => lockTables(db, attempt)),
    1,
  )
  await expect(locking).rejects.toThrow(/in 1 attempts, .*: a request \(process \d+\)\. End/)
})

/** Starts a migration that waits for a request which has written a table. Returns a function that waits for its end. */
async function migrateBehind(table: string): Promise<() => Promise<readonly string[]>> {
  await request.query('begin')
  await request.query(`lock table ${table} in row exclusive mode`)
  const migrating = migrate(owner)
  // Its failure is for the returned function to throw.
  migrating.catch(() => undefined)
  await waitUntilBlockedBy(request)
  return () => migrating
}
