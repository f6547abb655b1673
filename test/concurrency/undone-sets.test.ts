// @module-tag embedded_later: the outcome of a race depends on how a database locks

import { expect, it } from 'vitest'
import { CLIENTS, dateAfter, mondays, slot, times } from '../support/races.ts'
import { useRaces } from './use-races.ts'

const races = useRaces()

it('exactly one of 32 concurrent undos of a set succeeds; the others get 409 already_undone', async () => {
  const school = await races.school()
  const { client, lessonTypes } = school
  const { id: instructor_id } = await school.instructor()
  for (const monday of mondays(2)) {
    const appointment = { instructor_id, lesson_type_id: lessonTypes.PRACTICE, ...slot(monday, 480) }
    const repeat = { every_days: 1, count: 3 }
    const series = await client.post('/appointments/series', { appointment, repeat })
    const path = `/changes/sets/${series.headers.get('x-request-id')}/undo`
    const answers = await school.race(times(CLIENTS, () => () => client.post(path)))
    const done = answers.filter(({ status }) => status === 200)
    expect(done.map(({ body }) => [body.undone.length, body.refused])).toEqual([[3, []]])
    const others = answers
      .filter(({ status }) => status !== 200)
      .map(({ status, body }) => [status, body.code])
    expect(others).toEqual(times(CLIENTS - 1, () => [409, 'already_undone']))
    const left = await client.get(`/appointments?from=${monday}&to=${dateAfter(monday, 2)}`)
    expect(left.body).toEqual([])
  }
})

it('an undone deletion and concurrent bookings leave exactly one lesson at that time', async () => {
  const school = await races.school()
  const { client } = school
  const { id: instructor_id } = await school.instructor()
  for (const monday of mondays(2)) {
    const hour = { instructor_id, ...slot(monday, 480) }
    const lesson = await school.lesson(hour)
    const deleted = await client.delete(`/appointments/${lesson.id}`)
    const path = `/changes/sets/${deleted.headers.get('x-request-id')}/undo`
    const answers = await school.race(
      times(CLIENTS, (at) => () => (at === 7 ? client.post(path) : school.book(hour))),
    )
    const { body } = answers[7] as (typeof answers)[number]
    const [standing, ...others] = (await client.get(`/appointments?from=${monday}&to=${monday}`)).body
    expect(others).toEqual([])
    const { id: appointment_id, start_at, end_at } = standing
    const refused = {
      ...{ resource: 'appointment', resource_id: lesson.id, code: 'instructor_busy' },
      params: { appointment_id, start_at, end_at },
    }
    const isBack = standing.id === lesson.id
    expect([body.undone, body.refused]).toEqual(isBack ? [[lesson.id], []] : [[], [refused]])
  }
})
