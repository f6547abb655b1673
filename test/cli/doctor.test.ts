import { closeSync, existsSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { connectEmbedded } from '../../src/db/connection/connect.ts'
import type { DatabasePool } from '../../src/db/connection/pool.ts'
import { enter } from '../support/factory.ts'
import { complaintsOf, type Environment, type Exit, linesOf, once } from '../support/process.ts'
import { onPostgres, useFreshDatabase } from './fresh-database.ts'
import { useSandbox } from './sandbox.ts'
import { makeSchool } from './school.ts'

const sandbox = useSandbox()
const fresh = useFreshDatabase()
const UNKNOWN_ID = '018f0000-0000-7000-8000-000000000000'

/** A data directory with a school and a closed database. */
const dataDir = once(async () => {
  const DATA_DIR = await sandbox.dataDir()
  const { service, url } = await sandbox.serve({ DATA_DIR })
  const school = await fill({ DATA_DIR }, url)
  await service.stop()
  return { DATA_DIR, ...school }
})

const onServer = once(async () => {
  const { service, url } = await sandbox.serve(onPostgres())
  const school = await fill(onPostgres(), url)
  await service.stop()
  return school
})

describe.concurrent.each([
  ['PostgreSQL', async () => ({ ...(await onServer()), environment: onPostgres() })],
  [
    'the embedded database',
    async () => {
      const { DATA_DIR, ...school } = await dataDir()
      return { ...school, environment: { DATA_DIR: await sandbox.copyOf(DATA_DIR) } }
    },
  ],
])('the doctor on %s', (_, patient) => {
  it('finds nothing in a school that only the service has written', async () => {
    const { environment, tenantId } = await patient()
    const line = ['doctor', '--tenant', tenantId]
    expect(await sandbox.run(line, environment)).toMatchObject({
      code: 0,
      err: '',
      out: '1 appointment of 1 school: nothing wrong.\n',
    })
    expect(await sandbox.run([...line, '--json'], environment)).toMatchObject({ code: 0, out: '[]\n' })
  })
})

describe.concurrent('a school with a fault', () => {
  const harmed = once(async () => {
    const { DATA_DIR: original, ...school } = await dataDir()
    const DATA_DIR = await sandbox.copyOf(original)
    await asOwner(DATA_DIR, (db) =>
      sql`update appointments set title = 'other' where id = ${school.lesson}`.execute(db),
    )
    return { DATA_DIR, ...school }
  })

  it('is reported with one line per fault and exit code 1', async () => {
    const { DATA_DIR, tenantId, lesson } = await harmed()
    const exit = await sandbox.run(['doctor'], { DATA_DIR: await sandbox.copyOf(DATA_DIR) })
    expect(exit).toMatchObject({
      code: 1,
      out: `${tenantId}  appointment ${lesson}  history_differs: According to the log of changes title should be other than they are.\n`,
    })
    expect(complaintsOf(exit)).toEqual(['1 appointment of 1 school: 1 fault.'])
  })

  it('is reported as JSON', async () => {
    const { DATA_DIR, tenantId, lesson } = await harmed()
    const exit = await sandbox.run(['doctor', '--json'], { DATA_DIR: await sandbox.copyOf(DATA_DIR) })
    expect(exit.code).toBe(1)
    expect(JSON.parse(exit.out)).toEqual([
      {
        tenant_id: tenantId,
        resource: 'appointment',
        resource_id: lesson,
        code: 'history_differs',
        params: { fields: ['title'] },
        detail: expect.stringContaining('title'),
      },
    ])
  })

  it('is examined while the service that uses its database keeps running', async () => {
    const { DATA_DIR: original, lesson } = await harmed()
    const DATA_DIR = await sandbox.copyOf(original)
    const { url } = await sandbox.serve({ DATA_DIR })
    const exit = await sandbox.run(['doctor'], { DATA_DIR })
    expect(exit).toMatchObject({ code: 1, out: expect.stringContaining(`${lesson}  history_differs`) })
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
  })
})

describe.concurrent('a lesson that exceeds a limit set after it was booked', () => {
  it('is not reported as a fault, and is listed with --rules', async () => {
    const { DATA_DIR: original, made, instructor, lesson } = await dataDir()
    const DATA_DIR = await sandbox.copyOf(original)
    const { url } = await sandbox.serve({ DATA_DIR })
    const { client } = await enter({ url }, made)
    const change = await client.patch(`/instructors/${instructor}`, { max_daily_units: 1 })
    expect(change.status).toBe(200)
    expect(await sandbox.run(['doctor'], { DATA_DIR })).toMatchObject({ code: 0 })
    const exit = await sandbox.run(['doctor', '--rules'], { DATA_DIR })
    expect(exit.code).toBe(0)
    expect(linesOf(exit.out)).toEqual([
      expect.stringMatching(`appointment ${lesson}  breaks_rule_now: .*daily_limit_exceeded.*limit_units 1`),
      '1 appointment of 1 school: nothing wrong.',
    ])
  })
})

describe.concurrent('file damage that is not detected at startup', () => {
  it('is found if a table page is all zeros', async () => {
    const { DATA_DIR, student, lesson, path } = await damaged('students')
    write(join(DATA_DIR, 'database', path), 0, Buffer.alloc(PAGE))
    const exit = await sandbox.run(['doctor', '--json'], { DATA_DIR })
    expect(exit.code).toBe(1)
    expect(codesIn(exit)).toEqual(
      expect.arrayContaining([
        `row_missing ${student}`,
        `calendar_of_nobody ${student}`,
        `reference_to_nothing ${lesson}`,
      ]),
    )
  })

  it('is found if a table file that was never vacuumed is truncated', async () => {
    const { DATA_DIR, path } = await damaged('appointments')
    truncateSync(join(DATA_DIR, 'database', path), 0)
    const exit = await sandbox.run(['doctor', '--json'], { DATA_DIR })
    expect(exit.code).toBe(1)
    expect(codesIn(exit)).toEqual(expect.arrayContaining(['unreadable appointments_pkey']))
  })

  it('is found if a committed transaction is marked as aborted after some of its rows were read', async () => {
    const { DATA_DIR, lesson, transaction } = await damaged('appointments')
    // Reading rows sets hint bits, so later readers do not look up their transaction.
    await asOwner(DATA_DIR, (db) => sql`select count(notes) from appointments`.execute(db))
    const states = join(DATA_DIR, 'database/pg_xact/0000')
    const [at, shift] = [transaction >> 2, (transaction & 3) * 2]
    const byte = readFileSync(states)[at] ?? 0
    expect((byte >> shift) & 3).toBe(COMMITTED)
    write(states, at, Buffer.of(byte ^ ((COMMITTED ^ ABORTED) << shift)))
    const exit = await sandbox.run(['doctor', '--json'], { DATA_DIR })
    expect(exit.code).toBe(1)
    expect(codesIn(exit)).toEqual([`history_missing ${lesson}`])
  })
})

const PAGE = 8192
const [COMMITTED, ABORTED] = [1, 2]

/** Returns a copy to damage, the file of a table in it, and the transaction that booked the lesson. */
async function damaged(table: string) {
  const { DATA_DIR: original, ...school } = await dataDir()
  let found = { path: '', transaction: 0 }
  // Reading changes pages, so a separate copy is read.
  await asOwner(await sandbox.copyOf(original), async (db) => {
    const { rows } = await sql<typeof found>`
      select pg_relation_filepath(${table}) as path, xmin::text::int as transaction from appointments`.execute(
      db,
    )
    found = rows[0] ?? found
  })
  return { ...school, ...found, DATA_DIR: await sandbox.copyOf(original) }
}

function write(file: string, at: number, bytes: Buffer): void {
  const descriptor = openSync(file, 'r+')
  writeSync(descriptor, bytes, 0, bytes.length, at)
  closeSync(descriptor)
}

describe.concurrent('the doctor without a school to examine', () => {
  it('exits with 1 and one line for an unknown school', async () => {
    const exit = await sandbox.run(['doctor', '--tenant', UNKNOWN_ID], onPostgres())
    expect(exit).toMatchObject({ code: 1, out: '' })
    expect(complaintsOf(exit)).toEqual([`There is no school ${UNKNOWN_ID}.`])
  })

  it('exits with 2 for a missing directory and does not create it', async () => {
    const DATA_DIR = join(await sandbox.folder(), 'not-yet')
    const exit = await sandbox.run(['doctor'], { DATA_DIR })
    const err = expect.stringContaining(`There is no database in ${DATA_DIR} (DATA_DIR`)
    expect(exit).toMatchObject({ code: 2, out: '', err })
    expect(existsSync(DATA_DIR)).toBe(false)
  })

  it('exits with 2 for a database without tables and does not create them', async () => {
    const { app, owner } = fresh()
    const environment = { DATABASE_URL: app, MIGRATION_DATABASE_URL: owner }
    for (const _ of [1, 2]) {
      const exit = await sandbox.run(['doctor', '--json'], environment)
      const err = expect.stringContaining('The database of DATABASE_URL has no tables of Fahrplan. Set')
      expect(exit).toMatchObject({ code: 2, out: '', err })
    }
  })
})

/** Runs `work` on the closed database of a data directory, as its owner. */
async function asOwner(DATA_DIR: string, work: (db: DatabasePool) => Promise<unknown>): Promise<void> {
  const db = await connectEmbedded(join(DATA_DIR, 'database'), () => undefined)
  await work(db)
  await db.destroy()
}

/** Creates a school with one lesson. */
async function fill(environment: Environment, url: string) {
  const made = await makeSchool(sandbox, environment)
  const school = await enter({ url }, made)
  const { id: instructor } = await school.instructor()
  const { id: student } = await school.student()
  const times = { start_at: '2041-03-04 08:00', end_at: '2041-03-04 09:30' }
  const { id: lesson } = await school.lesson({ instructor_id: instructor, student_id: student, ...times })
  return { tenantId: made.tenantId, made, instructor, student, lesson }
}

function codesIn({ out }: Exit): readonly string[] {
  return JSON.parse(out).map(({ code, resource_id }: Record<string, string>) => `${code} ${resource_id}`)
}
