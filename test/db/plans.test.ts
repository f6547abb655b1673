import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { thisMonday } from '../../bench/history.ts'
import { connectPostgres } from '../../src/db/connect.ts'
import { startService, type TestService } from '../support/app.ts'
import { type Answer, Client } from '../support/client.ts'
import { logIn, PASSWORD } from '../support/factory.ts'
import { type GrownDatabases, growDatabases } from '../support/grown-database.ts'
import { addLessons, addStudents, YEAR_OF_MANY } from '../support/long-list.ts'
import { anOffice, type Office } from '../support/office.ts'
import { type Plan, Planner, Recorder, type Statement } from '../support/plans.ts'
import { dateAfter, slot } from '../support/races.ts'
import { bearer } from '../support/session.ts'

const PREPARATION_MS = 180_000

let databases: GrownDatabases
let service: TestService
let recorder: Recorder
let office: Office
let planners: readonly Planner[]

beforeAll(async () => {
  const database = inject('database')
  if (database.kind !== 'postgres') throw new Error('plans are read where nothing else runs: on PostgreSQL')
  databases = await growDatabases(database.owner)
  const db = connectPostgres(databases.analyzed, (error) => console.error('lost connection', error.message))
  recorder = new Recorder(db.pool)
  service = await startService(db)
  office = await anOffice(service, nextMonday)
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

const monday = thisMonday()
const nextMonday = dateAfter(monday, 7)
const week = `from=${monday}&to=${dateAfter(monday, 6)}`

/** What is asked, how it is answered, and a table that must have been read for it: else nothing was examined. */
type Case = {
  readonly name: string
  readonly status: number
  readonly reads: string
  readonly ask: () => Promise<Answer>
}

const cases: readonly Case[] = [
  {
    name: 'a login',
    status: 200,
    reads: 'users',
    ask: () =>
      new Client(service).post('/auth/login', { email: office.school.user.email, password: PASSWORD }),
  },
  {
    name: 'a failed login',
    status: 401,
    reads: 'login_failures',
    ask: () =>
      new Client(service).post('/auth/login', { email: office.school.user.email, password: 'wrong' }),
  },
  {
    name: 'the first request of a session',
    status: 200,
    reads: 'token_families',
    ask: async () => {
      const { token } = await aSession()
      recorder.take()
      return new Client(service).get('/auth/me', bearer(token))
    },
  },
  {
    name: 'a refresh',
    status: 200,
    reads: 'refresh_tokens',
    ask: async () => {
      const { refresh_token } = await aSession()
      recorder.take()
      return new Client(service).post('/auth/refresh', { refresh_token })
    },
  },
  { name: 'bootstrap', status: 200, reads: 'students', ask: () => office.school.client.get('/bootstrap') },
  {
    name: "a week's list",
    status: 200,
    reads: 'appointments',
    ask: () => office.school.client.get(`/appointments?${week}`),
  },
  {
    name: "a page of a week's list and the next",
    status: 200,
    reads: 'appointments',
    ask: async () => {
      const first = await office.school.client.get(`/appointments?${week}&limit=10`)
      const next = /<([^>]*)>/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
      return office.school.client.get(next.replace('/api/v1', ''))
    },
  },
  {
    name: "an instructor's week",
    status: 200,
    reads: 'appointments',
    ask: () => office.school.client.get(`/appointments?${week}&instructor_id=${office.instructors[0]}`),
  },
  {
    name: "a student's week",
    status: 200,
    reads: 'appointments',
    ask: () => office.school.client.get(`/appointments?${week}&student_id=${office.students[0]}`),
  },
  {
    name: 'a booking',
    status: 201,
    reads: 'appointments',
    ask: () => book(slot(nextMonday, 16 * 60)),
  },
  {
    name: 'a refused booking',
    status: 409,
    reads: 'appointments',
    ask: () => book(slot(nextMonday, 16 * 60 + 15)),
  },
  {
    name: 'a change of times',
    status: 200,
    reads: 'appointments',
    ask: () => office.school.client.patch(`/appointments/${office.lessons[0]}`, slot(nextMonday, 18 * 60)),
  },
  {
    name: 'a change of the instructor and the student',
    status: 200,
    reads: 'appointments',
    ask: () =>
      office.school.client.patch(`/appointments/${office.lessons[0]}`, {
        ...slot(nextMonday, 20 * 60),
        instructor_id: office.instructors[1],
        student_id: office.students[1],
      }),
  },
  {
    name: 'a change of notes',
    status: 200,
    reads: 'appointments',
    ask: () => office.school.client.patch(`/appointments/${office.lessons[0]}`, { notes: 'Motorway' }),
  },
  {
    name: 'a deletion',
    status: 204,
    reads: 'appointments',
    ask: () => office.school.client.delete(`/appointments/${office.lessons[1]}`),
  },
  {
    name: 'a list of more than a page',
    status: 200,
    reads: 'appointments',
    ask: async () => {
      await addLessons(service, office, 1001)
      return office.school.client.get(`/appointments?${YEAR_OF_MANY}`)
    },
  },
  {
    name: 'the same of one student',
    status: 200,
    reads: 'appointments',
    ask: () => office.school.client.get(`/appointments?${YEAR_OF_MANY}&student_id=${office.students[0]}`),
  },
  {
    name: 'a bootstrap of more than a page',
    status: 200,
    reads: 'students',
    ask: async () => {
      await addStudents(service, office.school, 1001)
      return office.school.client.get('/bootstrap')
    },
  },
]

it('the service has one plan of each statement: what it costs does not hang on whose tenant was counted', async () => {
  const { rows } = await sql<{ plan_cache_mode: string }>`show plan_cache_mode`.execute(service.db)
  expect(rows).toEqual([{ plan_cache_mode: 'force_generic_plan' }])
})

it.each(['/bootstrap', `/appointments?${YEAR_OF_MANY}`])(
  'a client that has %s is told so without its rows being built',
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

it.each(cases)('$name reads by index, within bounds of time', async ({ status, reads, ask }) => {
  recorder.take()
  const answer = await ask()
  expect(answer.status, answer.text).toBe(status)
  const statements = recorder.take()
  const [analyzed, never, early] = await Promise.all(planners.map((planner) => plansOf(planner, statements)))
  expect(analyzed?.flatMap(({ tables }) => tables)).toContain(reads)
  expect(faultsIn(analyzed), 'analyzed').toEqual([])
  expect(faultsIn(never), 'never analyzed').toEqual([])
  // A table that seems to belong to one school may be read as a whole, if it does not grow with time.
  expect(
    early?.flatMap((plan) => plan.faultsOnAppointments),
    'analyzed early',
  ).toEqual([])
})

async function plansOf(planner: Planner, statements: readonly Statement[]): Promise<readonly Plan[]> {
  const plans: Plan[] = []
  for (const statement of statements) plans.push(await planner.planOf(statement))
  return plans
}

function faultsIn(plans: readonly Plan[] | undefined): readonly string[] | undefined {
  return plans?.flatMap(({ faults }) => faults)
}

function book(times: { start_at: string; end_at: string }): Promise<Answer> {
  return office.school.book({
    instructor_id: office.instructors[0],
    student_id: office.students[0],
    ...times,
  })
}

async function aSession() {
  return logIn(new Client(service), office.school.user.email)
}
