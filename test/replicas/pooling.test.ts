import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { connectPostgres } from '../../src/db/connection/connect.ts'
import type { DatabasePool } from '../../src/db/connection/pool.ts'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { postgresDatabase } from '../support/database.ts'
import { execute } from '../support/postgres-database.ts'
import { until } from '../support/process.ts'
import { type Daemon, startPgbouncer } from './daemons.ts'
import { throughPgbouncer } from './pooled-address.ts'

const isSession = inject('poolMode') === 'session'
const { app, owner } = postgresDatabase()
let pgbouncer: Daemon
const pools: DatabasePool[] = []

/** Starts a pgbouncer with one connection to PostgreSQL, which all pools share. */
beforeAll(async () => {
  pgbouncer = await startPgbouncer(atServer(), inject('poolMode'), 1)
})
afterAll(async () => {
  await Promise.all(pools.map((pool) => pool.destroy()))
  await pgbouncer.stop()
})

/** Returns the role's address without the project's own pgbouncer. */
function atServer(): string {
  const url = new URL(app)
  url.host = new URL(owner).host
  return url.href
}

function aPool(namedStatements = isSession): DatabasePool {
  const pool = connectPostgres(throughPgbouncer(app, pgbouncer), () => undefined, { max: 4, namedStatements })
  pools.push(pool)
  return pool
}

/** Returns the backend's process id. The text never varies, so its statement has the same name in every pool of this process. */
async function backendOf(db: DatabasePool): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid where ${1}::int = 1`.execute(db)
  return rows[0]?.pid ?? 0
}

if (isSession)
  describe('a PostgreSQL connection', () => {
    it('accepts the same statement names from its next client', async () => {
      const first = aPool()
      const pid = await backendOf(first)
      await first.destroy()
      expect(await backendOf(aPool())).toBe(pid)
      await Promise.all(pools.splice(0).map((pool) => pool.destroy()))
    })
  })
else
  describe('a single PostgreSQL connection', () => {
    it('serves the pipelined transactions of many clients', async () => {
      const [first, second] = [aPool(), aPool()]
      const add = (db: DatabasePool, number: number) =>
        inTransaction(db, async (transaction, commitWith) => {
          const both = await Promise.all([
            sql<{ n: number }>`select ${number}::int as n`.execute(transaction),
            sql<{ n: number }>`select ${number}::int + 1 as n`.execute(transaction),
          ])
          const last = await commitWith(
            sql<{ n: number }>`select ${number}::int + 2 as n`.execute(transaction),
          )
          return [...both, last].map(({ rows }) => rows[0]?.n)
        })
      const sums = await Promise.all(
        Array.from({ length: 40 }, (_, number) => add(number % 2 ? first : second, number)),
      )
      expect(sums).toEqual(Array.from({ length: 40 }, (_, number) => [number, number + 1, number + 2]))
      expect(await backendOf(first)).toBe(await backendOf(second))
    })

    it('fails for clients that use named statements', async () => {
      const asked = [aPool(true), aPool(true)].flatMap((db) => [backendOf(db), backendOf(db)])
      await expect(Promise.all(asked)).rejects.toThrow(/prepared statement "\w+" /)
      await Promise.allSettled(asked)
    })
  })

it('a connection terminated by PostgreSQL is replaced', async () => {
  const db = aPool()
  const pid = await backendOf(db)
  await execute(owner, `select pg_terminate_backend(${pid})`)
  const answers = () =>
    backendOf(db).then(
      (next) => next !== pid,
      () => false,
    )
  await until(answers, 8000)
})
