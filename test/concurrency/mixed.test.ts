// @module-tag embedded: the outcome of a race depends on how a database locks
// @module-tag rounds: each round can find another order of requests

import { expect, it } from 'vitest'
import type { Answer } from '../support/client.ts'
import { dateAfter, mondays, type RacingSchool, slot, times } from '../support/races.ts'
import { rounds } from '../support/rounds.ts'
import { type Dice, diceOf, drawn, pick, SEED } from './dice.ts'
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
  const dice = times(CLIENTS + 1, (index) => diceOf(SEED + index))
  for (const _ of times(RUSHES, Number)) {
    const rush = aRush(office, dice[CLIENTS] ?? diceOf(SEED))
    const operations = dice.slice(0, CLIENTS).map((own) => anOperation(office, own, rush))
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

function aRush({ school, instructors, students }: Office, dice: Dice): Rush {
  return {
    lesson: pick(bookedIn(school), dice),
    instructor: pick(instructors, dice),
    student: pick(students, dice),
    days: dice(4),
    quarters: dice(32),
  }
}

function anOperation(
  { school, instructors, students }: Office,
  dice: Dice,
  rush: Rush,
): () => Promise<Answer> {
  const lesson = { id: (dice(2) ? rush.lesson : pick(bookedIn(school), dice)) ?? 'none' }
  const instructor = dice(4) ? rush.instructor : pick(instructors, dice)
  const student = dice(3) ? pick(students, dice) : rush.student
  const time = aTime(dice, dice(4) ? rush.days : dice(4), dice(2) ? rush.quarters + dice(3) : dice(32))
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
    [3, () => school.client.patch(`/instructors/${instructor?.id}`, { vacations: someVacations(dice) })],
    [
      3,
      () =>
        school.client.patch(`/instructors/${instructor?.id}`, { availability_windows: someWindows(dice) }),
    ],
  ]
  return drawn(operations, dice)
}

function bookedIn({ history }: RacingSchool): string[] {
  return history
    .filter(({ answer }) => answer.status === 201)
    .flatMap(({ path, answer }) => (path === '/appointments' ? [answer.body.id] : []))
}

/** Returns a time around a weekend, so that two weeks fill up. */
function aTime(dice: Dice, days: number, quarters: number) {
  return slot(dateAfter(monday, 5 + days), 480 + 15 * quarters, [45, 60, 90][dice(3)])
}

function someVacations(dice: Dice) {
  const start_date = dateAfter(monday, 5 + dice(4))
  return dice(2) ? [] : [{ start_date, end_date: start_date }]
}

function someWindows(dice: Dice) {
  const weekdays = times(7, (index) => index + 1)
  return dice(2) ? [] : weekdays.map((weekday) => ({ weekday, start: `0${8 + dice(2)}:00`, end: '17:00' }))
}
