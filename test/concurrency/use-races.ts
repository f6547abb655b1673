import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { DatabasePool } from '../../src/db/connection/pool.ts'
import { isFault } from '../../src/doctor/finding.ts'
import {
  openOwnDatabase,
  PATIENCE,
  startService,
  type TestService,
  useOwnService,
  VERY_PATIENT,
} from '../support/app.ts'
import { contradictionsIn } from '../support/contradictions.ts'
import { testDatabase } from '../support/database.ts'
import { findingsInNoSchool, findingsInSchool } from '../support/doctor.ts'
import { aRacingSchool, CLIENTS, type RacingSchool, type Services, times } from '../support/races.ts'
import { expectLessonsToBeLegal } from './recheck.ts'

type Races = {
  readonly service: () => TestService
  /** Makes a school whose data is audited after the test. */
  readonly school: (tenant?: Parameters<typeof aRacingSchool>[1]) => Promise<RacingSchool>
}

type Query = (...args: unknown[]) => Promise<unknown>

/**
 * Yields to the event loop after each statement. PGlite responds within the same turn: without this, no request would
 * ever interrupt another, and the races would prove nothing about transactions.
 */
async function giveWay({ pool }: DatabasePool): Promise<DatabasePool> {
  const client = await pool.connect()
  const query = client.query.bind(client) as unknown as Query
  const givingWay: Query = async (...args) => {
    const result = await query(...args)
    await setImmediate()
    return result
  }
  client.query = givingWay as unknown as typeof client.query
  client.release()
  return new DatabasePool(pool)
}

/**
 * Starts the service and audits it after each test: no response is a 5xx or contradicts the stored data, every lesson is
 * legal when counted again, the doctor finds no fault in the school, and the database has seen no deadlock. After all tests
 * of a file, the doctor finds no fault in indexes and constraints. On PostgreSQL the clients are spread over two services,
 * each with its own pool, as two processes would have; one pool is smaller than the number of its clients.
 */
export function useRaces(): Races {
  // Data of other files would slow the races down, and `giveWay` changes the connection.
  const open = () => openOwnDatabase(PATIENCE)
  const service = useOwnService({}, open, VERY_PATIENT)
  let racing: Services | undefined
  let second: TestService | undefined
  const all = (): Services => racing ?? [service()]
  let schools: RacingSchool[] = []
  let deadlocksBefore = 0

  beforeAll(async () => {
    const isServer = service().kind === 'postgres'
    const db = isServer ? await open() : await giveWay(service().db)
    second = await startService(db, {}, VERY_PATIENT)
    racing = isServer ? [service(), second] : [second]
  })

  afterAll(async () => {
    expect((await findingsInNoSchool(service().db)).filter(isFault)).toEqual([])
    await second?.close()
    if (second?.kind === 'postgres') await second.db.destroy()
  })

  beforeEach(async () => {
    schools = []
    deadlocksBefore = await deadlocks(all())
  })

  afterEach(async () => {
    const history = schools.flatMap((school) => school.history)
    expect(history.filter(({ answer }) => answer.status >= 500).map(({ answer }) => answer.text)).toEqual([])
    for (const school of schools) {
      expect(await contradictionsIn(service().db, school)).toEqual({})
      await expectLessonsToBeLegal(service().db, school)
      const findings = await findingsInSchool(service().db, school.tenantId)
      // Findings that are no faults may remain: a test may change rules (`tightened`), and older lessons may break them.
      expect(findings.filter(isFault)).toEqual([])
      expect(
        findings.filter(({ code }) => code === 'student_deleted' || code === 'student_archived'),
      ).toEqual([])
    }
    expect(await deadlocks(all())).toBe(deadlocksBefore)
  })

  return {
    service,
    school: async (tenant) => {
      const school = await aRacingSchool(all(), tenant)
      schools.push(school)
      return school
    },
  }
}

/** Counts the deadlocks of the test database. PGlite has one connection and so none. */
async function deadlocks(services: readonly TestService[]): Promise<number> {
  const database = testDatabase()
  if (database.kind !== 'postgres') return 0
  await Promise.all(services.map(reportStatistics))
  const client = new pg.Client({ connectionString: database.owner })
  await client.connect()
  const { rows } = await client.query(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  )
  await client.end()
  return rows[0]?.deadlocks
}

/** Makes every backend report its counts, which may be ten seconds old: concurrent statements reach all connections. */
async function reportStatistics({ db }: TestService): Promise<void> {
  await Promise.all(times(CLIENTS, () => sql`select pg_stat_force_next_flush(), pg_sleep(0.01)`.execute(db)))
}
