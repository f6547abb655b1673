// @module-tag embedded: the outcome of a race depends on how a database locks
// @module-tag rounds: each round can find another order of requests

import { expect, it } from 'vitest'
import { Client, must } from '../support/client.ts'
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
  return { id: String(body.id), paths }
}

/** Reads the only lesson of a day, and the offers. */
async function outcome(school: RacingSchool, instructor_id: string, monday: string) {
  const query = `from=${monday}&to=${monday}&instructor_id=${instructor_id}`
  const lessons = must(200, await school.client.get(`/appointments?${query}`))
  expect(lessons).toHaveLength(1)
  const offers = must(200, await school.client.get('/offers'))
  return { lesson: lessons[0], offers }
}

it('exactly one of 32 concurrent acceptances gets the lesson; the others get 409 offer_gone', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor()
  const client = new Client(races.service())
  for (const monday of mondays(ROUNDS)) {
    const student_ids = (await school.students(CLIENTS)).map(({ id }) => id)
    const { id, paths } = await anOffer(school, { instructor_id, student_ids, ...slot(monday, 480) })
    const answers = await school.race(paths.map((path) => () => client.post(path)))
    const { accepted, refused } = outcomeOf(answers)
    expect(accepted).toHaveLength(1)
    expect(reasonsOf(refused).map(({ code }) => code)).toEqual(times(CLIENTS - 1, () => 'offer_gone'))
    const { lesson, offers } = await outcome(school, instructor_id, monday)
    expect(offers).toContainEqual(
      expect.objectContaining({ id, appointment_id: lesson.id, taken_by: lesson.student_id }),
    )
  }
})

it('a time in two offers and in concurrent bookings becomes exactly one lesson', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor()
  const client = new Client(races.service())
  for (const monday of mondays(ROUNDS)) {
    const ids = (await school.students(12)).map(({ id }) => id)
    const time = { instructor_id, ...slot(monday, 480) }
    const one = await anOffer(school, { student_ids: ids.slice(0, 6), ...time })
    const other = await anOffer(school, { student_ids: ids.slice(6), ...time })
    const accept = [...one.paths, ...other.paths].map((path) => () => client.post(path))
    const answers = await school.race([...accept, ...times(4, () => () => school.book(time))])
    expect(outcomeOf(answers).accepted).toHaveLength(1)
    await outcome(school, instructor_id, monday)
  }
})

it('32 concurrent acceptances by the same student all return the same lesson', async () => {
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
    await outcome(school, instructor_id, monday)
  }
})

it('concurrent additions and an undone withdrawal never exceed 20 wishes per student', async () => {
  const school = await races.school()
  const { client } = school
  for (const { id } of await school.students(ROUNDS)) {
    const path = `/students/${id}/wishes`
    const add = () => client.post(path, { minutes: 45 })
    const [first] = await Promise.all(times(20, add))
    const withdrawn = await client.delete(`${path}/${first?.body.id}`)
    const undo = () => client.post(`/changes/sets/${withdrawn.headers.get('x-request-id')}/undo`)
    await school.race([undo, ...times(7, () => add)])
    expect(must(200, await client.get(path))).toHaveLength(20)
  }
})
