import { afterAll, beforeAll, expect, it } from 'vitest'
import { openOwnDatabase, startService, type TestService } from '../support/app.ts'
import { must } from '../support/client.ts'
import type { Row } from '../support/factory.ts'
import { anOfferOffice, OFFERED_TIME } from '../support/offer-office.ts'
import { Recorder } from '../support/plans.ts'
import { connectLockHolder } from './lock-holder.ts'

let service: TestService
let recorder: Recorder

beforeAll(async () => {
  const db = await openOwnDatabase()
  recorder = new Recorder(db.pool)
  service = await startService(db)
})

afterAll(async () => {
  await service?.close()
  await service?.db.destroy()
})

it('GET /offers reads the calendars of a week once, for 1 offer and for 10', async () => {
  const { school, instructor, offer, read } = await anOfferOffice(service)
  const strict = { max_continuous_minutes: 300, required_break_minutes: 15, max_daily_units: 8 }
  must(200, await school.client.patch(`/instructors/${instructor.id}`, strict))
  const listed = async () => {
    recorder.take()
    const found: Row[] = must(200, await school.client.get('/offers'))
    const reads = recorder.takeAll().filter(({ text }) => text.includes('vacations'))
    return { found, reads: reads.length }
  }
  await offer()
  expect((await listed()).reads).toBe(1)
  const times = (day: number, from: number, to: number) => ({
    start_at: `2099-03-0${day} ${from}:00`,
    end_at: `2099-03-0${day} ${to}:00`,
  })
  for (const day of [3, 4, 5])
    for (const from of [10, 12, 14]) {
      const { id } = await school.student()
      await offer({ student_ids: [id], ...times(day, from, from + 1) })
    }
  await school.lesson({ instructor_id: instructor.id, ...times(3, 11, 12) })
  await school.lesson({ instructor_id: instructor.id, ...times(4, 14, 15) })
  const { found, reads } = await listed()
  expect(found).toHaveLength(10)
  expect(reads).toBe(1)
  for (const one of found) expect(await read(one)).toEqual(one)
  expect(new Set(found.map(({ state }) => state))).toEqual(new Set(['open', 'closed']))
  expect(found.at(-1)).toMatchObject(OFFERED_TIME)
})

it('accepting an offer gets 409 student_busy without waiting for calendar locks', async () => {
  const { school, lena, offer, accept, answerOf, read } = await anOfferOffice(service)
  const one = await offer()
  const other = await school.instructor()
  await school.lesson({ instructor_id: other.id, student_id: lena.id, ...OFFERED_TIME })
  const lockHolder = await connectLockHolder()
  try {
    await lockHolder.query('begin')
    await lockHolder.query('select from calendars where tenant_id = $1 for update', [school.tenantId])
    expect(await answerOf(accept(one, lena))).toEqual([409, 'student_busy'])
  } finally {
    await lockHolder.end()
  }
  expect((await read(one)).state).toBe('open')
})

it('GET /gaps reads no students for a time at which the instructor is busy', async () => {
  const { school, instructor } = await anOfferOffice(service)
  const query = new URLSearchParams({ instructor_id: String(instructor.id), ...OFFERED_TIME })
  const reads = async () => {
    recorder.take()
    must(200, await school.client.get(`/gaps?${query}`))
    return recorder.take().filter(({ text }) => text.includes('from students')).length
  }
  expect(await reads()).toBeGreaterThan(0)
  await school.lesson({ instructor_id: instructor.id, ...OFFERED_TIME })
  expect(await reads()).toBe(0)
})
