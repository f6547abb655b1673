import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Slot } from '../../src/contract/slot.ts'
import { useService } from '../support/app.ts'
import { checked } from '../support/checked.ts'
import type { Answer } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'
import { at } from '../support/times.ts'

const service = useService()
const MONDAY = '2030-05-06'
const EARLIER = new Date('2030-05-01T06:00:00Z')

let school: School
let templates: readonly { readonly id: string; readonly code: string }[]

beforeAll(async () => {
  service().setClock(EARLIER)
  school = await aSchool(service())
  templates = (await school.client.get('/license-class-templates')).body
})

afterEach(() => service().setClock(EARLIER))

const on = (start: string, end: string, day = MONDAY) => at(start, end, day)
const type = (code: string) => school.lessonTypes[code]
const check = (fields: object) => checked(service(), school, fields)
const codesIn = (list: readonly { readonly code: string }[]) => list.map(({ code }) => code)

describe('alternatives', () => {
  const startsIn = ({ body }: Answer) => body.alternatives.map(({ start_at }: Slot) => start_at.slice(5))

  it('start at the nearest quarter hours, with the same length and without overrides', async () => {
    const { id } = await school.instructor({ max_daily_units: 3, max_daily_override: 9 })
    const lesson = await school.lesson({ instructor_id: id, ...on('10:00', '11:00') })
    const asked = await check({ instructor_id: id, ...on('10:10', '11:10') })
    expect(startsIn(asked)).toEqual(['05-06 11:00', '05-06 09:00', '05-06 11:45'])
    for (const { start_at, end_at, instructor_id, overrides_used } of asked.body.alternatives) {
      expect([Date.parse(end_at) - Date.parse(start_at), overrides_used]).toEqual([3_600_000, []])
      const booked = await school.lesson({ instructor_id, start_at, end_at })
      await school.client.delete(`/appointments/${booked.id}`)
    }
    // More than three units on that day. A late lesson on the day before counts only there.
    const longer = await check({ instructor_id: id, ...on('10:00', '11:20') })
    expect(startsIn(longer)).toEqual(['05-05 23:45', '05-05 23:30', '05-05 23:15'])
    const { id: busy } = await school.instructor()
    await school.lesson({ instructor_id: busy, ...on('09:00', '12:00') })
    const moved = await check({ appointment_id: lesson.id, instructor_id: busy })
    expect(startsIn(moved)).toEqual(['05-06 08:00', '05-06 12:00', '05-06 07:15'])
  })

  it.each([
    ['leave no useless gap if such a time is at most half an hour farther', '18:00', '12:45'],
    ['leave a useless gap if all that leave none are farther', '13:30', '12:15'],
  ])('%s', async (_, end, third) => {
    const { id } = await school.instructor({
      availability_windows: [{ weekday: 1, start: '08:00', end }],
      required_break_minutes: 0,
    })
    await school.lesson({ instructor_id: id, ...on('09:00', '12:00') })
    const asked = await check({ instructor_id: id, ...on('09:30', '10:30') })
    expect(startsIn(asked)).toEqual(['05-06 08:00', '05-06 12:00', `05-06 ${third}`])
  })

  it('are at most two weeks away', async () => {
    const { id } = await school.instructor({
      vacations: [{ start_date: '2030-04-22', end_date: '2030-05-19' }],
      license_classes: ['B'],
    })
    const near = await check({ instructor_id: id, ...on('10:00', '11:00') })
    expect(startsIn(near)).toEqual(['05-20 00:00', '05-20 00:45', '05-20 00:15'])
    expect(near.body.alternatives[0].instructor_id).toBe(id)
  })

  it('are not in the past if the requested time is in the future', async () => {
    service().setClock(new Date('2030-05-06T07:00:00Z'))
    const { client, ...later } = await aSchool(service())
    const body = {
      instructor_id: (await client.post('/instructors', { first_name: 'x', last_name: 'x' })).body.id,
      lesson_type_id: later.lessonTypes.PRACTICE,
    }
    await client.post('/appointments', { ...body, ...on('09:15', '10:00') })
    const today = await client.post('/appointments/check', { ...body, ...on('09:30', '09:45') })
    expect(startsIn(today)).toEqual(['05-06 09:00', '05-06 10:00', '05-06 10:45'])
    const past = await client.post('/appointments/check', { ...body, ...on('08:55', '09:30') })
    expect(startsIn(past)).toEqual(['05-06 08:30', '05-06 10:00', '05-06 07:45'])
  })

  it('use other instructors of the class if the requested one has none', async () => {
    const empty = await aSchool(service())
    const template = (await empty.client.get('/license-class-templates')).body.find(
      ({ code }: { code: string }) => code === 'B',
    )
    const gone = await empty.instructor({ active: false, license_classes: ['B'] })
    await empty.instructor({ last_name: 'Adler', license_classes: ['A'] })
    const teacher = await empty.instructor({ last_name: 'Busch', license_classes: ['B'] })
    const student = await empty.student({ license_class_template_id: template.id })
    const body = {
      instructor_id: gone.id,
      student_id: student.id,
      lesson_type_id: empty.lessonTypes.PRACTICE,
      ...on('10:00', '11:00'),
    }
    const answer = await empty.client.post('/appointments/check', body)
    expect(codesIn(answer.body.refusals)).toEqual(['instructor_inactive'])
    expect(startsIn(answer)).toEqual(['05-06 10:00', '05-06 09:45', '05-06 10:15'])
    for (const { instructor_id } of answer.body.alternatives) expect(instructor_id).toBe(teacher.id)
  })
})

describe('warnings', () => {
  it('do not block a lesson in the past, of another class or of a type that is not required', async () => {
    const car = templates.find(({ code }) => code === 'B')
    const { id: instructor_id } = await school.instructor({ license_classes: ['A', 'A1'] })
    const student = await school.student({ license_class_template_id: car?.id })
    const lesson = { instructor_id, student_id: student.id }
    const { body } = await check({
      ...lesson,
      lesson_type_id: type('SIMULATOR'),
      ...on('08:00', '09:00', '2020-05-04'),
    })
    expect(body.allowed).toBe(true)
    expect(body.warnings).toEqual([
      { code: 'in_the_past', params: { now: expect.any(String) } },
      { code: 'outside_enrolment', params: expect.objectContaining({ ends_on: null }) },
      { code: 'class_not_taught', params: { license_class: 'B', license_classes: ['A', 'A1'] } },
      {
        code: 'not_required',
        params: { lesson_type_id: type('SIMULATOR'), license_class_template_id: car?.id },
      },
    ])
    expect((await check({ ...lesson, ...on('08:00', '09:00') })).body.warnings.length).toBe(1)
    const { body: nobody } = await check({ instructor_id, ...on('08:00', '09:00', '2020-05-04') })
    expect(codesIn(nobody.warnings)).toEqual(['in_the_past', 'no_student'])
  })

  it('report a requirement already met by other completed and planned lessons', async () => {
    const car = templates.find(({ code }) => code === 'B')
    const { id: instructor_id } = await school.instructor({ license_classes: ['B'] })
    const student = await school.student({ license_class_template_id: car?.id })
    const night = { instructor_id, student_id: student.id, lesson_type_id: type('NIGHT') }
    const book = (start: string, end: string, status: string) =>
      school.lesson({ ...night, ...on(start, end), status })
    await book('18:00', '19:40', 'completed')
    await book('20:00', '20:45', 'cancelled')
    await book('21:00', '21:44', 'planned')
    expect((await check({ ...night, ...on('22:00', '22:45') })).body.warnings).toEqual([])
    const last = await book('22:00', '22:45', 'planned')
    const met = (await check({ ...night, ...on('23:00', '23:45') })).body.warnings
    expect(met).toEqual([
      {
        code: 'requirement_already_met',
        params: { lesson_type_id: type('NIGHT'), required_units: 3, done_units: 2, planned_units: 1 },
      },
    ])
    expect((await check({ appointment_id: last.id, ...on('23:00', '23:45') })).body.warnings).toEqual([])
  })

  it('do not report a requirement as met until its block lesson is done or planned', async () => {
    const car = templates.find(({ code }) => code === 'B')
    const { id: instructor_id } = await school.instructor({ license_classes: ['B'] })
    const student = await school.student({ license_class_template_id: car?.id })
    const rural = { instructor_id, student_id: student.id, lesson_type_id: type('RURAL') }
    for (const hour of ['08', '09', '10', '11', '12'])
      await school.lesson({ ...rural, ...on(`${hour}:00`, `${hour}:45`), status: 'completed' })
    const warnings = async () => (await check({ ...rural, ...on('20:00', '20:45') })).body.warnings
    expect(await warnings()).toEqual([])
    await school.lesson({ ...rural, ...on('14:00', '15:30') })
    const params = { required_units: 5, done_units: 5, planned_units: 2 }
    expect(await warnings()).toMatchObject([{ code: 'requirement_already_met', params }])
  })
})
