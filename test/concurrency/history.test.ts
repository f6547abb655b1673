// @module-tag embedded_later: the outcome of a race depends on how a database locks

import { expect, it } from 'vitest'
import type { Change } from '../../src/contract/change.ts'
import { changesOf, Follower, idsIn } from '../support/changes.ts'
import { type Answer, must } from '../support/client.ts'
import { CLIENTS, dateAfter, mondays, type RacingSchool, slot, slots, times } from '../support/races.ts'
import { drawn, pick, type RandomInteger, randomIntegers, SEED } from './random-integers.ts'
import { useRaces } from './use-races.ts'

// The audit after each test of this suite replays the log of every school. Here the log has more kinds of entries.
const races = useRaces()
const WRITERS = 6
const RUSHES = 40
const [monday = ''] = mondays(1)

it(`replaying the log of random concurrent requests yields the stored rows (RACE_SEED=${SEED}) (I16)`, async () => {
  const school = await races.school()
  tightenAll(school)
  const [instructors, students] = [
    await school.instructors(3, { max_daily_units: 6 }),
    await school.students(5),
  ]
  const random = times(WRITERS, (index) => randomIntegers(SEED + index))
  for (const _ of times(RUSHES, Number))
    await Promise.all(random.map((own) => aRequest(school, pick(instructors, own), pick(students, own), own)))
  // Chance may leave out an action of the students, which are few.
  const { id } = await school.student()
  must(204, await school.client.delete(`/students/${id}`))
  must(200, await school.client.post(`/students/${id}/restore`))
  const told = new Set(
    (await changesOf(school.client)).map(({ resource, action }) => `${resource} ${action}`),
  )
  const actions = ['created', 'changed', 'deleted', 'restored']
  const possible = ['appointment', 'student'].flatMap((resource) =>
    actions.map((action) => `${resource} ${action}`),
  )
  expect([...told]).toEqual(expect.arrayContaining([...possible, 'instructor changed']))
})

/** Lets the audit accept lessons that break a rule changed after their booking. */
function tightenAll({ tightened }: RacingSchool): void {
  for (const code of [
    'instructor_on_vacation',
    'outside_availability',
    'instructor_inactive',
    'daily_limit_exceeded',
  ])
    tightened.add(code)
}

type Person = { readonly id: string } | undefined

function aRequest(
  school: RacingSchool,
  instructor: Person,
  student: Person,
  random: RandomInteger,
): Promise<Answer> {
  const { client } = school
  const lesson = pick(bookedIn(school), random) ?? { id: 'none' }
  const time = slot(dateAfter(monday, random(3)), 480 + 30 * random(24), [45, 90][random(2)])
  const text = pick(['nervous', 'motorway', null], random)
  const status = pick(['completed', 'no_show', 'cancelled'], random)
  const stale = { 'if-match': `"${1 + random(4)}"` }
  const changeInstructor = (change: object) => client.patch(`/instructors/${instructor?.id}`, change)
  const request = drawn<() => Promise<Answer>>(
    [
      [
        30,
        () => school.book({ ...time, instructor_id: instructor?.id, student_id: student?.id, notes: text }),
      ],
      [15, () => school.move(lesson, time)],
      [10, () => school.move(lesson, { notes: text, title: 'Drive' })],
      [10, () => school.move(lesson, { status })],
      // Sends the student, too. Otherwise, a deleted student's lesson, which stays editable, could be planned.
      [5, () => school.move(lesson, { status: 'planned', student_id: student?.id, ...time })],
      [5, () => school.move(lesson, { student_id: random(3) ? student?.id : null })],
      [5, () => school.move(lesson, { instructor_id: instructor?.id })],
      [5, () => client.patch(`/appointments/${lesson.id}`, { notes: text }, stale)],
      [10, () => school.remove(lesson)],
      [15, () => school.restore(pick(removedIn(school), random) ?? lesson)],
      [10, () => client.patch(`/students/${student?.id}`, { notes: text, phone: `${random(3)}` })],
      [6, () => client.delete(`/students/${student?.id}`)],
      [12, () => client.post(`/students/${student?.id}/restore`)],
      [4, () => changeInstructor({ max_daily_units: 4 + random(4), phone: text })],
      [2, () => changeInstructor({ active: random(3) > 0 })],
      [2, () => changeInstructor({ vacations: random(2) ? [] : [{ start_date: monday, end_date: monday }] })],
      [2, () => changeInstructor({ availability_windows: times(random(2) * 7, aWindow) })],
    ],
    random,
  )
  return request()
}

function aWindow(index: number) {
  return { weekday: index + 1, start: '09:00', end: '24:00' }
}

function removedIn({ history }: RacingSchool): { id: string }[] {
  return history.flatMap(({ path, answer }) => {
    const [, id] = answer.status === 204 ? (/^\/appointments\/(.*)/.exec(path) ?? []) : []
    return id ? [{ id }] : []
  })
}

function bookedIn({ history }: RacingSchool): { id: string }[] {
  return history
    .filter(({ path, answer }) => path === '/appointments' && answer.status === 201)
    .map(({ answer }) => answer.body)
}

it('a follower that polls during concurrent writes receives every listed change exactly once', async () => {
  const school = await races.school()
  const instructors = await school.instructors(4)
  const students = await school.students(4)
  const follower = await Follower.begin(school.client)
  const before = await changesOf(school.client)
  const told: Change[] = []
  let racing = true
  const following = async () => {
    while (racing) told.push(...(await follower.poll()))
  }
  const writing = school.race(
    times(CLIENTS, (index) => async () => {
      const person = { instructor_id: instructors[index % 4]?.id, student_id: students[(index >> 2) % 4]?.id }
      for (const time of slots(4, monday, 45 * (1 + (index % 3)))) {
        const { status, body } = await school.book({ ...person, ...time })
        if (status === 201) await school.move(body, { notes: `${index}` })
        if (status === 201 && index % 5 === 0) await school.remove(body)
      }
      return school.client.patch(`/students/${person.student_id}`, { phone: `${index}` })
    }),
  )
  await Promise.all([
    writing.finally(() => {
      racing = false
    }),
    following(),
  ])
  told.push(...(await follower.pollToTheEnd()))
  const after = await changesOf(school.client)
  const known = new Set(idsIn(before))
  expect(told.length).toBeGreaterThan(CLIENTS)
  expect(idsIn(told)).toEqual(idsIn(after.filter(({ id }) => !known.has(id))))
  for (const change of told) expect(after).toContainEqual(change)
})
