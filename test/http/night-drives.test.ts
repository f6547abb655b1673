import { beforeAll, describe, expect, it } from 'vitest'
import type { Slot } from '../../src/contract/slot.ts'
import { localDateTimeFor, minuteOf } from '../../src/domain/local-time.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { MONDAY, slotsPath } from '../support/slot-query.ts'
import { at } from '../support/times.ts'

const service = useService()
/** Sunset in Berlin on that Monday: 20:41; sunrise on the next day: 05:24. */
const NIGHT = { dark_from: '2030-05-06 20:41', dark_until: '2030-05-07 05:24' }

let school: School
let instructor_id: string
let student_id: string

beforeAll(async () => {
  service().setClock(new Date('2030-05-01T06:00:00Z'))
  school = await aSchool(service())
  instructor_id = (await school.instructor({ license_classes: ['B'] })).id
  student_id = (await aLearner(school)).id
})

/** Enrols a student for B, of which a drive by night is a part. */
async function aLearner(one: School): Promise<Row> {
  const templates: readonly Row[] = must(200, await one.client.get('/license-class-templates'))
  return one.student({ license_class_template_id: templates.find(({ code }) => code === 'B')?.id })
}

const type = (code: string) => school.lessonTypes[code]
const check = async (fields: object) => {
  const body = { instructor_id, student_id, lesson_type_id: type('NIGHT'), ...fields }
  return (await school.client.post('/appointments/check', body)).body
}
const slots = async (query: object) =>
  (await school.client.get(slotsPath({ instructor_id, lesson_type_id: type('NIGHT'), ...query })))
    .body as Slot[]

describe('a night drive', () => {
  it('by day gets the warning not_dark with the hours of darkness, and is booked anyway', async () => {
    const asked = at('10:00', '10:45', MONDAY)
    expect(await check(asked)).toMatchObject({
      allowed: true,
      warnings: [{ code: 'not_dark', params: { lesson_type_id: type('NIGHT'), ...NIGHT } }],
    })
    const { id } = await school.lesson({ instructor_id, student_id, lesson_type_id: type('NIGHT'), ...asked })
    expect((await check({ appointment_id: id })).warnings).toMatchObject([{ code: 'not_dark' }])
    await school.client.delete(`/appointments/${id}`)
  })

  it.each([
    ['20:40', '21:25', ['not_dark']],
    ['20:41', '21:26', []],
  ])('from %s to %s has the warnings %j', async (start, end, codes) => {
    const { warnings } = await check(at(start, end, MONDAY))
    expect(warnings.map(({ code }: { code: string }) => code)).toEqual(codes)
  })

  it('is offered at exactly the start times in the dark that the rules allow', async () => {
    const { id } = await school.lesson({ instructor_id, ...at('22:00', '23:00', MONDAY) })
    const found = await slots({ minutes: undefined, to: '2030-05-07', step: '45', limit: '200' })
    const expected: string[] = []
    const end = minuteOf('2030-05-08 00:00')
    for (let start = minuteOf(`${MONDAY} 00:00`); start + 45 <= end; start += 45) {
      const times = { start_at: localDateTimeFor(start), end_at: localDateTimeFor(start + 45) }
      const { allowed, warnings } = await check(times)
      if (allowed && warnings.length === 0) expected.push(times.start_at)
    }
    expect(found.map(({ start_at }) => start_at)).toEqual(expected)
    expect(expected).toContain('2030-05-06 21:00')
    expect(expected).not.toContain('2030-05-06 09:00')
    await school.client.delete(`/appointments/${id}`)
  })

  it('that is refused gets alternatives in the dark', async () => {
    const { id } = await school.lesson({ instructor_id, ...at('21:00', '22:00', MONDAY) })
    const { allowed, alternatives } = await check(at('21:30', '22:15', MONDAY))
    expect(allowed).toBe(false)
    expect(alternatives.map(({ start_at }: Slot) => start_at)).toEqual([
      '2030-05-06 22:00',
      '2030-05-06 22:15',
      '2030-05-06 22:30',
    ])
    await school.client.delete(`/appointments/${id}`)
  })
})

describe('the coordinates of a school', () => {
  it('default to the city of its time zone, and can be changed', async () => {
    const { client } = await aSchool(service())
    expect((await client.get('/tenant')).body).toMatchObject({ latitude: 52.5, longitude: 13.37 })
    const moved = await client.patch('/tenant', { latitude: 50.78, longitude: 6.08 })
    expect(moved.body).toMatchObject({ latitude: 50.78, longitude: 6.08 })
    expect((await client.get('/bootstrap')).body.tenant).toMatchObject({ latitude: 50.78, longitude: 6.08 })
    expect((await client.patch('/tenant', { latitude: null, longitude: null })).status).toBe(200)
  })

  it.each([
    [{ latitude: 50 }],
    [{ longitude: 6 }],
    [{ latitude: null, longitude: 6 }],
    [{ latitude: 91, longitude: 6 }],
    [{ latitude: 50, longitude: -181 }],
    [{ latitude: '50', longitude: 6 }],
  ])('cannot be %j', async (place) => {
    expect((await school.client.patch('/tenant', place)).status).toBe(400)
  })

  it('cause no darkness warnings and restrict no search if they are unknown', async () => {
    const utc = await aSchool(service(), { timezone: 'UTC' })
    const { id } = await utc.instructor({ license_classes: ['B'] })
    const body = {
      instructor_id: id,
      lesson_type_id: utc.lessonTypes.NIGHT,
      student_id: (await aLearner(utc)).id,
    }
    const times = at('10:00', '10:45', MONDAY)
    expect((await utc.client.post('/appointments/check', { ...body, ...times })).body.warnings).toEqual([])
    const found = await utc.client.get(slotsPath({ lesson_type_id: body.lesson_type_id, time_from: '10:00' }))
    expect(found.body[0]).toMatchObject({ start_at: times.start_at })
  })
})

describe('a check', () => {
  const codes = async (fields: object) =>
    (
      await check({ lesson_type_id: type('PRACTICE'), ...at('10:00', '10:45', MONDAY), ...fields })
    ).warnings.map(({ code }: { code: string }) => code)

  it('returns the warning no_student for a drive, but not for a theory class', async () => {
    expect(await codes({ student_id: null })).toEqual(['no_student'])
    expect(await codes({})).toEqual([])
    expect(await codes({ student_id: null, lesson_type_id: type('THEORY_BASIC') })).toEqual([])
    const { id } = await school.lesson({ instructor_id, student_id, ...at('10:00', '10:45', MONDAY) })
    expect(
      (await check({ lesson_type_id: type('PRACTICE'), appointment_id: id, student_id: null })).warnings,
    ).toEqual([{ code: 'no_student', params: { lesson_type_id: type('PRACTICE') } }])
    await school.client.delete(`/appointments/${id}`)
  })

  it('returns the warning far_ahead for a start more than nine months ahead', async () => {
    expect(await codes(at('08:00', '08:45', '2031-02-01'))).toEqual([])
    expect(await codes(at('08:01', '08:46', '2031-02-01'))).toEqual(['far_ahead'])
  })
})
