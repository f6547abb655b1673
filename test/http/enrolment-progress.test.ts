import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { anEnrolmentOffice, type EnrolmentOffice, TODAY } from '../support/enrolment-office.ts'
import type { Row, School } from '../support/factory.ts'
import { at } from '../support/times.ts'

const service = useService()
let office: EnrolmentOffice
let school: School

beforeEach(async () => {
  office = await anEnrolmentOffice(service())
  school = office.school
})

const done = { status: 'completed' }
const doneIn = async ({ id }: Row, code: string, of: 'enrolments' | 'students' = 'enrolments') => {
  const { requirements } = must(200, await school.client.get(`/${of}/${id}/progress`))
  const type = school.lessonTypes[code]
  return requirements.find(({ lesson_type_id }: Row) => lesson_type_id === type)?.done_units
}
const both = async (student: Row) => {
  const a1 = must(201, await office.enrol(student, 'A1'))
  const b = (await office.enrolments(student)).find(({ id }) => id !== a1.id) as Row
  return { a1, b }
}

describe('the progress of an enrolment', () => {
  it('counts drives for the enrolment that they were driven for, of two at once and one after another', async () => {
    const student = await office.lena()
    const { a1, b } = await both(student)
    await office.drive(student, '2030-04-20', { ...done, enrolment_id: b.id })
    await office.drive(student, '2030-04-21', { ...done, enrolment_id: a1.id })
    await office.drive(student, '2030-04-22', { ...done, enrolment_id: null })
    const rural = async () => [await doneIn(b, 'RURAL'), await doneIn(a1, 'RURAL')]
    expect(await rural()).toEqual([2, 2])
    expect(await doneIn(student, 'RURAL', 'students')).toBe(2)
    const { other } = must(200, await school.client.get(`/enrolments/${b.id}/progress`))
    expect(other).toMatchObject([{ lesson_type_id: school.lessonTypes.RURAL, done_units: 2 }])
    must(200, await office.change(b, { outcome: 'passed' }))
    const again = must(201, await office.enrol(student, 'B197'))
    expect([await doneIn(again, 'RURAL'), ...(await rural())]).toEqual([0, 2, 2])
  })

  it('counts basic theory for every training of that day, and later ones for two years unless one was passed', async () => {
    const student = await office.lena()
    const { a1, b } = await both(student)
    const theory = (day: string, code = 'THEORY_BASIC') =>
      office.drive(student, day, { ...done, enrolment_id: b.id, lesson_type_id: school.lessonTypes[code] })
    must(200, await office.change(b, { begins_on: '2028-01-01' }))
    await theory('2028-04-30')
    await theory('2028-05-01')
    await theory('2028-05-02', 'THEORY_SPECIFIC')
    await theory(TODAY)
    const units = async (code: string) => [await doneIn(b, code), await doneIn(a1, code)]
    expect(await units('THEORY_BASIC')).toEqual([6, 4])
    expect(await units('THEORY_SPECIFIC')).toEqual([2, 0])
    must(200, await office.change(b, { outcome: 'stopped' }))
    expect(await units('THEORY_BASIC')).toEqual([6, 4])
    must(200, await office.change(b, { outcome: 'passed' }))
    expect(await units('THEORY_BASIC')).toEqual([6, 2])
  })

  it('counts each seat of a group for its enrolment', async () => {
    const student = await office.lena()
    const { a1, b } = await both(student)
    const seat = (enrolment: Row, hour: string) =>
      office.drive(student, '2030-04-20', {
        student_id: undefined,
        ...done,
        attendees: [{ student_id: student.id, attended: true, enrolment_id: enrolment.id }],
        lesson_type_id: school.lessonTypes.THEORY_SPECIFIC,
        ...at(`${hour}:00`, `${hour}:45`, '2030-04-20'),
      })
    await seat(b, '17')
    await seat(b, '18')
    await seat(a1, '19')
    expect([await doneIn(b, 'THEORY_SPECIFIC'), await doneIn(a1, 'THEORY_SPECIFIC')]).toEqual([2, 1])
  })

  it('moves with the class, and comes back with it', async () => {
    const student = await office.lena()
    const [b] = (await office.enrolments(student)) as [Row]
    await office.drive(student, '2030-04-20', done)
    await office.drive(student, '2030-05-20')
    const choose = async (code: string) =>
      must(
        200,
        await school.client.patch(`/students/${student.id}`, {
          license_class_template_id: office.classes[code],
        }),
      )
    await choose('A1')
    const [a1] = (await office.enrolments(student)) as [Row]
    const planned = async ({ id }: Row) => {
      const { requirements } = must(200, await school.client.get(`/enrolments/${id}/progress`))
      return requirements.find(({ lesson_type_id }: Row) => lesson_type_id === school.lessonTypes.RURAL)
        .planned_units
    }
    expect([
      await doneIn(b, 'RURAL'),
      await planned(b),
      await doneIn(a1, 'RURAL'),
      await planned(a1),
    ]).toEqual([2, 0, 0, 2])
    await choose('B')
    expect(must(200, await school.client.get(`/enrolments/${b.id}`))).toMatchObject({
      outcome: null,
      is_current: true,
    })
    expect(must(200, await school.client.get(`/enrolments/${a1.id}`)).outcome).toBe('changed')
    expect([await doneIn(b, 'RURAL'), await planned(b)]).toEqual([2, 2])
  })

  it('decides what a check warns of', async () => {
    const student = await office.lena()
    const { a1, b } = await both(student)
    const { id: instructor_id } = await school.instructor({ license_classes: ['B'] })
    const lesson = {
      instructor_id,
      student_id: student.id,
      lesson_type_id: school.lessonTypes.RURAL,
      ...at('10:00', '11:30', '2030-05-02'),
    }
    const codes = async (fields: object) =>
      must(200, await school.client.post('/appointments/check', { ...lesson, ...fields })).warnings.map(
        ({ code }: Row) => code,
      )
    expect(await codes({})).toEqual(['class_not_taught'])
    expect(await codes({ enrolment_id: b.id })).toEqual([])
    for (const day of ['01', '02', '03', '04', '05'])
      await office.drive(student, `2030-04-${day}`, { ...done, enrolment_id: b.id })
    expect(await codes({ enrolment_id: b.id })).toEqual(['requirement_already_met'])
    expect(await codes({ enrolment_id: a1.id })).toEqual(['class_not_taught'])
    expect(await codes({ enrolment_id: null })).toEqual(['no_enrolment'])
    const slots = (enrolment_id: string) =>
      school.client.get(
        `/slots?student_id=${student.id}&lesson_type_id=${lesson.lesson_type_id}&enrolment_id=${enrolment_id}&limit=1`,
      )
    const [slot] = must(200, await slots(b.id))
    expect(slot.warnings.map(({ code }: Row) => code)).toContain('requirement_already_met')
    expect((await slots(String((await office.enrolments(await office.lena()))[0]?.id))).status).toBe(404)
  })
})
