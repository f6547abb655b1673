// @module-tag embedded: the outcome of a race depends on how a database locks
// @module-tag rounds: each round can find another order of requests

import { expect, it } from 'vitest'
import { CLIENTS, mondays, outcomeOf, type RacingSchool, reasonsOf, slot, times } from '../support/races.ts'
import { rounds } from '../support/rounds.ts'
import { useRaces } from './use-races.ts'

const races = useRaces()
const ROUNDS = rounds(4)

const groupIn = (school: RacingSchool, fields: object) =>
  school.lesson({ lesson_type_id: school.lessonTypes.THEORY_BASIC, ...fields })

it('exactly one of 32 concurrent students gets the last seat; the others get 409 full', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor()
  const students = await school.students(CLIENTS + 1)
  for (const monday of mondays(ROUNDS)) {
    const [{ id: first } = { id: '' }, ...others] = students
    const attendees = [{ student_id: first }]
    const group = await groupIn(school, { instructor_id, attendees, seats: 2, ...slot(monday, 1080, 90) })
    const answers = await school.race(
      others.map(
        ({ id }) =>
          () =>
            school.client.post(`/appointments/${group.id}/attendees/${id}`),
      ),
    )
    const { accepted, refused } = outcomeOf(answers)
    expect(accepted).toHaveLength(1)
    expect(reasonsOf(refused)).toEqual(times(CLIENTS - 1, () => ({ code: 'full', params: { seats: 2 } })))
    const { body } = await school.client.get(`/appointments/${group.id}`)
    expect(body.attendees).toHaveLength(2)
  }
})

it('exactly one of 32 concurrent bookings of a student for overlapping groups and lessons succeeds', async () => {
  const school = await races.school()
  const instructors = await school.instructors(CLIENTS)
  const { id: student_id } = await school.student()
  for (const monday of mondays(ROUNDS)) {
    const time = slot(monday, 1080, 90)
    const existing = await Promise.all(
      instructors.slice(0, CLIENTS / 2).map(({ id }) => groupIn(school, { instructor_id: id, ...time })),
    )
    const join = existing.map(
      ({ id }) =>
        () =>
          school.client.post(`/appointments/${id}/attendees/${student_id}`),
    )
    const book = instructors.slice(CLIENTS / 2).map(({ id: instructor_id }, index) => () => {
      const group = { lesson_type_id: school.lessonTypes.THEORY_BASIC, attendees: [{ student_id }] }
      return school.book({ instructor_id, ...(index % 2 === 0 ? { student_id } : group), ...time })
    })
    const { accepted, refused } = outcomeOf(await school.race([...join, ...book]))
    expect(accepted).toHaveLength(1)
    expect(new Set(reasonsOf(refused).map(({ code }) => code))).toEqual(new Set(['student_busy']))
  }
})

it('a moved group never overlaps a concurrent booking of one of its students', async () => {
  const school = await races.school()
  const [teacher, ...others] = await school.instructors(CLIENTS)
  const students = await school.students(CLIENTS - 1)
  for (const monday of mondays(ROUNDS)) {
    const [before, after] = [slot(monday, 600, 90), slot(monday, 1080, 90)]
    const attendees = students.slice(0, 20).map(({ id: student_id }) => ({ student_id }))
    const group = await groupIn(school, { instructor_id: teacher?.id, attendees, ...before })
    const book = others.map(
      ({ id: instructor_id }, index) =>
        () =>
          school.book({ instructor_id, student_id: students[index]?.id, ...after }),
    )
    const [moved, ...booked] = await school.race([() => school.move(group, after), ...book])
    const isMoved = moved?.status === 200
    expect(booked.slice(20).map(({ status }) => status)).toEqual(times(CLIENTS - 21, () => 201))
    const accepted = booked.slice(0, 20).filter(({ status }) => status === 201)
    expect(isMoved ? accepted.length : moved?.body.code).toEqual(isMoved ? 0 : 'student_busy')
  }
})
