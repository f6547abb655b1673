// @module-tag embedded_later: the outcome of a race depends on how a database locks

import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { CLIENTS, mondays, slot, times } from '../support/races.ts'
import { useRaces } from './use-races.ts'

const races = useRaces()
const LESSONS = 8
const [MONDAY = ''] = mondays(1)

it(`${CLIENTS} identical series with one key are booked once, and a later request replays the result`, async () => {
  const school = await races.school()
  const [instructor, student] = [await school.instructor(), await school.student()]
  const people = { instructor_id: instructor.id, student_id: student.id }
  const appointment = { ...people, lesson_type_id: school.lessonTypes.PRACTICE, ...slot(MONDAY, 600) }
  const body = { appointment, repeat: { every_days: 1, count: LESSONS } }
  const key = { 'idempotency-key': randomUUID() }
  const post = () => school.client.post('/appointments/series', body, key)
  const answers = await school.race(times(CLIENTS, () => post))
  const done = answers.filter(({ status }) => status === 200)
  const others = answers.filter(({ status }) => status !== 200)
  expect(others.filter((one) => one.body.code !== 'request_in_progress').map(({ text }) => text)).toEqual([])
  expect(new Set(done.map(({ text }) => text)).size).toBe(1)
  const lessons = (await school.client.get('/appointments')).body
  expect(lessons).toHaveLength(LESSONS)
  const again = await post()
  expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
  expect(again.body).toMatchObject({ booked: lessons, refused: [] })
})

it('concurrent series with different keys divide the same times without double booking', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor({ max_weekly_units: 4 })
  const appointment = { instructor_id, lesson_type_id: school.lessonTypes.PRACTICE, ...slot(MONDAY, 600) }
  const body = { appointment, repeat: { every_days: 1, count: LESSONS } }
  const answers = await school.race(
    times(
      4,
      () => () => school.client.post('/appointments/series', body, { 'idempotency-key': randomUUID() }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const booked = answers.flatMap((answer) => answer.body.booked.map(({ id }: { id: string }) => id))
  const lessons = (await school.client.get('/appointments')).body
  expect(lessons.map(({ id }: { id: string }) => id).toSorted()).toEqual(booked.toSorted())
  expect(lessons).toHaveLength(5)
})

it('a changed series and concurrent bookings of its new times divide them without double booking', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor()
  const appointment = { instructor_id, lesson_type_id: school.lessonTypes.PRACTICE, ...slot(MONDAY, 600) }
  const body = { appointment, repeat: { every_days: 1, count: LESSONS } }
  const series = (await school.client.post('/appointments/series', body)).body
  const days: readonly string[] = series.booked.map(({ start_at }: { start_at: string }) =>
    start_at.slice(0, 10),
  )
  const change = { start_time: '18:00', minutes: 45 }
  const book = (day: string) => () =>
    school.book({ instructor_id, start_at: `${day} 18:00`, end_at: `${day} 18:45` })
  const path = `/appointments/series/${series.series_id}/change`
  const [changed, ...booked] = await school.race([
    () => school.client.post(path, { from: MONDAY, change, on_refusal: 'skip' }),
    ...days.map(book),
  ])
  expect(changed?.status, changed?.text).toBe(200)
  const won = booked.filter(({ status }) => status === 201).length
  expect(changed?.body.changed.length + won).toBe(LESSONS)
  expect(changed?.body.refused).toHaveLength(won)
  const lessons = (await school.client.get('/appointments')).body
  const evenings = lessons.filter(({ start_at }: { start_at: string }) => start_at.endsWith('18:00'))
  expect(new Set(evenings.map(({ start_at }: { start_at: string }) => start_at)).size).toBe(LESSONS)
  expect([evenings.length, lessons.length]).toEqual([LESSONS, LESSONS + won])
})
