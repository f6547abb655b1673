import { beforeAll, describe, expect, it } from 'vitest'
import type { Slot } from '../../src/contract/slot.ts'
import { useService } from '../support/app.ts'
import { aSchool, type School } from '../support/factory.ts'
import { MONDAY, slotsPath } from '../support/slot-query.ts'
import { at } from '../support/times.ts'

const service = useService()
const TUESDAY = '2030-05-07'
const HOURS = [1, 2].map((weekday) => ({ weekday, start: '08:00', end: '12:00' }))
const SICK = { vacations: [{ start_date: MONDAY, end_date: MONDAY, note: 'ill' }] }

let school: School
let anna: string
let bert: string

beforeAll(async () => {
  service().setClock(new Date('2030-05-01T06:00:00Z'))
  school = await aSchool(service())
  anna = (await school.instructor({ last_name: 'Adler', availability_windows: HOURS })).id
  bert = (await school.instructor({ last_name: 'Busch', availability_windows: HOURS })).id
})

const assuming = (change: object, instructor_id = anna) => ({ assumed: [{ instructor_id, change }] })
const search = (body: object, query: object = {}) =>
  school.client.post(slotsPath({ to: TUESDAY, ...query }).replace('/slots', '/slots/search'), body)
const found = async (body: object, query?: object) => {
  const answer = await search(body, query)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.map(
    ({ instructor_id, start_at }: Slot) => `${instructor_id === anna ? 'A' : 'B'} ${start_at.slice(8)}`,
  )
}
const check = (fields: object) =>
  school.client.post('/appointments/check', {
    instructor_id: anna,
    lesson_type_id: school.lessonTypes.CONSULTATION,
    ...at('09:00', '10:00', MONDAY),
    ...fields,
  })

describe('a search that assumes a change', () => {
  it('returns no slots of an instructor on an assumed vacation day', async () => {
    const sick = await found(assuming(SICK), { time_from: '08:00', time_to: '09:00' })
    expect(sick).toEqual(['B 06 08:00', 'A 07 08:00', 'B 07 08:00'])
    const well = await found({ assumed: [] }, { time_from: '08:00', time_to: '09:00' })
    expect(well).toEqual(['A 06 08:00', 'B 06 08:00', 'A 07 08:00', 'B 07 08:00'])
  })

  it('returns only slots that fit both the current and the assumed rules', async () => {
    const later = { availability_windows: [{ weekday: 1, start: '11:00', end: '15:00' }] }
    expect(await found(assuming(later), { instructor_id: anna })).toEqual(['A 06 11:00'])
    expect(await found(assuming({ active: false }), { instructor_id: anna })).toEqual([])
    expect(await found(assuming({ max_daily_units: 1 }), { instructor_id: anna, minutes: '46' })).toEqual([])
  })

  it('returns pages that add up to the whole result', async () => {
    const first = await search(assuming(SICK), { limit: '2' })
    const next = /<\/api\/v1([^>]*)>/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    const second = await school.client.post(next, assuming(SICK))
    const all = [...first.body, ...second.body].map(({ start_at }: Slot) => start_at)
    const whole = (await search(assuming(SICK), { limit: '4' })).body.map(({ start_at }: Slot) => start_at)
    expect(all).toEqual(whole)
  })

  it('includes an instructor for licence classes that the change adds', async () => {
    const templates = (await school.client.get('/license-class-templates')).body
    const b = templates.find(({ code }: { code: string }) => code === 'B').id
    const student_id = (await school.student({ license_class_template_id: b })).id
    expect(await found({ assumed: [] }, { student_id })).toEqual([])
    const taught = await found(assuming({ license_classes: ['B'] }), { student_id, to: MONDAY })
    expect(taught).toEqual(['A 06 08:00', 'A 06 09:00', 'A 06 10:00', 'A 06 11:00'])
  })
})

describe('a check that assumes a change', () => {
  it('rejects a lesson that the change rules out, and offers alternatives', async () => {
    const { body } = await check(assuming(SICK))
    expect(body.allowed).toBe(false)
    expect(body.refusals).toEqual([
      { code: 'instructor_on_vacation', params: { start_date: MONDAY, end_date: MONDAY, note: 'ill' } },
    ])
    expect(body.alternatives.map(({ start_at }: Slot) => start_at.slice(8))).toEqual([
      '07 08:00',
      '07 08:45',
      '07 08:15',
    ])
    expect((await check({})).body.allowed).toBe(true)
    expect((await check(assuming(SICK, bert))).body.allowed).toBe(true)
  })

  it('applies the change to a stored lesson too, and writes nothing', async () => {
    const { id } = await school.lesson({ instructor_id: bert, ...at('09:00', '10:00', MONDAY) })
    const moved = { appointment_id: id, instructor_id: anna }
    const answer = await school.client.post('/appointments/check', { ...moved, ...assuming(SICK) })
    expect(answer.body.refusals).toMatchObject([{ code: 'instructor_on_vacation' }])
    expect((await school.client.get(`/appointments/${id}`)).body.version).toBe(1)
    expect((await school.client.get(`/instructors/${anna}`)).body).toMatchObject({
      vacations: [],
      version: 1,
    })
    await school.client.delete(`/appointments/${id}`)
  })
})

describe('an assumption', () => {
  it("is rejected with 404 for another school's instructor", async () => {
    const instructorOfOtherSchool = (await (await aSchool(service())).instructor()).id
    for (const answer of [
      await search(assuming(SICK, instructorOfOtherSchool)),
      await check(assuming(SICK, instructorOfOtherSchool)),
    ])
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
  })

  it('is rejected with 400 and a pointer to its field if it is invalid', async () => {
    const odd = assuming({ vacations: [{ start_date: TUESDAY, end_date: MONDAY }] })
    const pointer = '/assumed/0/change/vacations/0/end_date'
    for (const answer of [await search(odd), await check(odd)])
      expect([answer.status, answer.body.errors?.[0]?.pointer]).toEqual([400, pointer])
    expect((await search({})).status).toBe(400)
    expect((await search(assuming({ nickname: 'x' }))).status).toBe(400)
  })
})
