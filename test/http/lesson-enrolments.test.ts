import { randomUUID } from 'node:crypto'
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

const read = async ({ id }: Row) => must(200, await school.client.get(`/appointments/${id}`))
const change = ({ id }: Row, fields: object) => school.client.patch(`/appointments/${id}`, fields)
const only = async (student: Row) => ((await office.enrolments(student)) as [Row])[0]
const end = async (enrolment: Row, outcome: string | null) =>
  must(200, await office.change(enrolment, { outcome }))

describe('a lesson', () => {
  it('counts toward the only enrolment, and toward none without one', async () => {
    const student = await office.lena()
    expect(await office.drive(student, '2030-05-02')).toMatchObject({
      enrolment_id: (await only(student)).id,
      license_class: 'B',
    })
    const nobody = await office.lena(null)
    expect(await office.drive(nobody, '2030-05-02')).toMatchObject({
      enrolment_id: null,
      license_class: null,
    })
  })

  it('counts toward the enrolment that is open on its day, else the current one', async () => {
    const student = await office.lena()
    const b = await only(student)
    const a1 = must(201, await office.enrol(student, 'A1', { begins_on: '2030-06-01' }))
    const enrolmentOn = async (day: string) => (await office.drive(student, day)).enrolment_id
    expect(await enrolmentOn('2030-05-31')).toBe(b.id)
    expect(await enrolmentOn('2030-06-01')).toBe(a1.id)
    expect(await enrolmentOn('2030-04-30')).toBe(a1.id)
    await end(b, 'changed')
    expect(await enrolmentOn(TODAY)).toBe(b.id)
    expect(await enrolmentOn('2030-05-02')).toBe(a1.id)
    await end(a1, null)
  })

  it('can be given another enrolment of the student, or none, without a rule', async () => {
    const student = await office.lena()
    const b = await only(student)
    const a1 = must(201, await office.enrol(student, 'A1', { is_current: false }))
    const lesson = await office.drive(student, '2030-05-02', { enrolment_id: a1.id })
    expect(lesson).toMatchObject({ enrolment_id: a1.id, license_class: 'A1' })
    const blocking = { instructor_id: lesson.instructor_id, ...at('10:00', '11:30', '2030-05-02') }
    must(200, await change(lesson, { status: 'cancelled' }))
    await office.drive(student, '2030-05-02', blocking)
    expect(must(200, await change(lesson, { enrolment_id: b.id }))).toMatchObject({
      enrolment_id: b.id,
      license_class: 'B',
    })
    expect(must(200, await change(lesson, { enrolment_id: null }))).toMatchObject({
      enrolment_id: null,
      license_class: null,
    })
    expect(must(200, await change(lesson, { notes: 'x' })).enrolment_id).toBeNull()
  })

  it('is 404 with an enrolment of another student, a deleted one, or without a student', async () => {
    const [student, other] = [await office.lena(), await office.lena()]
    const foreign = (await only(other)).id
    const book = (fields: object) => office.drive(student, '2030-05-02', fields)
    const lesson = await book({})
    for (const enrolment_id of [foreign, randomUUID()]) {
      await expect(book({ enrolment_id })).rejects.toThrow('404')
      expect((await change(lesson, { enrolment_id })).status).toBe(404)
      const check = { appointment_id: lesson.id, enrolment_id }
      expect((await school.client.post('/appointments/check', check)).status).toBe(404)
    }
    const own = (await only(student)).id
    expect((await change(lesson, { student_id: null, enrolment_id: own })).status).toBe(404)
    expect((await change(lesson, { student_id: other.id, enrolment_id: own })).status).toBe(404)
  })

  it("counts toward the other student's enrolment once it is given to them", async () => {
    const [student, other] = [await office.lena(), await office.lena('A1')]
    const lesson = await office.drive(student, '2030-05-02')
    const given = must(200, await change(lesson, { student_id: other.id }))
    expect(given).toMatchObject({ enrolment_id: (await only(other)).id, license_class: 'A1' })
    expect(must(200, await change(lesson, { student_id: null }))).toMatchObject({
      enrolment_id: null,
      license_class: null,
    })
  })

  it('keeps its enrolment on another day, unless it has ended', async () => {
    const student = await office.lena()
    const b = await only(student)
    const a1 = must(201, await office.enrol(student, 'A1', { begins_on: '2030-06-01' }))
    const lesson = await office.drive(student, '2030-05-20')
    const moved = async (day: string) =>
      must(200, await change(lesson, at('10:00', '11:30', day))).enrolment_id
    expect(await moved('2030-06-03')).toBe(b.id)
    await end(b, 'stopped')
    expect((await read(lesson)).enrolment_id).toBe(b.id)
    expect(await moved('2030-06-04')).toBe(a1.id)
  })

  it('has its enrolment in history and in the file of its series', async () => {
    const student = await office.lena()
    const a1 = must(201, await office.enrol(student, 'A1', { is_current: false }))
    const { id: instructor_id } = await school.instructor()
    const appointment = {
      instructor_id,
      student_id: student.id,
      enrolment_id: a1.id,
      lesson_type_id: school.lessonTypes.RURAL,
      ...at('10:00', '11:30', '2030-05-02'),
    }
    const series = must(
      200,
      await school.client.post('/appointments/series', { appointment, repeat: { every_weeks: 1, count: 2 } }),
    )
    expect(series.booked.map(({ enrolment_id }: Row) => enrolment_id)).toEqual([a1.id, a1.id])
    const [lesson] = series.booked as [Row]
    must(200, await change(lesson, { enrolment_id: null }))
    const [changed] = must(200, await school.client.get(`/appointments/${lesson.id}/history`))
    expect(changed).toMatchObject({ before: { enrolment_id: a1.id }, after: { enrolment_id: null } })
    const undone = await school.client.post(`/changes/sets/${changed.set_id}/undo`)
    expect(must(200, undone).refused).toEqual([])
    expect((await read(lesson)).enrolment_id).toBe(a1.id)
  })
})

describe('an attendee', () => {
  const group = async (attendees: readonly object[], fields: object = {}) => {
    const { id: instructor_id } = await school.instructor()
    return school.lesson({
      instructor_id,
      attendees,
      lesson_type_id: school.lessonTypes.THEORY_BASIC,
      ...at('18:00', '19:30', '2030-05-02'),
      ...fields,
    })
  }

  it('has an enrolment of their own, by default the one of that day', async () => {
    const [student, other, nobody] = [await office.lena(), await office.lena('A1'), await office.lena(null)]
    const a1 = must(201, await office.enrol(student, 'A1', { is_current: false }))
    const b = (await office.enrolments(student)).find(({ id }) => id !== a1.id) as Row
    const lesson = await group([{ student_id: student.id, enrolment_id: a1.id }, { student_id: other.id }])
    const expected = [
      { attended: null, student_id: student.id, enrolment_id: a1.id },
      { attended: null, student_id: other.id, enrolment_id: (await only(other)).id },
    ]
    expect([lesson.attendees, lesson.enrolment_id, lesson.license_class]).toEqual([expected, null, null])
    const joined = await school.client.post(`/appointments/${lesson.id}/attendees/${nobody.id}`)
    expect(joined.body.attendees).toEqual([
      ...expected,
      { attended: null, student_id: nobody.id, enrolment_id: null },
    ])
    const marked = [
      { student_id: student.id, attended: true },
      { student_id: other.id, enrolment_id: null },
    ]
    expect(must(200, await change(lesson, { attendees: marked })).attendees).toEqual([
      { attended: true, student_id: student.id, enrolment_id: a1.id },
      { attended: null, student_id: other.id, enrolment_id: null },
    ])
    const again = [{ student_id: student.id, enrolment_id: b.id }]
    expect(must(200, await change(lesson, { attendees: again })).attendees).toEqual([
      { attended: true, student_id: student.id, enrolment_id: b.id },
    ])
    const foreign = [{ student_id: student.id, enrolment_id: (await only(other)).id }]
    expect((await change(lesson, { attendees: foreign })).status).toBe(404)
  })
})

describe('a check', () => {
  const warnings = async (student: Row, day: string, fields: object = {}) => {
    const { id: instructor_id } = await school.instructor({ license_classes: ['B', 'A1'] })
    const lesson_type_id = school.lessonTypes.PRACTICE
    const lesson = { instructor_id, student_id: student.id, lesson_type_id, ...at('10:00', '11:30', day) }
    const check = await school.client.post('/appointments/check', { ...lesson, ...fields })
    return must(200, check).warnings.filter(({ code }: Row) => String(code).endsWith('_enrolment'))
  }

  it('warns of a lesson outside of its enrolment, and of one without', async () => {
    const student = await office.lena()
    const b = await only(student)
    expect(await warnings(student, '2030-05-02')).toEqual([])
    const params = { enrolment_id: b.id, begins_on: TODAY, ends_on: null }
    expect(await warnings(student, '2030-04-30')).toEqual([{ code: 'outside_enrolment', params }])
    const none = [{ code: 'no_enrolment', params: {} }]
    expect(await warnings(student, '2030-05-02', { enrolment_id: null })).toEqual(none)
    expect(await warnings(await office.lena(null), '2030-05-02')).toEqual(none)
    expect(await warnings(student, '2030-05-02', { student_id: null })).toEqual([])
    const coming = await office.drive(student, '2030-05-02')
    await end(b, 'passed')
    expect(await warnings(student, TODAY)).toEqual([])
    expect(await warnings(student, '2030-05-02')).toEqual(none)
    const stored = await school.client.post('/appointments/check', { appointment_id: coming.id })
    expect(must(200, stored).warnings).toEqual(expect.arrayContaining(none))
    const named = await school.client.post('/appointments/check', {
      appointment_id: coming.id,
      enrolment_id: b.id,
    })
    expect(must(200, named).warnings).toContainEqual({
      code: 'outside_enrolment',
      params: { enrolment_id: b.id, begins_on: TODAY, ends_on: TODAY },
    })
  })
})
