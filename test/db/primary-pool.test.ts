import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { connectPostgres } from '../../src/db/connection/connect.ts'
import type { DatabasePool } from '../../src/db/connection/pool.ts'
import { postgresDatabase } from '../support/database.ts'
import { addressOf, execute } from '../support/postgres-database.ts'
import { until } from '../support/process.ts'

const LIMIT = 2

let role: string
let watcher: DatabasePool
let db: DatabasePool

/** Creates a role with two connections, and a pool of that role with two addresses of the server. */
beforeEach(async () => {
  const { owner } = postgresDatabase()
  const password = randomBytes(8).toString('hex')
  role = `few_${password}`
  await execute(owner, `create role ${role} login password '${password}' connection limit ${LIMIT}`)
  watcher = connectPostgres(owner, () => undefined)
  const both = addressOf(owner, { user: role, password }).replace(/(?<=@)[^/]*/, (host) => `${host},${host}`)
  db = connectPostgres(both, () => undefined)
})

afterEach(async () => {
  await db.destroy().catch(() => undefined)
  await until(async () => (await connections()) === 0)
  await sql`drop role ${sql.ref(role)}`.execute(watcher)
  await watcher.destroy()
})

async function connections(): Promise<number> {
  const { rows } = await sql`select from pg_stat_activity where usename = ${role}`.execute(watcher)
  return rows.length
}

it('a server without a free connection rejects with 53300 and is not treated as lost', async () => {
  const taken: pg.PoolClient[] = [await db.pool.connect()]
  // Wait until the connections of the search for the primary are closed.
  await until(async () => (await connections()) === 1)
  taken.push(await db.pool.connect())
  await expect(db.pool.connect()).rejects.toMatchObject({ code: '53300' })
  taken.pop()?.release()
  const { rows } = await db.pool.query('select 1 as one')
  expect(rows).toEqual([{ one: 1 }])
  for (const client of taken) client.release()
})

it('a pool destroyed while it is connecting leaves no open connection', async () => {
  const connected = db.pool.connect().then(
    (client) => client.release(),
    () => undefined,
  )
  await db.destroy()
  await connected
  await until(async () => (await connections()) === 0)
})
