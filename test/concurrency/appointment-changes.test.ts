// @module-tag embedded: the outcome of a race depends on how a database locks
// @module-tag rounds: each round can find another order of requests

import { expect, it } from 'vitest'
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
import { rounds } from '../support/rounds.ts'
import { useRaces } from './use-races.ts'

const races = useRaces()
const ROUNDS = rounds(4)

it('concurrent moves of one lesson all succeed, and only the last target stays occupied (C13)', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor()
  for (const monday of mondays(ROUNDS)) {
    const [origin, ...targets] = slots(CLIENTS + 1, monday, 40)
    const lesson = await school.lesson({ instructor_id, ...origin })
    const answers = await school.race(targets.map((time) => () => school.move(lesson, time)))
    expect(answers.map(({ status }) => status)).toEqual(times(CLIENTS, () => 200))
    expect(answers.map(tagOf).toSorted()).toEqual(times(CLIENTS, (index) => `"${index + 2}"`).toSorted())
    const last = answers.find((answer) => tagOf(answer) === `"${CLIENTS + 1}"`)
    expect((await school.client.get(`/appointments/${lesson.id}`)).body).toEqual(last?.body)
    const rebooked = await school.race(
      [origin, ...targets].map((time) => () => school.book({ instructor_id, ...time })),
    )
    expect(outcomeOf(rebooked).accepted).toHaveLength(CLIENTS)
    expect(reasonsOf(outcomeOf(rebooked).refused)).toEqual([conflictWith('instructor_busy', last?.body)])
  }
})

it('concurrent moves of a lesson never conflict with its own time, breaks or limits', async () => {
  const school = await races.school()
  const { id: student_id } = await school.student()
  const { id: instructor_id } = await school.instructor({
    max_daily_units: 2,
    max_weekly_units: 2,
    required_break_minutes: 30,
    max_continuous_minutes: 90,
  })
  for (const monday of mondays(ROUNDS)) {
    const lesson = await school.lesson({ instructor_id, student_id, ...slot(monday, 480, 90) })
    const answers = await school.race(
      times(CLIENTS, (index) => () => school.move(lesson, slot(monday, 400 + 5 * index, 90))),
    )
    expect(answers.map(({ status }) => status)).toEqual(times(CLIENTS, () => 200))
  }
})

it.each(['instructor_id', 'student_id'])('concurrent changes of %s back and forth succeed', async (field) => {
  const school = await races.school()
  const [first, second] = field === 'student_id' ? await school.students(2) : await school.instructors(2)
  const { id: instructor_id } = await school.instructor()
  for (const monday of mondays(ROUNDS)) {
    const lesson = await school.lesson({ instructor_id, [field]: first?.id, ...slot(monday, 480) })
    const answers = await school.race(
      times(CLIENTS, (index) => () => school.move(lesson, { [field]: (index % 2 ? first : second)?.id })),
    )
    expect(answers.map(({ status }) => status)).toEqual(times(CLIENTS, () => 200))
  }
})

it.each(['instructor_id', 'student_id'])('concurrent changes of %s to 32 people succeed', async (field) => {
  const school = await races.school()
  const others = await (field === 'student_id' ? school.students(CLIENTS) : school.instructors(CLIENTS))
  const { id: instructor_id } = await school.instructor()
  for (const monday of mondays(ROUNDS)) {
    const lesson = await school.lesson({ instructor_id, ...slot(monday, 480) })
    const answers = await school.race(
      others.map(
        ({ id }) =>
          () =>
            school.move(lesson, { [field]: id }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(times(CLIENTS, () => 200))
  }
})

it.each(['instructor_id', 'student_id'])(
  'two lessons at the same time cannot swap their %s (C14)',
  async (field) => {
    const school = await races.school()
    const [first, second] = field === 'student_id' ? await school.students(2) : await school.instructors(2)
    const spare = await school.instructors(2)
    for (const monday of mondays(ROUNDS)) {
      const pairs = await Promise.all(
        slots(CLIENTS / 2, monday).map((time) =>
          school.lessons([
            { instructor_id: spare[0]?.id, [field]: first?.id, ...time },
            { instructor_id: spare[1]?.id, [field]: second?.id, ...time },
          ]),
        ),
      )
      const answers = await school.race(
        pairs.flatMap(([one, other]) => [
          () => school.move({ id: one?.id }, { [field]: second?.id }),
          () => school.move({ id: other?.id }, { [field]: first?.id }),
        ]),
      )
      const code = field === 'student_id' ? 'student_busy' : 'instructor_busy'
      expect(reasonsOf(outcomeOf(answers).refused)).toEqual(
        pairs.flatMap(([one, other]) => [conflictWith(code, other), conflictWith(code, one)]),
      )
    }
  },
)

it('two lessons of one instructor cannot swap their times (C14)', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor()
  for (const monday of mondays(ROUNDS)) {
    const lessons = await school.lessons(slots(CLIENTS, monday).map((time) => ({ instructor_id, ...time })))
    const partner = (index: number) => lessons[index % 2 ? index - 1 : index + 1]
    const answers = await school.race(
      lessons.map((lesson, index) => () => school.move(lesson, timeOf(partner(index)))),
    )
    expect(reasonsOf(outcomeOf(answers).refused)).toEqual(
      lessons.map((_, index) => conflictWith('instructor_busy', partner(index))),
    )
  }
})

it('exactly one of two lessons moves into the same gap; the other gets 409 instructor_busy', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor()
  for (const monday of mondays(ROUNDS)) {
    const lessons = await school.lessons(slots(CLIENTS, monday).map((time) => ({ instructor_id, ...time })))
    const gaps = slots(CLIENTS / 2, dateAfter(monday, 1), 90)
    const answers = await school.race(
      lessons.map((lesson, index) => () => school.move(lesson, { ...gaps[Math.floor(index / 2)] })),
    )
    const { accepted, refused } = outcomeOf(answers)
    const byStart = accepted.toSorted((a, b) => (a.start_at < b.start_at ? -1 : 1))
    expect(byStart.map(timeOf)).toEqual(gaps)
    expect(reasonsOf(refused)).toEqual(
      lessons
        .flatMap((_, index) => (answers[index]?.status === 409 ? [byStart[Math.floor(index / 2)]] : []))
        .map((winner) => conflictWith('instructor_busy', winner)),
    )
  }
})

it('a lesson moved and deleted concurrently ends up deleted, by exactly one of the deletions (C15)', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor()
  for (const monday of mondays(ROUNDS)) {
    const [origin, ...targets] = slots(CLIENTS, monday)
    const lesson = await school.lesson({ instructor_id, ...origin })
    const answers = await school.race(
      targets.map(
        (time, index) => () => (index % 8 === 4 ? school.remove(lesson) : school.move(lesson, time)),
      ),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => ![200, 204, 404].includes(status))).toEqual([])
    expect(statuses.filter((status) => status === 204)).toHaveLength(1)
    expect((await school.client.get(`/appointments/${lesson.id}`)).status).toBe(404)
    const rebooked = await school.race(
      [origin, ...targets].map((time) => () => school.book({ instructor_id, ...time })),
    )
    expect(outcomeOf(rebooked).accepted).toHaveLength(CLIENTS)
  }
})

it('a time freed by a concurrent deletion is booked exactly once (C16)', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor()
  for (const monday of mondays(ROUNDS)) {
    const hour = { instructor_id, ...slot(monday, 480) }
    const lesson = await school.lesson(hour)
    const [deletion, ...bookings] = await school.race([
      () => school.remove(lesson),
      ...times(CLIENTS - 1, () => () => school.book(hour)),
    ])
    expect(deletion?.status).toBe(204)
    const { accepted, refused } = outcomeOf([...bookings, await school.book(hour)])
    expect(accepted).toHaveLength(1)
    const possible = [lesson, accepted[0]].map((one) => conflictWith('instructor_busy', one))
    for (const reason of reasonsOf(refused)) expect(possible).toContainEqual(reason)
  }
})

function tagOf({ headers }: { headers: Headers }): string | null {
  return headers.get('etag')
}

function timeOf(lesson: Record<string, unknown> | undefined): Record<string, unknown> {
  return { start_at: lesson?.start_at, end_at: lesson?.end_at }
}
