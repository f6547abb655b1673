// @module-tag embedded: the outcome of a race depends on how a database locks
// @module-tag rounds: each round can find another order of requests

import { expect, it } from 'vitest'
import type { Answer } from '../support/client.ts'
import { CLIENTS, dateAfter, mondays, outcomeOf, slot, slots, times } from '../support/races.ts'
import { rounds } from '../support/rounds.ts'
import { useRaces } from './use-races.ts'

// A decision made before locking is written only if nothing has changed since. In these tests, something always has.
const races = useRaces()
const ROUNDS = rounds(4)

it('concurrent changes of notes, title, time and status of one lesson are all stored', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor()
  for (const monday of mondays(ROUNDS)) {
    const lesson = await school.lesson({ instructor_id, ...slot(monday, 480) })
    const moved = slot(monday, 900)
    const changes = [{ notes: 'motorway' }, { title: 'Drive' }, moved, { status: 'completed' }]
    const answers = await school.race(changes.map((change) => () => school.move(lesson, change)))
    expect(answers.map(({ status }) => status)).toEqual(changes.map(() => 200))
    const { body } = await school.client.get(`/appointments/${lesson.id}`)
    expect(body).toMatchObject(Object.assign({}, ...changes, { version: 1 + changes.length }))
  }
})

it('concurrent changes of day and instructor cannot jointly exceed the daily limit', async () => {
  const school = await races.school()
  const [first, second] = await school.instructors(2, { max_daily_units: 2 })
  for (const monday of mondays(ROUNDS)) {
    const tuesday = dateAfter(monday, 1)
    // The second instructor's Tuesday is full: the lesson can move to that instructor or to Tuesday, but not both.
    await school.lesson({ instructor_id: second?.id, ...slot(tuesday, 480, 90) })
    const lesson = await school.lesson({ instructor_id: first?.id, ...slot(monday, 900) })
    const { accepted, refused } = outcomeOf(
      await school.race(
        times(
          CLIENTS,
          (index) => () =>
            school.move(lesson, index % 2 ? slot(tuesday, 900) : { instructor_id: second?.id }),
        ),
      ),
    )
    expect([accepted.length, refused.length]).toEqual([CLIENTS / 2, CLIENTS / 2])
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['daily_limit_exceeded']))
  }
})

it('concurrent changes of instructor, student and time of one lesson all succeed', async () => {
  const school = await races.school()
  const [instructors, students] = [await school.instructors(3), await school.students(3)]
  for (const monday of mondays(ROUNDS)) {
    const moments = slots(3, monday)
    const lesson = await school.lesson({
      instructor_id: instructors[0]?.id,
      student_id: students[0]?.id,
      ...moments[0],
    })
    const changeOf = (index: number) => {
      const at = (index >> 2) % 3
      if (index % 4 === 0) return { instructor_id: instructors[at]?.id }
      if (index % 4 === 1) return { student_id: students[at]?.id }
      return { ...moments[at] }
    }
    const answers = await school.race(times(CLIENTS, (index) => () => school.move(lesson, changeOf(index))))
    expect(answers.map(({ status }) => status)).toEqual(times(CLIENTS, () => 200))
  }
})

it('moves to one day get 409 daily_limit_exceeded once a concurrent change has lowered the limit', async () => {
  const school = await races.school()
  school.tightened.add('daily_limit_exceeded')
  for (const monday of mondays(ROUNDS)) {
    const { id: instructor_id } = await school.instructor({ max_daily_units: 32 })
    const path = `/instructors/${instructor_id}`
    // Each lesson has one unit on its own day. All of them are to move to the same day.
    const lessons = await school.lessons(
      times(CLIENTS, (index) => ({ instructor_id, ...slot(dateAfter(monday, 7 + index), 480) })),
    )
    const targets = slots(CLIENTS, monday, 30)
    const moves = lessons.map((lesson, index) => () => school.move(lesson, { ...targets[index] }))
    const half = CLIENTS / 2
    const sink = () => school.client.patch(path, { max_daily_units: 4 })
    const [before, [sunk], after] = partsOf(
      await school.race([...moves.slice(0, half), sink, ...moves.slice(half)]),
      half,
    )
    expect(sunk?.status).toBe(200)
    const { accepted } = outcomeOf([...before, ...after])
    // The database decides which moves came first. The audit checks that none exceeded the limit afterwards.
    expect(accepted.length).toBeGreaterThanOrEqual(6)
    const late = await school.move(
      { id: lessons.find(({ id }) => !accepted.some((one) => one.id === id))?.id },
      slot(monday, 1080),
    )
    expect([late.status, late.body.code]).toEqual([409, 'daily_limit_exceeded'])
  }
})

function partsOf(answers: readonly Answer[], half: number): [Answer[], Answer[], Answer[]] {
  return [answers.slice(0, half), answers.slice(half, half + 1), answers.slice(half + 1)]
}

it('concurrent restorations and bookings stay within a daily limit that is being lowered', async () => {
  const school = await races.school()
  school.tightened.add('daily_limit_exceeded')
  for (const monday of mondays(ROUNDS)) {
    const { id: instructor_id } = await school.instructor({ max_daily_units: 2 })
    const lessons = await school.lessons(slots(2, monday).map((time) => ({ instructor_id, ...time })))
    await Promise.all(lessons.map((lesson) => school.remove(lesson)))
    const answers = await school.race([
      ...times(
        CLIENTS - 1,
        (index) => () =>
          index % 2
            ? school.restore({ id: lessons[(index >> 1) % 2]?.id })
            : school.book({ instructor_id, ...slots(4, monday)[(index >> 1) % 4] }),
      ),
      () => school.client.patch(`/instructors/${instructor_id}`, { max_daily_units: 1 }),
    ])
    outcomeOf(answers)
    const { body } = await school.client.get(`/appointments?from=${monday}&to=${monday}`)
    expect([1, 2]).toContain(body.length)
  }
})
