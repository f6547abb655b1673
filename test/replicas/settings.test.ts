import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { requireServerSettings } from '../../src/db/connection/connect.ts'
import { useService } from '../support/app.ts'
import { postgresDatabase } from '../support/database.ts'
import { aSchool } from '../support/factory.ts'
import { execute } from '../support/postgres-database.ts'
import { Program } from '../support/process.ts'
import { type Daemon, startPgbouncer } from './daemons.ts'
import { throughPgbouncer } from './pooled-address.ts'

const service = useService()
const owner = new pg.Client({ connectionString: ownerAddress() })

beforeAll(async () => void (await owner.connect()))
afterAll(() => owner.end())

it('a request waits two seconds for a lock and then gets 503', async () => {
  const school = await aSchool(service())
  const { id: instructor_id } = await school.instructor()
  await owner.query('begin')
  await owner.query('select from instructors where id = $1 for update', [instructor_id])
  const asked = performance.now()
  const answer = await school.book({
    instructor_id,
    start_at: '2040-01-02 08:00',
    end_at: '2040-01-02 09:00',
  })
  const waited = performance.now() - asked
  await owner.query('rollback')
  expect([answer.status, answer.body.code]).toEqual([503, 'unavailable'])
  expect(waited).toBeGreaterThan(1900)
})

it('a statement that runs too long is cancelled by PostgreSQL', async () => {
  const sleep = sql`select pg_sleep(8)`.execute(service().db)
  await expect(sleep).rejects.toMatchObject({ code: '57014' })
  await requireServerSettings(service().db)
})

it('a service whose role lacks the settings prints the commands to set them and exits with 1', async () => {
  const role = await aRole()
  const refused = await serveAs(role)
  const { code, err } = await refused.program.exited
  await refused.pgbouncer.stop()
  expect(code).toBe(1)
  const commands = err.match(/alter role .*;/g) ?? []
  const names = commands.map((command) => / set (\w+) = /.exec(command)?.[1])
  // A server may have the date style by default.
  expect(names.filter((name) => name !== 'DateStyle').toSorted()).toEqual([
    ...['enable_seqscan', 'idle_in_transaction_session_timeout', 'jit', 'lock_timeout', 'plan_cache_mode'],
    'statement_timeout',
  ])

  for (const command of commands) await owner.query(command)
  const accepted = await serveAs(role)
  await accepted.program.url()
  expect(await accepted.program.stop()).toMatchObject({ code: 0 })
  await accepted.pgbouncer.stop()
  const name = decodeURIComponent(new URL(role).username)
  await owner.query(`drop owned by "${name}"; drop role "${name}"`)
})

/** Creates a role for the service. Returns its address. */
async function aRole(): Promise<string> {
  const address = new URL(ownerAddress())
  address.username = `Fahrplan ${randomBytes(4).toString('hex')}`
  address.password = randomBytes(8).toString('hex')
  const name = decodeURIComponent(address.username)
  await execute(ownerAddress(), `create role "${name}" login password '${address.password}'`)
  return address.href
}

/** Starts the service behind a pgbouncer that has not seen the role before. */
async function serveAs(role: string): Promise<{ program: Program; pgbouncer: Daemon }> {
  const pgbouncer = await startPgbouncer(role, inject('poolMode'))
  const program = new Program(['serve'], {
    ...inject('environment'),
    DATABASE_URL: throughPgbouncer(role, pgbouncer),
  })
  return { program, pgbouncer }
}

function ownerAddress(): string {
  return postgresDatabase().owner
}
