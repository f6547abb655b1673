import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool, type School } from '../support/factory.ts'
import { at } from '../support/times.ts'

const service = useService()
const PAST = '2030-04-29'
const COMING = '2030-05-06'

let school: School
let classes: Readonly<Record<string, string>>
let instructor_id: string
let lena: string

beforeEach(async () => {
  service().setClock(new Date('2030-05-01T06:00:00Z'))
  school = await aSchool(service())
  const templates = (await school.client.get('/license-class-templates')).body
  classes = Object.fromEntries(templates.map(({ code, id }: { code: string; id: string }) => [code, id]))
  instructor_id = (await school.instructor({ license_classes: ['B'] })).id
  lena = (await school.student({ license_class_template_id: classes.B })).id
})

const drive = (day: string, start: string, fields: object = {}) =>
  school.lesson({
    instructor_id,
    student_id: lena,
    lesson_type_id: school.lessonTypes.MOTORWAY,
    ...at(`${start}:00`, `${Number(start) + 1}:30`, day),
    ...fields,
  })
const learns = (code: string | null) =>
  school.client.patch(`/students/${lena}`, {
    license_class_template_id: code === null ? null : classes[code],
  })
const lesson = async (id: string) => (await school.client.get(`/appointments/${id}`)).body
const motorway = async () => {
  const { requirements, other } = (await school.client.get(`/students/${lena}/progress`)).body
  const isMotorway = (one: { lesson_type_id: string }) => one.lesson_type_id === school.lessonTypes.MOTORWAY
  const required = requirements.find(isMotorway)
  return {
    done: required?.done_units,
    planned: required?.planned_units,
    other: other.find(isMotorway)?.done_units,
  }
}

describe('a lesson', () => {
  it('keeps the licence class it was driven for, and counts toward that class only', async () => {
    const { id } = await drive(PAST, '10', { status: 'completed' })
    await drive(PAST, '13', { status: 'completed' })
    expect(await lesson(id)).toMatchObject({ license_class: 'B' })
    expect(await motorway()).toMatchObject({ done: 2 + 2 })
    await learns('A')
    expect(await lesson(id)).toMatchObject({ license_class: 'B', version: 1 })
    expect(await motorway()).toMatchObject({ done: 0, other: 4 })
    const [listed] = (await school.client.get('/students?with=progress')).body
    expect(listed.progress).toMatchObject({ done_units: 0 })
    await learns('B')
    expect(await motorway()).toEqual({ done: 4, planned: 0, other: undefined })
  })

  it("in the future gets its student's new class, which is logged", async () => {
    const { id } = await drive(COMING, '10')
    await learns('A')
    expect(await lesson(id)).toMatchObject({ license_class: 'A', version: 2 })
    expect(await motorway()).toMatchObject({ done: 0, planned: 2 })
    const [change] = (await school.client.get(`/appointments/${id}/history`)).body
    expect(change).toMatchObject({
      action: 'changed',
      before: { license_class: 'B', version: 1 },
      after: { license_class: 'A', version: 2 },
    })
    await learns(null)
    expect(await lesson(id)).toMatchObject({ license_class: null })
  })

  it("in the future gets the warning class_not_taught for its student's new class", async () => {
    const { id } = await drive(COMING, '10')
    const check = async () =>
      (await school.client.post('/appointments/check', { appointment_id: id })).body.warnings
    expect(await check()).toEqual([])
    await learns('A')
    expect(await check()).toEqual([
      { code: 'class_not_taught', params: { license_class: 'A', license_classes: ['B'] } },
    ])
  })

  it("that is given to another student gets that student's class, even in the past", async () => {
    const emre = (await school.student({ license_class_template_id: classes.A })).id
    const { id } = await drive(PAST, '10', { status: 'completed' })
    await school.client.patch(`/appointments/${id}`, { student_id: emre })
    expect(await lesson(id)).toMatchObject({ license_class: 'A' })
    await school.client.patch(`/appointments/${id}`, { student_id: null })
    expect(await lesson(id)).toMatchObject({ license_class: null })
  })

  it('in the past keeps its class when its time is corrected', async () => {
    const { id } = await drive(PAST, '10', { status: 'completed' })
    await learns('A')
    await school.client.patch(`/appointments/${id}`, at('10:15', '11:45', PAST))
    expect(await lesson(id)).toMatchObject({ license_class: 'B' })
  })

  it("that is restored or planned again gets its student's new class, too", async () => {
    const deleted = await drive(COMING, '10')
    const cancelled = await drive(COMING, '13', { status: 'cancelled' })
    await school.client.delete(`/appointments/${deleted.id}`)
    await learns('A')
    await school.client.post(`/appointments/${deleted.id}/restore`)
    await school.client.patch(`/appointments/${cancelled.id}`, { status: 'planned' })
    expect(await lesson(deleted.id)).toMatchObject({ license_class: 'A' })
    expect(await lesson(cancelled.id)).toMatchObject({ license_class: 'A' })
  })

  it('counts toward every class if it is theory', async () => {
    const theory = { lesson_type_id: school.lessonTypes.THEORY_BASIC, status: 'completed' }
    const { id } = await drive(PAST, '10', theory)
    await learns('A')
    expect(await lesson(id)).toMatchObject({ license_class: null })
    const { requirements } = (await school.client.get(`/students/${lena}/progress`)).body
    const basic = requirements.find(
      (one: { lesson_type_id: string }) => one.lesson_type_id === school.lessonTypes.THEORY_BASIC,
    )
    expect(basic).toMatchObject({ done_units: 2 })
  })

  it('rejects license_class in a PATCH with 400', async () => {
    const { id } = await drive(COMING, '10')
    const answer = await school.client.patch(`/appointments/${id}`, { license_class: 'A' })
    expect(answer.status).toBe(400)
  })
})

describe('a requirement', () => {
  it('is met by every lesson type that counts toward it', async () => {
    await learns('BE')
    const types = { VEHICLE_INSTRUCTION: '10', COUPLING: '13' }
    for (const [code, start] of Object.entries(types))
      await drive(PAST, start, { lesson_type_id: school.lessonTypes[code], status: 'completed' })
    const { requirements, other } = (await school.client.get(`/students/${lena}/progress`)).body
    const named = (code: string) => (one: { lesson_type_id: string }) =>
      one.lesson_type_id === school.lessonTypes[code]
    expect(requirements.find(named('VEHICLE_INSTRUCTION'))).toMatchObject({ done_units: 4 })
    expect(other).toEqual([])
    const check = await school.client.post('/appointments/check', {
      instructor_id: (await school.instructor({ license_classes: ['BE'] })).id,
      student_id: lena,
      lesson_type_id: school.lessonTypes.COUPLING,
      ...at('10:00', '10:45', COMING),
    })
    const params = { lesson_type_id: school.lessonTypes.VEHICLE_INSTRUCTION, done_units: 4 }
    expect(check.body.warnings).toMatchObject([{ code: 'requirement_already_met', params }])
  })
})
