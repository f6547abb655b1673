import fc from 'fast-check'
import { expect, it } from 'vitest'
import { minutesLater } from '../../src/domain/local-time.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { anEnrolmentOffice } from '../support/enrolment-office.ts'
import type { Row } from '../support/factory.ts'

const service = useService()
const DRIVES = 12
/** The lessons to draw from: more than twelve completed drives need. */
const DRAWN = 600
/** Clocks change on 31 March. */
const DAYS = ['2030-03-30', '2030-03-31', '2030-04-01', '2030-04-02'] as const

const lessons = fc.record({
  student: fc.nat(1),
  instructor: fc.nat(1),
  type: fc.constantFrom('RURAL', 'MOTORWAY', 'PRACTICE', 'THEORY_BASIC', 'INTERNAL'),
  day: fc.constantFrom(...DAYS),
  quarter: fc.nat(87),
  minutes: fc.constantFrom(45, 90, 135),
  status: fc.constantFrom('completed', 'completed', 'completed', 'planned', 'cancelled', 'no_show'),
  actual: fc.option(
    fc.record({ from: fc.integer({ min: -5, max: 20 }), to: fc.integer({ min: -10, max: 40 }) }),
  ),
})

/** A drive as a record and the minutes have it. */
type Drive = { readonly id: string; readonly date: string; readonly minutes: number; readonly by: string }

it('the drives in the records are those in the minutes of the same days', async () => {
  const office = await anEnrolmentOffice(service())
  const { client, lessonTypes } = office.school
  const instructors = [await office.school.instructor(), await office.school.instructor()]
  const students = [await office.lena(), await office.lena('A1')]
  const begun = { begins_on: '2030-03-01' }
  for (const one of students) must(200, await office.change((await office.enrolments(one))[0] as Row, begun))

  let drives = 0
  for (const { day, quarter, actual, ...one } of fc.sample(lessons, DRAWN)) {
    if (drives === DRIVES) break
    const start_at = minutesLater(`${day} 00:00`, 15 * quarter)
    const end_at = minutesLater(start_at, one.minutes)
    const booked = await office.school.book({
      ...{ instructor_id: instructors[one.instructor]?.id, lesson_type_id: lessonTypes[one.type] },
      ...{ student_id: one.type === 'INTERNAL' ? null : students[one.student]?.id, start_at, end_at },
      status: one.status,
    })
    if (booked.status !== 201) continue
    if (one.status === 'completed' && !['THEORY_BASIC', 'INTERNAL'].includes(one.type)) drives += 1
    if (!actual) continue
    const times = {
      actual_start_at: minutesLater(start_at, actual.from),
      actual_end_at: minutesLater(end_at, actual.to),
    }
    await client.patch(`/appointments/${booked.body.id}`, times)
  }

  const inRecords: Drive[] = []
  for (const student of students)
    for (const { id } of await office.enrolments(student)) {
      const { practice, instructors: numbered } = must(200, await client.get(`/enrolments/${id}/record`))
      const idOf = (no: number) => numbered.find((one: Row) => one.no === no)?.instructor_id
      for (const { appointment_id, date, minutes, instructor_no } of practice)
        inRecords.push({ id: appointment_id, date, minutes, by: idOf(instructor_no) })
    }
  const inMinutes: Drive[] = []
  for (const month of ['2030-03', '2030-04'])
    for (const { instructor_id, days } of must(200, await client.get(`/minutes?month=${month}`)))
      for (const { date, rows, worked_minutes } of days) {
        const all: readonly Row[] = must(200, await client.get(rows.replace('/api/v1', '')))
        const drives = all.filter((row) => row.is_worked && row.is_practical)
        for (const { appointment_id, minutes } of drives)
          inMinutes.push({ id: `${appointment_id}`, date, minutes: Number(minutes), by: instructor_id })
        const worked = all.filter((row) => row.is_worked).reduce((sum, row) => sum + Number(row.minutes), 0)
        expect(worked_minutes).toBe(worked)
      }
  const byId = (a: Drive, b: Drive) => (a.id < b.id ? -1 : 1)
  expect(inRecords).toHaveLength(DRIVES)
  expect(inRecords.sort(byId)).toEqual(inMinutes.sort(byId))
})
