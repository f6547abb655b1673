// @module-tag embedded: the outcome of a race depends on how a database locks
// @module-tag rounds: each round can find another order of requests

import { expect, it } from 'vitest'
import { Client } from '../support/client.ts'
import { must } from '../support/passkeys.ts'
import { CLIENTS, mondays, outcomeOf, type RacingSchool, reasonsOf, slot, times } from '../support/races.ts'
import { rounds } from '../support/rounds.ts'
import { useRaces } from './use-races.ts'

const races = useRaces()
const ROUNDS = rounds(4)

type Link = { readonly student_id: string; readonly url: string }

async function anOffer(school: RacingSchool, fields: object) {
  const { body } = await school.client.post('/offers', {
    lesson_type_id: school.lessonTypes.PRACTICE,
    ...fields,
  })
  const paths = (body.links as Link[]).map(({ url }) => `/offers/accept/${url.split('/o/').at(-1)}`)
  return { id: body.id, paths }
}

/** Returns the only lesson of a day, which the office then knows of: an acceptance tells its student nothing of the row. */
async function onlyLesson(school: RacingSchool, instructor_id: string, monday: string) {
  const query = `from=${monday}&to=${monday}&instructor_id=${instructor_id}`
  const lessons = must(200, await school.client.get(`/appointments?${query}`))
  expect(lessons).toHaveLength(1)
  const [{ id }] = lessons
  return must(200, await school.client.patch(`/appointments/${id}`, { notes: 'seen' }))
}

it('one of 32 students who accept at once has the lesson, all others learn that it is gone', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor()
  const client = new Client(races.service())
  for (const monday of mondays(ROUNDS)) {
    const students = await school.students(CLIENTS)
    const student_ids = students.map(({ id }) => id)
    const { id, paths } = await anOffer(school, { instructor_id, student_ids, ...slot(monday, 480) })
    const { accepted, refused } = outcomeOf(await school.race(paths.map((path) => () => client.post(path))))
    expect(accepted).toHaveLength(1)
    expect(new Set(reasonsOf(refused).map(({ code }) => code))).toEqual(new Set(['offer_gone']))
    const offer = must(200, await school.client.get(`/offers/${id}`))
    await onlyLesson(school, instructor_id, monday)
  }
})

it('a winner who asks many times at once gets the same lesson', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor()
  const [student] = await school.students(1)
  const client = new Client(races.service())
  for (const monday of mondays(ROUNDS)) {
    const offered = { instructor_id, student_ids: [student?.id], ...slot(monday, 480) }
    const { paths } = await anOffer(school, offered)
    const answers = await school.race(times(CLIENTS, () => () => client.post(String(paths[0]))))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    await onlyLesson(school, instructor_id, monday)
  }
})
