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
let instructor: Row

beforeEach(async () => {
  service().setClock(NOW)
  school = await aSchool(service())
  instructor = await school.instructor({ license_classes: ['B'] })
  const student_booking = { mode: 'book', lessons_ahead: 3 }
  must(200, await school.client.patch('/tenant', { student_booking, student_actions: { proof: 'none' } }))
})

afterAll(() => service().setClock(undefined))

async function learner(fields: Record<string, unknown> = {}): Promise<StudentBrowser> {
  return StudentBrowser.open(service(), school, await school.student(fields))
}

const bookAt = (browser: StudentBrowser, start: string, type = 'PRACTICE') =>
  browser.pressBooking({
    act: 'book',
    lesson_type_id: school.lessonTypes[type] ?? '',
    start_at: `${start} ${instructor.id}`,
  })

/** Returns all lessons. The doctor must find no fault in them. */
async function lessons(): Promise<readonly Row[]> {
  expect((await findingsInSchool(service().db, school.tenantId)).filter(isFault)).toEqual([])
  return must(200, await school.client.get(`/appointments?from=${DAY}&to=${dateAfter(DAY, 14)}`))
}

it('exactly one of 32 students who book a time at once, or the office, gets it', async () => {
  const all = await Promise.all(times(STUDENTS, () => learner()))
  for (const round of times(ROUNDS, (index) => index)) {
    const free = slot(dateAfter(DAY, round), 600)
    const answers = await Promise.all([
      ...all.map((one) => bookAt(one, free.start_at)),
      school.book({ instructor_id: instructor.id, ...free }),
    ])
    const won = answers.filter(({ status }) => [201, 303].includes(status))
    expect(answers.every(({ status }) => [201, 303, 409].includes(status))).toBe(true)
    expect(won).toHaveLength(1)
    expect((await lessons()).filter(({ start_at }) => start_at === free.start_at)).toHaveLength(1)
  }
})

it('a student who books many times at once gets no more lessons than the school allows', async () => {
  const browser = await learner()
  const wanted = times(20, (index) => slot(dateAfter(DAY, index % 7), 420 + 120 * Math.floor(index / 7)))
  const answers = await Promise.all(wanted.map(({ start_at }) => bookAt(browser, start_at)))
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(3)
  expect(await lessons()).toHaveLength(3)
})

it('a student books one lesson by the same form sent 20 times at once', async () => {
  const browser = await learner()
  const { start_at } = slot(DAY, 600)
  const answers = await Promise.all(times(20, () => bookAt(browser, start_at)))
  expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.get('location')}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(303)
  expect(await lessons()).toHaveLength(1)
})

it('a student books an open special drive only as often as the class requires it', async () => {
  const templates: readonly { id: string; code: string }[] = must(
    200,
    await school.client.get('/license-class-templates'),
  )
  const license_class_template_id = templates.find(({ code }) => code === 'B')?.id
  must(200, await school.client.patch('/tenant', { student_booking: { lessons_ahead: 20 } }))
  const browser = await learner({ license_class_template_id })
  const wanted = times(12, (index) => slot(dateAfter(DAY, index), 600))
  const answers = await Promise.all(wanted.map(({ start_at }) => bookAt(browser, start_at, 'MOTORWAY')))
  // Class B requires four units on motorways (FahrschAusbO, annex 4), and the type has two.
  expect(answers.filter(({ status }) => status === 303)).toHaveLength(2)
  expect(await lessons()).toHaveLength(2)
})
