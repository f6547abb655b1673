// @module-tag embedded: the outcome of a race depends on how a database locks
// @module-tag rounds: each round can find another order of requests

import { expect, it } from 'vitest'
import {
  CLIENTS,
  conflictWith,
  mondays,
  outcomeOf,
  type RacingSchool,
  reasonsOf,
  slot,
  times,
} from '../support/races.ts'
import { rounds } from '../support/rounds.ts'
import { expectRefusalsToStand } from './recheck.ts'
import { useRaces } from './use-races.ts'

const races = useRaces()
const ROUNDS = rounds(4)

it('one of 32 concurrent bookings of an instructor succeeds; the others get instructor_busy (I1, I13, C1)', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor()
  const students = await school.students(CLIENTS)
  for (const monday of mondays(ROUNDS)) {
    const answers = await school.race(
      students.map(
        ({ id: student_id }) =>
          () =>
            school.book({ instructor_id, student_id, ...slot(monday, 480) }),
      ),
    )
    const { accepted, refused } = outcomeOf(answers)
    expect(accepted).toHaveLength(1)
    expect(reasonsOf(refused)).toEqual(times(CLIENTS - 1, () => conflictWith('instructor_busy', accepted[0])))
  }
})

it('only one of 32 cancelled lessons at the same time can be planned again', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor()
  for (const monday of mondays(ROUNDS)) {
    const cancelled = { instructor_id, status: 'cancelled', ...slot(monday, 480) }
    const lessons = await school.lessons(times(CLIENTS, () => cancelled))
    const answers = await school.race(
      lessons.map((lesson) => () => school.move(lesson, { status: 'planned' })),
    )
    const { accepted, refused } = outcomeOf(answers)
    expect(accepted).toHaveLength(1)
    expect(reasonsOf(refused)).toEqual(times(CLIENTS - 1, () => conflictWith('instructor_busy', accepted[0])))
  }
})

it('one of 32 concurrent bookings of a student succeeds; the others get student_busy (I2, C2)', async () => {
  const school = await races.school()
  const { id: student_id } = await school.student()
  const instructors = await school.instructors(CLIENTS)
  for (const monday of mondays(ROUNDS)) {
    const answers = await school.race(
      instructors.map(
        ({ id: instructor_id }) =>
          () =>
            school.book({ instructor_id, student_id, ...slot(monday, 480) }),
      ),
    )
    const { accepted, refused } = outcomeOf(answers)
    expect(accepted).toHaveLength(1)
    expect(reasonsOf(refused)).toEqual(times(CLIENTS - 1, () => conflictWith('student_busy', accepted[0])))
  }
})

it('only one of 32 staggered times that all overlap is booked (C3)', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor()
  for (const monday of mondays(ROUNDS)) {
    const answers = await school.race(
      times(CLIENTS, (index) => () => school.book({ instructor_id, ...slot(monday, 480 + index, 60) })),
    )
    const { accepted, refused } = outcomeOf(answers)
    expect(accepted).toHaveLength(1)
    expect(reasonsOf(refused)).toEqual(times(CLIENTS - 1, () => conflictWith('instructor_busy', accepted[0])))
  }
})

it('bookings staggered by ten minutes are rejected only for a real conflict (I13, C3)', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor()
  for (const monday of mondays(ROUNDS)) {
    const answers = await school.race(
      times(CLIENTS, (index) => () => school.book({ instructor_id, ...slot(monday, 10 * index, 60) })),
    )
    const { accepted, refused } = outcomeOf(answers)
    const possible = accepted.map((lesson) => conflictWith('instructor_busy', lesson))
    for (const reason of reasonsOf(refused)) expect(possible).toContainEqual(reason)
  }
  await expectRefusalsToStand(races.service().db, school)
})

it('concurrent bookings and moves of 2 students with 3 instructors fill all 4 hours (C4)', async () => {
  const school = await races.school()
  const instructors = await school.instructors(3)
  const students = await school.students(2)
  const pairs = students.flatMap(({ id: student_id }) =>
    instructors.map(({ id: instructor_id }) => ({ instructor_id, student_id })),
  )
  for (const monday of mondays(ROUNDS)) {
    const answers = await raceForFourHours(school, pairs, monday)
    const { accepted, refused } = outcomeOf(answers)
    expect(accepted).toHaveLength(4 * students.length)
    const possible = accepted.flatMap((lesson) => [
      conflictWith('instructor_busy', lesson),
      conflictWith('student_busy', lesson),
    ])
    for (const reason of reasonsOf(refused)) expect(possible).toContainEqual(reason)
  }
})

/** Lets every pair book each hour, and moves two of the evening's lessons to each hour, with other pairs. */
async function raceForFourHours(
  school: RacingSchool,
  pairs: readonly { instructor_id: string; student_id: string }[],
  monday: string,
) {
  const hours = times(4, (index) => slot(monday, 480 + 60 * index, 60))
  const evening = times(8, (index) => ({
    ...pairs[index % pairs.length],
    ...slot(monday, 1080 + 30 * index, 30),
  }))
  const lessons = await school.lessons(evening)
  return school.race(
    hours.flatMap((hour, index) => [
      ...pairs.map((pair) => () => school.book({ ...pair, ...hour })),
      ...lessons
        .slice(2 * index, 2 * index + 2)
        .map(
          (lesson, turn) => () =>
            school.move(lesson, { ...hour, ...pairs[(5 - index - turn) % pairs.length] }),
        ),
    ]),
  )
}
