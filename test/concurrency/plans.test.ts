// @module-tag embedded_later: the outcome of a race depends on how a database locks

import { expect, it } from 'vitest'
import { must } from '../support/client.ts'
import type { Row } from '../support/factory.ts'
import { mondays, type RacingSchool, times } from '../support/races.ts'
import { useRaces } from './use-races.ts'

const races = useRaces()
const STUDENTS = 6
const [MONDAY = ''] = mondays(1)
const HOURS = [{ weekday: 1, start: '08:00', end: '14:00' }]

/** Makes a school whose only instructor has room for four of the six students who want a lesson. */
async function aWeek(): Promise<{ readonly school: RacingSchool; readonly instructor: Row }> {
  const school = await races.school()
  const instructor = await school.instructor({ availability_windows: HOURS })
  for (const { id } of await school.students(STUDENTS))
    must(201, await school.client.post(`/students/${id}/wishes`, { minutes: 90 }))
  return { school, instructor }
}

const plan = (school: RacingSchool) => school.client.post('/plans', { from: MONDAY, to: MONDAY, effort: 1 })
const lessonsIn = async (school: RacingSchool): Promise<readonly Row[]> =>
  must(200, await school.client.get('/appointments'))

/** Repeats a request while another one of its kind is served. */
async function done(ask: () => ReturnType<RacingSchool['client']['post']>) {
  for (;;) {
    const answer = await ask()
    if (answer.body.code !== 'plan_in_progress') return answer
  }
}

it('plans that are asked for at once are made one after the other', async () => {
  const { school } = await aWeek()
  const answers = await school.race(times(4, () => () => plan(school)))
  const made = answers.filter(({ status }) => status === 201)
  const refused = answers.filter(({ status }) => status !== 201)
  expect(made.length).toBeGreaterThan(0)
  for (const answer of refused) expect(must(409, answer).code).toBe('plan_in_progress')
  expect(must(201, await done(() => plan(school))).proposed).toHaveLength(4)
})

it('a plan that is applied several times at once is booked once, beside bookings of the same times', async () => {
  const { school, instructor } = await aWeek()
  const made = must(201, await plan(school))
  const apply = () =>
    done(() => school.client.post(`/plans/${made.id}/apply`, { as: 'booked', despite_changes: true }))
  const rivals = (made.proposed as readonly Row[]).map(({ start_at, end_at }) => () => {
    return school.client.post('/appointments', {
      instructor_id: instructor.id,
      lesson_type_id: school.lessonTypes.PRACTICE,
      start_at,
      end_at,
    })
  })
  const answers = await school.race([apply, apply, ...rivals])
  const [first, second] = answers.slice(0, 2).map((answer) => must(200, answer))
  expect(second).toEqual(first)
  const won = answers.slice(2).filter(({ status }) => status === 201)
  expect(first.booked.length + first.refused.length).toBe(4)
  const lessons = await lessonsIn(school)
  const ids = [...first.booked, ...won.map(({ body }) => body)].map(({ id }: Row) => id)
  expect(lessons.map(({ id }) => id).toSorted()).toEqual(ids.toSorted())
  expect(lessons).toHaveLength(4)
})

it('of lessons that are moved at once in a plan, each change stands or is refused as outdated', async () => {
  const { school } = await aWeek()
  const made = must(201, await plan(school))
  const [first, second] = made.proposed as readonly [Row, Row]
  const move = (change: object) => () =>
    school.client.patch(`/plans/${made.id}`, change, { 'if-match': `"${made.version}"` })
  const answers = await school.race([move({ drop: [first.id] }), move({ drop: [second.id] })])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412])
  const kept = must(200, await school.client.get(`/plans/${made.id}`))
  expect(kept).toMatchObject({ version: made.version + 1 })
  expect(kept.proposed).toHaveLength(3)
})
