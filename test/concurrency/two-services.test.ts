import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase, startService, type TestService } from '../support/app.ts'
import {
  CLIENTS,
  conflictWith,
  dateAfter,
  mondays,
  outcomeOf,
  reasonsOf,
  slot,
  slots,
  times,
} from '../support/races.ts'
import { useRaces } from './use-races.ts'

/** A second service as another process would be: with a pool of its own where the database has more than one connection. */
let second: TestService | undefined
const races = useRaces(() => (second ? [second] : []))
const ROUNDS = 4

beforeAll(async () => {
  const { kind, db } = races.service()
  second = await startService(kind === 'postgres' ? await openDatabase() : db)
})

afterAll(async () => {
  await second?.close()
  if (second?.kind === 'postgres') await second.db.destroy()
})

it('C1: one client of two services gets the hour of an instructor', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor()
  const students = await school.students(CLIENTS)
  for (const monday of mondays(ROUNDS)) {
    const { accepted, refused } = outcomeOf(
      await school.race(
        students.map(
          ({ id: student_id }, index) =>
            () =>
              school.through(index).book({ instructor_id, student_id, ...slot(monday, 480) }),
        ),
      ),
    )
    expect(accepted).toHaveLength(1)
    expect(reasonsOf(refused)).toEqual(times(CLIENTS - 1, () => conflictWith('instructor_busy', accepted[0])))
  }
})

it('C2: one instructor of two services gets the hour of a student', async () => {
  const school = await races.school()
  const { id: student_id } = await school.student()
  const instructors = await school.instructors(CLIENTS)
  for (const monday of mondays(ROUNDS)) {
    const { accepted, refused } = outcomeOf(
      await school.race(
        instructors.map(
          ({ id: instructor_id }, index) =>
            () =>
              school.through(index).book({ instructor_id, student_id, ...slot(monday, 480) }),
        ),
      ),
    )
    expect(accepted).toHaveLength(1)
    expect(reasonsOf(refused)).toEqual(times(CLIENTS - 1, () => conflictWith('student_busy', accepted[0])))
  }
})

it('C5: two services book as many units of a day as the limit allows', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor({ max_daily_units: 3 })
  for (const monday of mondays(ROUNDS)) {
    const { accepted, refused } = outcomeOf(
      await school.race(
        slots(CLIENTS, monday).map(
          (time, index) => () => school.through(index).book({ instructor_id, ...time }),
        ),
      ),
    )
    expect(accepted).toHaveLength(3)
    expect(refused.map(({ code, params }) => `${code} ${params.booked_units}`)).toEqual(
      times(CLIENTS - 3, () => 'daily_limit_exceeded 3'),
    )
  }
})

it('C7: two services book as many units of a week as the limit allows', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor({ max_weekly_units: 5 })
  for (const monday of mondays(ROUNDS)) {
    const { accepted, refused } = outcomeOf(
      await school.race(
        times(CLIENTS, (index) => {
          const time = slot(dateAfter(monday, index % 7), 480 + 60 * Math.floor(index / 7))
          return () => school.through(index).book({ instructor_id, ...time })
        }),
      ),
    )
    expect(accepted).toHaveLength(5)
    expect(refused.map(({ code, params }) => `${code} ${params.booked_units}`)).toEqual(
      times(CLIENTS - 5, () => 'weekly_limit_exceeded 5'),
    )
  }
})
