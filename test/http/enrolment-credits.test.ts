import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { anEnrolmentOffice, type EnrolmentOffice } from '../support/enrolment-office.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'

const service = useService()
let office: EnrolmentOffice
let school: School
let lena: Row
let b: Row
let a1: Row

beforeEach(async () => {
  office = await anEnrolmentOffice(service())
  school = office.school
  lena = await office.lena()
  b = (await office.enrolments(lena))[0] as Row
  a1 = must(201, await office.enrol(lena, 'A1', { is_current: false }))
})

const type = (code: string) => ({ lesson_type_id: school.lessonTypes[code] })
const credit = (code: string, units: number, more: object = {}) => ({
  ...{ ...type(code), units, minutes: null, date: '2030-01-31', school: 'Fahrschule Süd' },
  ...{ document: null, topics: [], ...more },
})
const put = ({ id }: Row, body: unknown, headers?: Readonly<Record<string, string>>) =>
  school.client.put(`/enrolments/${id}/credits`, body, headers)
const creditsOf = async ({ id }: Row) => must(200, await school.client.get(`/enrolments/${id}/credits`))
const done = async ({ id }: Row, code: string) => {
  const { requirements } = must(200, await school.client.get(`/enrolments/${id}/progress`))
  const { lesson_type_id } = type(code)
  return requirements.find((one: Row) => one.lesson_type_id === lesson_type_id)?.done_units
}

describe('the credits of an enrolment', () => {
  it('count for it, whether it is the current one or not, and stay with it', async () => {
    const whole = credit('RURAL', 2, { minutes: 90, document: 'Nachweis vom 31.01.', topics: ['Thema 1'] })
    const { lesson_type_id, date, units, school: from } = credit('RURAL', 3)
    expect(must(200, await put(a1, [whole]))).toEqual([whole])
    expect(must(200, await put(b, [{ lesson_type_id, date, units, school: from }]))).toEqual([
      credit('RURAL', 3),
    ])
    expect([await done(a1, 'RURAL'), await done(b, 'RURAL')]).toEqual([2, 3])
    must(200, await office.change(a1, { is_current: true }))
    expect([await creditsOf(a1), await creditsOf(b)]).toEqual([[whole], [credit('RURAL', 3)]])
    const { credits, totals } = must(200, await school.client.get(`/enrolments/${b.id}/record`))
    expect(credits).toEqual([credit('RURAL', 3)])
    expect(totals.find(({ requirement }: Row) => requirement === 'RURAL')).toMatchObject({
      ...{ done_units: 3, credited_units: 3 },
    })
    expect((await school.client.delete(`/enrolments/${b.id}`)).body.code).toBe('in_use')
  })

  it('of the current one have the opening balance among them, and take its place when replaced', async () => {
    const balance = [{ ...type('RURAL'), units: 1, date: '2030-01-31', source: 'Fahrschule Süd' }]
    must(200, await school.client.put(`/students/${lena.id}/opening-balance`, balance))
    expect([await creditsOf(b), await creditsOf(a1)]).toEqual([[credit('RURAL', 1)], []])
    must(200, await put(b, [credit('NIGHT', 1)]))
    expect(must(200, await school.client.get(`/students/${lena.id}/opening-balance`))).toEqual([])
    expect([await done(b, 'RURAL'), await done(b, 'NIGHT')]).toEqual([0, 1])
  })

  it('are copied as the sums of another enrolment, without theory that counts anyway', async () => {
    await office.drive(lena, '2030-04-20', { status: 'completed', enrolment_id: b.id })
    await office.drive(lena, '2030-04-21', {
      ...{ status: 'completed', enrolment_id: b.id, ...type('THEORY_BASIC') },
    })
    must(200, await put(b, [credit('RURAL', 1)]))
    const copied = must(200, await put(a1, { from_enrolment_id: b.id }))
    const made = { date: '2030-05-01', school: 'Fahrschule Test' }
    expect(copied).toEqual([credit('RURAL', 3, made)])
    const mia = await school.student({ license_class_template_id: office.classes.B })
    const [other] = (await office.enrolments(mia)) as [Row]
    expect((await put(other, { from_enrolment_id: b.id })).status).toBe(404)
  })

  it('are written once, logged, and undone with their set', async () => {
    const answer = await put(a1, [credit('RURAL', 2)], { 'if-match': '"1"' })
    must(200, answer)
    expect((await put(a1, [], { 'if-match': '"1"' })).status).toBe(412)
    const history = must(200, await school.client.get(`/enrolments/${a1.id}/history`))
    expect(history[0]).toMatchObject({ before: { credits: [] }, after: { credits: [{ units: 2 }] } })
    const set = answer.headers.get('x-request-id')
    must(200, await school.client.post(`/changes/sets/${set}/undo`))
    expect(await creditsOf(a1)).toEqual([])
  })

  it('name their faults, and are 404 for strangers', async () => {
    const faulty = async (body: unknown) => {
      const { status, body: problem } = await put(a1, body)
      return [status, problem.errors?.map(({ pointer }: { pointer: string }) => pointer)]
    }
    expect(await faulty([credit('RURAL', -1, { minutes: 0 })])).toEqual([400, ['/0/units', '/0/minutes']])
    expect((await faulty({ from: b.id }))[0]).toBe(400)
    expect((await put(a1, [{ ...credit('RURAL', 1), lesson_type_id: a1.id }])).status).toBe(404)
    const elsewhere = await aSchool(service())
    const { id: instructor_id } = await school.instructor()
    const user = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id })
    const stranger = await enter(service(), { tenantId: school.tenantId, user })
    const address = `/enrolments/${a1.id}/credits`
    for (const { client } of [elsewhere, stranger]) expect((await client.get(address)).status).toBe(404)
    expect((await elsewhere.client.put(address, [])).status).toBe(404)
    expect((await stranger.client.put(address, [])).status).toBe(403)
  })
})
