import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useSandbox } from '../cli/sandbox.ts'
import { makeSchool } from '../cli/school.ts'
import { addressOf, execute } from '../support/postgres-database.ts'
import { coordinatorUrl, makeCluster, workersOf } from './cluster.ts'

/** The file of a school that was exported elsewhere. */
const SCHOOL = join(import.meta.dirname, '../upgrades/fixtures/0012-links/school.ndjson.gz')

const sandbox = useSandbox()
const name = `fahrplan_test_${randomBytes(6).toString('hex')}`
const DATABASE_URL = addressOf(coordinatorUrl(), { database: name })

beforeAll(async () => {
  await execute(coordinatorUrl(), `create database ${name}`)
  await makeCluster(name, DATABASE_URL, await workersOf(coordinatorUrl()))
})

afterAll(async () => {
  for (const node of [coordinatorUrl(), ...(await workersOf(coordinatorUrl()))]) {
    await execute(node, `drop database if exists ${name} with (force)`)
  }
})

const migrate = async (...options: readonly string[]) =>
  sandbox.run(['migrate', '--json', ...options], { DATABASE_URL })

it('migrate --citus distributes existing tables once, and other commands keep working', async () => {
  await migrate()
  const { tenantId } = await makeSchool(sandbox, { DATABASE_URL })
  const first = JSON.parse((await migrate('--citus')).out)
  expect(first.spread).toContain('appointments')
  expect(JSON.parse((await migrate('--citus')).out)).toEqual({ migrations: [], spread: [] })
  expect(JSON.parse((await migrate()).out)).toEqual({ migrations: [] })
  const imported = await sandbox.run(['tenant', 'import', '--in', SCHOOL, '--json'], { DATABASE_URL })
  const ids = [tenantId, JSON.parse(imported.out).id]
  const { out } = await sandbox.run(['tenant', 'list', '--json'], { DATABASE_URL })
  expect(JSON.parse(out).map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(ids))
  const doctor = await sandbox.run(['doctor', '--json'], { DATABASE_URL })
  expect(doctor.code, doctor.out).toBe(0)
  const { service, url } = await sandbox.serve({ DATABASE_URL })
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  expect((await service.stop('SIGTERM')).code).toBe(0)
})
