// @module-tag embedded: the embedded database has no connection to lose

import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import type { Transaction } from '../../src/db/schema/tables.ts'
import { useService } from '../support/app.ts'
import { Client } from '../support/client.ts'

const service = useService()
const uncaught: string[] = []
const note = ({ message }: Error) => uncaught.push(message)

beforeEach(() => process.on('uncaughtExceptionMonitor', note))
afterEach(() => process.off('uncaughtExceptionMonitor', note))

it('a connection lost between two statements fails its transaction, not the process (S99, F6)', async () => {
  await expect(
    inTransaction(service().db, async (db) => {
      await loseConnection(db)
      await sql`select 1`.execute(db)
    }),
  ).rejects.toThrow()
  expect(uncaught).toEqual([])
  expect((await new Client(service()).get('//readyz')).status).toBe(200)
})

/** Ends a transaction's connection from another one. On the embedded database, which has none to lose, it only throws. */
async function loseConnection(db: Transaction): Promise<void> {
  if (service().kind === 'embedded') throw new Error('as if it were lost')
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  const pid = rows[0]?.pid
  const fromOutside = service().db
  await sql`select pg_terminate_backend(${pid})`.execute(fromOutside)
  const alive = sql`select from pg_stat_activity where pid = ${pid}`
  await vi.waitFor(async () => expect((await alive.execute(fromOutside)).rows).toEqual([]), {
    timeout: 10_000,
  })
  await new Client(service()).get('//readyz')
}
