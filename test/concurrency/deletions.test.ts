// @module-tag embedded: the outcome of a race depends on how a database locks
// @module-tag rounds: each round can find another order of requests

import { expect, it } from 'vitest'
import {
  CLIENTS,
  conflictWith,
  dateAfter,
  mondays,
  type Outcome,
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

it('a student deleted during concurrent bookings keeps no planned lesson (C17)', async () => {
  const school = await races.school()
  const instructors = await school.instructors(4)
  for (const monday of mondays(ROUNDS)) {
    const student = await school.student()
    const hours = slots(CLIENTS, monday).map((time, index) => ({
      ...time,
      instructor_id: instructors[index % 4]?.id,
    }))
    const given = await school.lessons(hours.slice(24))
    const requests = [
      ...hours.slice(0, 23).map((hour) => () => school.book({ ...hour, student_id: student.id })),
      ...given.map((lesson) => () => school.move(lesson, { student_id: student.id })),
    ]
    requests.splice(16, 0, () => school.client.delete(`/students/${student.id}`))
    const answers = await school.race(requests)
    expect(
      answers.map(({ status }) => status).filter((status) => ![200, 201, 204, 404].includes(status)),
    ).toEqual([])
    const accepted = answers.filter(({ status }) => status < 202).map(({ body }) => body.id)
    const lessons = (await school.client.get(`/appointments?student_id=${student.id}`)).body
    expect(lessons.map(({ id }: { id: string }) => id).toSorted()).toEqual(accepted.toSorted())
    expect(lessons.map(({ status }: { status: string }) => status)).toEqual(accepted.map(() => 'cancelled'))
  }
})

it('a student put away during concurrent bookings keeps no lesson that begins later', async () => {
  const school = await races.school()
  const instructors = await school.instructors(4)
  for (const monday of mondays(ROUNDS)) {
    const student = await school.student()
    const hours = slots(CLIENTS - 1, monday).map((time, index) => ({
      ...time,
      instructor_id: instructors[index % 4]?.id,
      student_id: student.id,
    }))
    const requests = hours.map((hour) => () => school.book(hour))
    requests.splice(3, 0, () => school.client.patch(`/students/${student.id}`, { archived: true }))
    const { accepted, refused } = outcomeOf(await school.race(requests))
    const lessons = accepted.filter(({ start_at }) => start_at)
    const isAway = lessons.length < accepted.length
    expect(reasonsOf(refused).map(({ code }) => code)).toEqual(
      refused.map(() => (isAway ? 'student_archived' : 'in_use')),
    )
    expect(isAway ? lessons : refused.slice(1)).toEqual([])
  }
})

it('a student merged during concurrent bookings for either takes all lessons, and none overlap', async () => {
  const school = await races.school()
  const instructors = await school.instructors(4)
  for (const monday of mondays(ROUNDS)) {
    const [student, double] = await school.students(2)
    // Pairs of hours overlap: the merge is refused once both of a pair are booked.
    const hours = slots(CLIENTS / 2, monday).flatMap((time, index) => [
      { ...time, instructor_id: instructors[(2 * index) % 4]?.id, student_id: student?.id },
      { ...time, instructor_id: instructors[(2 * index + 1) % 4]?.id, student_id: double?.id },
    ])
    const requests = hours.map((hour) => () => school.book(hour))
    requests.splice(1, 0, () =>
      school.client.post(`/students/${student?.id}/merge`, { other_id: double?.id }),
    )
    const answers = await school.race(requests)
    const [merge] = answers.splice(1, 1)
    expect([200, 409]).toContain(merge?.status)
    const booked = answers.filter(({ status }) => status === 201).map(({ body }) => body.id)
    const of = async (id: string | undefined) =>
      (await school.client.get(`/appointments?student_id=${id}`)).body.map((one: { id: string }) => one.id)
    const [own, others] = [await of(student?.id), await of(double?.id)]
    expect([...own, ...others].toSorted()).toEqual(booked.toSorted())
    if (merge?.status === 200) expect(others).toEqual([])
    else expect(merge?.body.code).toBe('student_busy')
    const refused = answers
      .filter(({ status }) => status !== 201)
      .map(({ status, body }) => [status, body.code])
    expect(refused.filter(([status, code]) => status !== 404 && code !== 'student_busy')).toEqual([])
  }
})

it('one of the concurrent restorations and bookings of a time succeeds; the rest get instructor_busy', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor()
  for (const monday of mondays(ROUNDS)) {
    const hour = { instructor_id, ...slot(monday, 480) }
    const deleted: { id: string }[] = []
    for (const _ of times(CLIENTS / 2, Number)) {
      const lesson = await school.lesson(hour)
      await school.remove(lesson)
      deleted.push(lesson)
    }
    const answers = await school.race(
      times(CLIENTS, (index) => () => {
        const lesson = index % 2 ? deleted[(index - 1) / 2] : undefined
        return lesson ? school.restore(lesson) : school.book(hour)
      }),
    )
    const winner = (await school.client.get(`/appointments?from=${monday}&to=${monday}`)).body
    expect(winner).toHaveLength(1)
    const losers = answers.filter(({ status, body }) => status > 201 || body.id !== winner[0].id)
    expect(losers.map(({ body: { code, params } }) => ({ code, params }))).toEqual(
      losers.map(() => conflictWith('instructor_busy', winner[0])),
    )
  }
})

it('concurrent restorations of one lesson all return 200 with the same body', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor()
  for (const monday of mondays(ROUNDS)) {
    const lesson = await school.lesson({ instructor_id, ...slot(monday, 480) })
    await school.remove(lesson)
    const answers = await school.race(times(CLIENTS, () => () => school.restore(lesson)))
    expect(answers.map(({ status }) => status)).toEqual(times(CLIENTS, () => 200))
    expect(answers.map(({ body }) => body)).toEqual(times(CLIENTS, () => answers[0]?.body))
  }
})

it('restoring a student restores only lessons whose times no concurrent booking has taken', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor()
  for (const monday of mondays(ROUNDS)) {
    const { student, lessons } = await aDeletedStudent(monday, instructor_id)
    const requests = lessons.flatMap((lesson) => {
      const hour = { instructor_id, start_at: lesson.start_at, end_at: lesson.end_at }
      return [() => school.book(hour), () => school.book(hour)]
    })
    requests.splice(12, 0, () => school.client.post(`/students/${student.id}/restore`))
    const answers = await school.race(requests)
    const [restoration] = answers.splice(12, 1)
    expect(restoration?.status).toBe(200)
    const decided: { restored: string[]; refused: Outcome['refused'] } = restoration?.body
    const known = [...decided.restored, ...decided.refused.map(({ appointment_id }) => appointment_id)]
    expect(known.toSorted()).toEqual(lessons.map(({ id }) => id).toSorted())
    const { accepted, refused } = outcomeOf(answers)
    expect(accepted.length + decided.restored.length).toBe(lessons.length)
    const standing = (await school.client.get(`/appointments?from=${monday}&to=${monday}`)).body
    const possible = standing.map((lesson: { id: string }) => conflictWith('instructor_busy', lesson))
    for (const reason of reasonsOf([...refused, ...decided.refused])) {
      expect(possible).toContainEqual(reason)
    }
  }

  async function aDeletedStudent(monday: string, instructor_id: string) {
    const student = await school.student()
    const lessons = await school.lessons(
      slots(15, monday).map((time) => ({ instructor_id, student_id: student.id, ...time })),
    )
    await school.client.delete(`/students/${student.id}`)
    return { student, lessons }
  }
})

it('concurrent deletions and restorations of a student leave all lessons planned or all cancelled', async () => {
  const school = await races.school()
  const { id: instructor_id } = await school.instructor()
  for (const monday of mondays(ROUNDS)) {
    const student = await school.student()
    const lessons = await school.lessons(
      slots(5, dateAfter(monday, 2)).map((time) => ({ instructor_id, student_id: student.id, ...time })),
    )
    const path = `/students/${student.id}`
    const answers = await school.race(
      times(
        CLIENTS,
        (index) => () => (index % 2 ? school.client.post(`${path}/restore`) : school.client.delete(path)),
      ),
    )
    const changes = answers.filter(({ status, body }) => status === 200 && body.restored.length > 0)
    for (const { body } of changes) expect(body.restored).toEqual(lessons.map(({ id }) => id))
    const deletions = answers.filter(({ status }) => status === 204)
    expect(deletions.length).toBeGreaterThan(0)
    expect(answers.map(({ status }) => status).filter((status) => ![200, 204, 404].includes(status))).toEqual(
      [],
    )
    const isBack = (await school.client.get(path)).status === 200
    expect(deletions.length - changes.length).toBe(isBack ? 0 : 1)
    const listed = (await school.client.get(`/appointments?student_id=${student.id}`)).body
    expect(listed.map(({ status }: { status: string }) => status)).toEqual(
      lessons.map(() => (isBack ? 'planned' : 'cancelled')),
    )
  }
})
