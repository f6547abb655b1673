// @module-tag rounds: each round can find another order of requests

import { afterAll, beforeEach, expect, it } from 'vitest'
import { isFault } from '../../src/doctor/finding.ts'
import { usePatientService } from '../support/app.ts'
import { NOW } from '../support/cancellation-office.ts'
import { must } from '../support/client.ts'
import { findingsInSchool } from '../support/doctor.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { dateAfter, slot, times } from '../support/races.ts'
import { rounds } from '../support/rounds.ts'
import { StudentBrowser } from '../support/student-browser.ts'

const service = usePatientService()
const ROUNDS = rounds(2)
const DAY = '2030-05-13'
const STUDENTS = 32
let school: School

beforeEach(async () => {
  service().setClock(NOW)
  school = await aSchool(service())
})

afterAll(() => service().setClock(undefined))

type Mover = { readonly browser: StudentBrowser; readonly lesson: Row }

async function movers(lessons: readonly object[]): Promise<readonly Mover[]> {
  must(200, await school.client.patch('/tenant', { students_may_move: true, student_actions: PROVED }))
  return Promise.all(
    lessons.map(async (fields) => {
      const student = await school.student()
      const lesson = await school.lesson({ student_id: student.id, ...fields })
      return { lesson, browser: await StudentBrowser.open(service(), school, student) }
    }),
  )
}

const PROVED = { confirm: false, cancel: false, wish: false, proof: 'none' }
const moveTo =
  (start_at: string) =>
  ({ browser, lesson }: Mover) =>
  () =>
    browser.press(lesson.id, { act: 'move', version: String(lesson.version), start_at })

/** Returns the starts of all lessons. The doctor must find no fault in them. */
async function starts(): Promise<readonly string[]> {
  expect((await findingsInSchool(service().db, school.tenantId)).filter(isFault)).toEqual([])
  const rows: Row[] = must(200, await school.client.get(`/appointments?from=${DAY}&to=${dateAfter(DAY, 20)}`))
  return rows.map(({ start_at }) => String(start_at))
}

it('exactly one of 32 concurrent student moves or the office booking gets a free time', async () => {
  for (const round of times(ROUNDS, (index) => index)) {
    const { id: instructor_id } = await school.instructor()
    const own = times(STUDENTS, (index) => ({
      instructor_id,
      ...slot(dateAfter(DAY, 3 + (index % 8)), 420 + 50 * Math.floor(index / 8)),
    }))
    const all = await movers(own)
    const free = slot(dateAfter(DAY, round), 600)
    const booking = { instructor_id, ...free }
    const answers = await Promise.all([
      ...all.map((one) => moveTo(free.start_at)(one)()),
      school.book(booking),
    ])
    const moved = answers.slice(0, -1).filter(({ status }) => status === 303)
    expect(answers.map(({ status }) => status).every((status) => [201, 303, 409].includes(status))).toBe(true)
    expect(moved.length + Number(answers.at(-1)?.status === 201)).toBe(1)
    expect((await starts()).filter((start) => start === free.start_at)).toHaveLength(1)
  }
})

it('exactly one of 20 concurrent moves of a lesson by its student succeeds', async () => {
  const { id: instructor_id } = await school.instructor()
  const [mover] = await movers([{ instructor_id, ...slot(dateAfter(DAY, 3), 420) }])
  if (!mover) throw new Error('one was made')
  const wanted = times(20, (index) => slot(DAY, 420 + 30 * index).start_at)
  const answers = await Promise.all(wanted.map((start) => moveTo(start)(mover)()))
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(1)
  const stored = must(200, await school.client.get(`/appointments/${mover.lesson.id}`))
  expect([wanted.includes(stored.start_at), stored.version]).toEqual([true, 2])
})

it('concurrent moves by students to one day stay within the daily limit', async () => {
  const { id: instructor_id } = await school.instructor({ max_daily_units: 3 })
  const all = await movers(
    times(STUDENTS, (index) => ({
      instructor_id,
      ...slot(dateAfter(DAY, 1 + Math.floor(index / 2)), 420 + 60 * (index % 2)),
    })),
  )
  const answers = await Promise.all(
    all.map((one, index) => moveTo(slot(DAY, 420 + 30 * (index % 26)).start_at)(one)()),
  )
  const day = (await starts()).filter((start) => start.startsWith(DAY))
  expect(day.length).toBeGreaterThan(0)
  expect(day.length).toBeLessThanOrEqual(3)
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(day.length)
})
