import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { connectPostgres } from '../../src/db/connection/connect.ts'
import { cases, nextMonday, type PlannedOffice } from '../db/plan-cases.ts'
import { casesOfBookings, casesOfOffers } from '../db/plan-cases-of-bookings.ts'
import { casesOfChanges } from '../db/plan-cases-of-changes.ts'
import { casesOfPeople } from '../db/plan-cases-of-people.ts'
import { casesOfAccess, casesOfUsers } from '../db/plan-cases-of-users.ts'
import { startService, type TestService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { postgresDatabase } from '../support/database.ts'
import { aSchool } from '../support/factory.ts'
import { thisMonday } from '../support/history.ts'
import { Recorder, type Statement } from '../support/plans.ts'
import { casesOfBothKinds } from './plan-cases.ts'

let service: TestService
let recorder: Recorder
let office: PlannedOffice
let coordinator: pg.Client

beforeAll(async () => {
  const database = postgresDatabase()
  const db = connectPostgres(
    database.app,
    (error) => console.error('lost connection', error.message),
    database,
  )
  recorder = new Recorder(db.pool)
  service = await startService(db)
  coordinator = new pg.Client({ connectionString: database.owner })
  await coordinator.connect()
  await coordinator.query('set plan_cache_mode = force_custom_plan')
  office = await aBusyOffice()
})

afterAll(async () => {
  await coordinator?.end()
  await service?.close()
  await service?.db.destroy()
})

/** Creates enough rows for every case. */
async function aBusyOffice(): Promise<PlannedOffice> {
  const school = await aSchool(service)
  const instructors: string[] = []
  const students: string[] = []
  const lessons: string[] = []
  for (let at = 0; at < 40; at += 1) {
    const instructor_id = (await school.instructor()).id
    const student_id = (await school.student()).id
    instructors.push(instructor_id)
    students.push(student_id)
    for (const day of [thisMonday(), nextMonday]) {
      const times = { start_at: `${day} 08:00`, end_at: `${day} 08:45` }
      lessons.push((await school.lesson({ instructor_id, student_id, ...times })).id)
    }
  }
  const visitor = () => new Client(service)
  return { school, instructors, students, lessons, service, visitor, forget: () => void recorder.take() }
}

it.each([
  ...cases,
  ...casesOfAccess,
  ...casesOfBookings,
  ...casesOfOffers,
  ...casesOfChanges,
  ...casesOfPeople,
  ...casesOfUsers,
  ...casesOfBothKinds,
])('$name queries a single shard and moves no rows between nodes', async ({ status, ask }) => {
  recorder.take()
  const answer = await ask(office)
  expect(answer.status, answer.text).toBe(status)
  const statements = recorder.take()
  expect(statements.length).toBeGreaterThan(0)
  const faults = await Promise.all(statements.map(faultsOf))
  expect(faults.flat()).toEqual([])
})

/** A statement with several writes. Citus runs these in turn on the same worker, and keeps the id that each returns. */
const WRITES_IN_STEPS = /^\s*with .*\b(insert|update|delete)\b/s

/** Returns the faults of a statement that queries more than one shard or moves rows between nodes. */
async function faultsOf({ text, values }: Statement): Promise<readonly string[]> {
  const { rows } = await coordinator.query(`explain (format json) ${text}`, [...values])
  const plan = JSON.stringify(rows[0]['QUERY PLAN'])
  const tasks = [...plan.matchAll(/"Task Count":(\d+)/g)].map(([, count]) => Number(count))
  const faults = tasks.filter((count) => count !== 1).map((count) => `${count} tasks: ${text}`)
  const isMoved = plan.includes('"Subplans"') && !WRITES_IN_STEPS.test(text)
  return isMoved ? [...faults, `subplans: ${text}`] : faults
}
