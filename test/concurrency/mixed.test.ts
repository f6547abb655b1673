// @module-tag embedded: the outcome of a race depends on how a database locks
// @module-tag rounds: each round can find another order of requests

import { expect, it } from 'vitest'
import type { Answer } from '../support/client.ts'
import { dateAfter, mondays, type RacingSchool, slot, times } from '../support/races.ts'
import { rounds } from '../support/rounds.ts'
import { drawn, pick, type RandomInteger, randomIntegers, SEED } from './random-integers.ts'
import { useRaces } from './use-races.ts'

const races = useRaces()
const CLIENTS = 8
/** The number of rushes. In each, every client performs one operation, all at once. */
const RUSHES = rounds(50)
const [monday = ''] = mondays(1)

it(`random requests of eight concurrent clients leave the school consistent (RACE_SEED=${SEED}) (I11, C25)`, async () => {
  const school = await races.school()
  for (const code of ['instructor_on_vacation', 'outside_availability']) school.tightened.add(code)
  const office = await anOffice(school)
  const random = times(CLIENTS + 1, (index) => randomIntegers(SEED + index))
  for (const _ of times(RUSHES, Number)) {
    const rush = aRush(office, random[CLIENTS] ?? randomIntegers(SEED))
    const operations = random.slice(0, CLIENTS).map((own) => anOperation(office, own, rush))
    await Promise.all(operations.map((operation) => operation()))
  }
  const statuses = school.history.map(({ answer }) => answer.status)
  expect(statuses.filter((status) => ![200, 201, 204, 404, 409].includes(status))).toEqual([])
  for (const { id } of (await school.client.get('/appointments')).body) {
    expect((await school.client.get(`/appointments/${id}`)).status).toBe(200)
  }
})

type Office = {
  readonly school: RacingSchool
  readonly instructors: readonly { id: string }[]
  readonly students: readonly { id: string }[]
}

async function anOffice(school: RacingSchool): Promise<Office> {
  const rules = {
    max_daily_units: 4,
    max_daily_override: 5,
    max_weekly_units: 9,
    required_break_minutes: 10,
    max_continuous_minutes: 150,
  }
  return { school, instructors: await school.instructors(3, rules), students: await school.students(8) }
}

/** The resources that most requests of a rush use. */
type Rush = {
  readonly lesson: string | undefined
  readonly instructor: { id: string } | undefined
  readonly student: { id: string } | undefined
  readonly days: number
  readonly quarters: number
}

function aRush({ school, instructors, students }: Office, random: RandomInteger): Rush {
  return {
    lesson: pick(bookedIn(school), random),
    instructor: pick(instructors, random),
    student: pick(students, random),
    days: random(4),
    quarters: random(32),
  }
}

function anOperation(
  { school, instructors, students }: Office,
  random: RandomInteger,
  rush: Rush,
): () => Promise<Answer> {
  const lesson = { id: (random(2) ? rush.lesson : pick(bookedIn(school), random)) ?? 'none' }
  const instructor = random(4) ? rush.instructor : pick(instructors, random)
  const student = random(3) ? pick(students, random) : rush.student
  const time = aTime(
    random,
    random(4) ? rush.days : random(4),
    random(2) ? rush.quarters + random(3) : random(32),
  )
  const operations: readonly (readonly [number, () => Promise<Answer>])[] = [
    [60, () => school.book({ ...time, instructor_id: instructor?.id, student_id: student?.id })],
    [12, () => school.move(lesson, time)],
    [8, () => school.move(lesson, { instructor_id: instructor?.id })],
    [4, () => school.move(lesson, { student_id: student?.id })],
    [3, () => school.move(lesson, { status: 'cancelled' })],
    [4, () => school.move(lesson, { status: 'planned', student_id: student?.id, ...time })],
    [12, () => school.remove(lesson)],
    [8, () => school.restore(lesson)],
    [1, () => school.client.delete(`/students/${student?.id}`)],
    [6, () => school.client.post(`/students/${student?.id}/restore`)],
    [3, () => school.client.patch(`/instructors/${instructor?.id}`, { vacations: someVacations(random) })],
    [
      3,
      () =>
        school.client.patch(`/instructors/${instructor?.id}`, { availability_windows: someWindows(random) }),
    ],
  ]
  return drawn(operations, random)
}

function bookedIn({ history }: RacingSchool): string[] {
  return history
    .filter(({ answer }) => answer.status === 201)
    .flatMap(({ path, answer }) => (path === '/appointments' ? [answer.body.id] : []))
}

/** Returns a time around a weekend, so that two weeks fill up. */
function aTime(random: RandomInteger, days: number, quarters: number) {
  return slot(dateAfter(monday, 5 + days), 480 + 15 * quarters, [45, 60, 90][random(3)])
}

function someVacations(random: RandomInteger) {
  const start_date = dateAfter(monday, 5 + random(4))
  return random(2) ? [] : [{ start_date, end_date: start_date }]
}

function someWindows(random: RandomInteger) {
  const weekdays = times(7, (index) => index + 1)
  return random(2)
    ? []
    : weekdays.map((weekday) => ({ weekday, start: `0${8 + random(2)}:00`, end: '17:00' }))
}
