// @module-tag long: grows a database to the size of years; the other tests of the service check what the same statements return
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectPostgres } from '../../src/db/connection/connect.ts'
import { startService, type TestService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { postgresDatabase } from '../support/database.ts'
import { type GrownDatabases, growDatabases } from '../support/grown-database.ts'
import { addLessons, addStudents, YEAR_OF_MANY } from '../support/long-list.ts'
import { anOffice } from '../support/office.ts'
import { type Plan, Planner, Recorder, type Statement } from '../support/plans.ts'
import { cases, nextMonday, type PlannedOffice } from './plan-cases.ts'
import { casesOfBookings, casesOfOffers } from './plan-cases-of-bookings.ts'
import { casesOfChanges, casesOfWebhooks } from './plan-cases-of-changes.ts'
import { casesOfOutside, casesOfPeople } from './plan-cases-of-people.ts'
import { casesOfAccess, casesOfUsers } from './plan-cases-of-users.ts'

const PREPARATION_MS = 600_000

let databases: GrownDatabases
let service: TestService
let recorder: Recorder
let office: PlannedOffice
let planners: readonly Planner[]

beforeAll(async () => {
  databases = await growDatabases(postgresDatabase().owner)
  const db = connectPostgres(databases.analyzed, (error) => console.error('lost connection', error.message))
  recorder = new Recorder(db.pool)
  service = await startService(db)
  office = {
    ...(await anOffice(service, nextMonday)),
    service,
    visitor: () => new Client(service),
    forget: () => void recorder.take(),
  }
  const { analyzed, neverAnalyzed, analyzedEarly } = databases
  planners = [analyzed, neverAnalyzed, analyzedEarly].map((url) => new Planner(url))
  await Promise.all(planners.map((planner) => planner.open()))
}, PREPARATION_MS)

afterAll(async () => {
  await Promise.all(planners?.map((planner) => planner.close()) ?? [])
  await service?.close()
  await service?.db.destroy()
  await databases?.drop()
})

it('connections of the service use plan_cache_mode force_generic_plan', async () => {
  const { rows } = await sql<{ plan_cache_mode: string }>`show plan_cache_mode`.execute(service.db)
  expect(rows).toEqual([{ plan_cache_mode: 'force_generic_plan' }])
})

it.each(['/bootstrap', `/appointments?${YEAR_OF_MANY}`])(
  'GET %s with a current ETag returns 304 without building its rows',
  async (path) => {
    await addStudents(service, office.school, 1001)
    await addLessons(service, office, 1001)
    const tag = (await office.school.client.get(path)).headers.get('etag') ?? ''
    recorder.take()
    expect((await office.school.client.get(path, { 'if-none-match': tag })).status).toBe(304)
    const texts = recorder.take().map(({ text }) => text)
    expect(texts.length).toBeGreaterThan(0)
    expect(texts.filter((text) => text.includes('row_to_json'))).toEqual([])
  },
)

it.each([
  ...cases,
  ...casesOfAccess,
  ...casesOfBookings,
  ...casesOfPeople,
  ...casesOfOffers,
  ...casesOfChanges,
  ...casesOfUsers,
  ...casesOfWebhooks,
  ...casesOfOutside,
])('$name: reads by index, within a bounded time range', async ({ status, reads, ask, by, ofWhole }) => {
  recorder.take()
  const answer = await ask(office)
  expect(answer.status, answer.text).toBe(status)
  const statements = recorder.take()
  const [analyzed, never, early] = await Promise.all(planners.map((planner) => plansOf(planner, statements)))
  expect(analyzed?.flatMap(({ tables }) => tables)).toContain(reads)
  const states = { analyzed, never, early }
  for (const [state, plans] of by ? Object.entries(states) : [])
    expect(
      plans?.flatMap(({ indexes }) => indexes),
      state,
    ).toContain(by)
  const isFault = (fault: string) =>
    !OPEN_OF_STUDENT.test(fault) && !(ofWhole && OF_WHOLE[ofWhole].test(fault))
  expect(faultsIn(analyzed)?.filter(isFault), 'analyzed').toEqual([])
  expect(faultsIn(never)?.filter(isFault), 'never analyzed').toEqual([])
  // A table that seems to contain only one school may be read as a whole if it does not grow over time.
  expect(early?.flatMap((plan) => plan.faultsOnWhatGrows).filter(isFault), 'analyzed early').toEqual([])
})

/** The count of a student's open appointments: an index range without an end. Rule 9 limits it to 5,000 rows. */
const OPEN_OF_STUDENT =
  /^reads all of appointments_of_student, condition \(\(tenant_id = \S+ AND \(student_id = \S+ AND \(start_at > \(\S+ - '24:00:00'/

const OF_WHOLE = {
  papers: /^reads all of (appointments_with_result|enrolments_\w+|ticks_\w+), condition \(+tenant_id = /,
  school: /^reads all of (appointments|enrolments|ticks)_\w+, condition \(+tenant_id = /,
  student:
    /^reads all of appointments_(of_student|student_busy), condition \(\(tenant_id = \S+ AND \(student_id = /,
  instructor:
    /^reads all of appointments_of_(student, condition \(\(tenant_id = \S+ AND \(student_id = |instructor, condition \(\(tenant_id = \S+ AND \(instructor_id = )/,
} as const

async function plansOf(planner: Planner, statements: readonly Statement[]): Promise<readonly Plan[]> {
  const plans: Plan[] = []
  for (const statement of statements) plans.push(await planner.planOf(statement))
  return plans
}

function faultsIn(plans: readonly Plan[] | undefined): readonly string[] | undefined {
  return plans?.flatMap(({ faults }) => faults)
}
