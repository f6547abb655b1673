import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { connectPostgres } from '../../src/db/connect.ts'
import { startService, type TestService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { aUser, logIn, School, type User } from '../support/factory.ts'
import { type GrownDatabases, growDatabases } from '../support/grown-database.ts'
import { type Plan, Planner, Recorder, type Statement } from '../support/plans.ts'
import { bearer } from '../support/session.ts'
import { cases, nextMonday, type Office } from './plan-cases.ts'
import { casesOfChanges } from './plan-cases-of-changes.ts'

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
  office = await anOffice()
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

it('the service has one plan of each statement: what it costs does not hang on whose tenant was counted', async () => {
  const { rows } = await sql<{ plan_cache_mode: string }>`show plan_cache_mode`.execute(service.db)
  expect(rows).toEqual([{ plan_cache_mode: 'force_generic_plan' }])
})

it.each([...cases, ...casesOfChanges])(
  '$name reads by index, within bounds of time',
  async ({ status, reads, ask, by, ofWholeStudent }) => {
    recorder.take()
    const answer = await ask(office)
    expect(answer.status, answer.text).toBe(status)
    const statements = recorder.take()
    const [analyzed, never, early] = await Promise.all(
      planners.map((planner) => plansOf(planner, statements)),
    )
    expect(analyzed?.flatMap(({ tables }) => tables)).toContain(reads)
    const states = { analyzed, never, early }
    for (const [state, plans] of by ? Object.entries(states) : [])
      expect(
        plans?.flatMap(({ indexes }) => indexes),
        state,
      ).toContain(by)
    const isFault = (fault: string) => !(ofWholeStudent && OF_A_STUDENT.test(fault))
    expect(faultsIn(analyzed)?.filter(isFault), 'analyzed').toEqual([])
    expect(faultsIn(never)?.filter(isFault), 'never analyzed').toEqual([])
    // A table that seems to belong to one school may be read as a whole, if it does not grow with time.
    expect(early?.flatMap((plan) => plan.faultsOnWhatGrows).filter(isFault), 'analyzed early').toEqual([])
  },
)

const OF_A_STUDENT =
  /^reads all of appointments_of_student, condition \(\(tenant_id = \S+ AND \(student_id = /

async function plansOf(planner: Planner, statements: readonly Statement[]): Promise<readonly Plan[]> {
  const plans: Plan[] = []
  for (const statement of statements) plans.push(await planner.planOf(statement))
  return plans
}

function faultsIn(plans: readonly Plan[] | undefined): readonly string[] | undefined {
  return plans?.flatMap(({ faults }) => faults)
}

async function anOffice(): Promise<Office> {
  const { id: tenantId } = await service.db
    .selectFrom('tenants')
    .select('id')
    .where('name', '=', 'School 20')
    .executeTakeFirstOrThrow()
  const user: User = await aUser(service, tenantId)
  const visitor = new Client(service)
  const { token } = await logIn(visitor, user.email)
  const client = visitor.with(bearer(token))
  const { body } = await client.get('/bootstrap')
  const lessons = await client.get(`/appointments?from=${nextMonday}&to=${nextMonday}`)
  const codes = body.lessonTypes.map(({ code, id }: { code: string; id: string }) => [code, id])
  return {
    school: new School(tenantId, user, client, Object.fromEntries(codes)),
    instructors: idsOf(body.instructors),
    students: idsOf(body.students),
    lessons: idsOf(lessons.body),
    visitor: () => new Client(service),
    forget: () => void recorder.take(),
  }
}

function idsOf(rows: readonly { readonly id: string }[]): readonly string[] {
  return rows.map(({ id }) => id)
}
