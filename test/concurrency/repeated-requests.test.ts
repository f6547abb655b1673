// @module-tag embedded_later: the outcome of a race depends on how a database locks

import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import type { Answer } from '../support/client.ts'
import { CLIENTS, mondays, type RacingSchool, slot, times } from '../support/races.ts'
import { useRaces } from './use-races.ts'

const races = useRaces()
const [MONDAY = ''] = mondays(1)

/** Sends the same request with the same key from many clients at once. */
function repeat(school: RacingSchool, path: string, body: unknown, key: string): Promise<Answer[]> {
  const headers = { 'idempotency-key': key }
  return school.race(times(CLIENTS, () => () => school.client.post(path, body, headers)))
}

/** Expects every response to be the same 201, or a refusal because the request is still running. */
function expectMadeOnce(answers: readonly Answer[]): void {
  const made = answers.filter(({ status }) => status === 201)
  const others = answers.filter(({ status }) => status !== 201)
  expect(new Set(made.map(({ text }) => text)).size).toBe(1)
  expect(made.filter(({ headers }) => !headers.has('idempotency-replayed'))).toHaveLength(1)
  expect(others.filter(({ body }) => body.code !== 'request_in_progress').map(({ text }) => text)).toEqual([])
  expect(others.map(({ headers }) => headers.get('retry-after'))).toEqual(others.map(() => '1'))
}

it.each(['appointments', 'students', 'instructors'])(
  `${CLIENTS} identical requests to /%s with one Idempotency-Key create one resource (C22)`,
  async (resource) => {
    const school = await races.school()
    const [instructor, student] = [await school.instructor(), await school.student()]
    const before = (await school.client.get(`/${resource}`)).body.length
    const lesson = { instructor_id: instructor.id, student_id: student.id, ...slot(MONDAY, 600) }
    const person = { first_name: 'Lena', last_name: 'Vogt' }
    const body =
      resource === 'appointments' ? { ...lesson, lesson_type_id: school.lessonTypes.PRACTICE } : person
    const key = randomUUID()
    expectMadeOnce(await repeat(school, `/${resource}`, body, key))
    expect((await school.client.get(`/${resource}`)).body).toHaveLength(before + 1)
    const again = await school.client.post(`/${resource}`, body, { 'idempotency-key': key })
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
  },
)

it('identical requests with one key create one cancelled lesson although such lessons never conflict', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor()
  const lesson_type_id = school.lessonTypes.PRACTICE
  const body = { instructor_id, lesson_type_id, status: 'cancelled', ...slot(MONDAY, 600) }
  expectMadeOnce(await repeat(school, '/appointments', body, randomUUID()))
  expect((await school.client.get('/appointments')).body).toHaveLength(1)
})

it('exactly one of 32 different requests with one key succeeds; the others are rejected', async () => {
  const school = await races.school()
  const instructors = await school.instructors(CLIENTS)
  const lesson_type_id = school.lessonTypes.PRACTICE
  const headers = { 'idempotency-key': randomUUID() }
  const answers = await school.race(
    instructors.map(({ id: instructor_id }) => () => {
      const body = { instructor_id, lesson_type_id, ...slot(MONDAY, 600) }
      return school.client.post('/appointments', body, headers)
    }),
  )
  const told = answers.map(({ status, body }) => (status === 201 ? 'made' : body.code))
  expect(told.filter((one) => one === 'made')).toHaveLength(1)
  const others = told.filter((one) => one !== 'made')
  expect(others.filter((one) => !['request_in_progress', 'idempotency_key_reused'].includes(one))).toEqual([])
  expect((await school.client.get('/appointments')).body).toHaveLength(1)
})

it('a key whose concurrent requests were rejected succeeds once the conflict is gone', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor()
  const blocking = await school.lesson({ instructor_id, ...slot(MONDAY, 600) })
  const body = { instructor_id, lesson_type_id: school.lessonTypes.PRACTICE, ...slot(MONDAY, 600) }
  const key = randomUUID()
  const codes = (await repeat(school, '/appointments', body, key)).map((answer) => answer.body.code)
  expect(codes.filter((code) => !['request_in_progress', 'instructor_busy'].includes(code))).toEqual([])
  expect(codes).toContain('instructor_busy')
  await school.remove(blocking)
  expect((await school.client.post('/appointments', body, { 'idempotency-key': key })).status).toBe(201)
})
