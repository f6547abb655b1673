import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type Answer, must } from '../support/client.ts'
import { findingsInSchool } from '../support/doctor.ts'
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
const balanceOf = ({ id }: Row) => `/students/${id}/opening-balance`
const brought = (code: string, units: number) => ({
  ...{ ...type(code), units, date: '2030-01-31', source: 'Fahrschule Süd' },
})
const undo = ({ headers }: Answer) => school.client.post(`/changes/sets/${headers.get('x-request-id')}/undo`)
const findings = () => findingsInSchool(service().db, school.tenantId)
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

  it('of the current one are the opening balance, whose entries keep their other fields', async () => {
    const whole = credit('RURAL', 2, { minutes: 90, document: 'Nachweis vom 31.01.', topics: ['Thema 1'] })
    must(200, await put(b, [whole, credit('NIGHT', 1)]))
    const read = await school.client.get(balanceOf(lena))
    expect(must(200, read)).toEqual([brought('RURAL', 2), brought('NIGHT', 1)])
    const etag = read.headers.get('etag') ?? ''
    expect((await school.client.put(balanceOf(lena), read.body)).headers.get('etag')).toBe(etag)
    const next = [brought('NIGHT', 3), brought('RURAL', 2)]
    must(200, await school.client.put(balanceOf(lena), next, { 'if-match': etag }))
    expect([await creditsOf(b), await creditsOf(a1)]).toEqual([[credit('NIGHT', 3), whole], []])
    expect([await done(b, 'RURAL'), await done(b, 'NIGHT')]).toEqual([2, 3])
    const tag = (await school.client.get(balanceOf(lena))).headers.get('etag') ?? ''
    must(200, await put(b, [whole]))
    expect((await school.client.put(balanceOf(lena), [], { 'if-match': tag })).status).toBe(412)
    expect(await findings()).toEqual([])
  })

  it('stay with it when another becomes the current one, which the history of the student has', async () => {
    must(200, await school.client.put(balanceOf(lena), [brought('RURAL', 1)]))
    must(200, await put(a1, [credit('NIGHT', 1)]))
    const moved = await office.change(a1, { is_current: true })
    must(200, moved)
    expect(must(200, await school.client.get(balanceOf(lena)))).toEqual([brought('NIGHT', 1)])
    expect(await creditsOf(b)).toEqual([credit('RURAL', 1)])
    const [change] = must(200, await school.client.get(`/students/${lena.id}/history`))
    expect([change.before, change.after]).toMatchObject([
      { opening_balance: [brought('RURAL', 1)], license_class_template_id: office.classes.B, version: 2 },
      { opening_balance: [brought('NIGHT', 1)], license_class_template_id: office.classes.A1, version: 3 },
    ])
    must(200, await undo(moved))
    expect(must(200, await school.client.get(balanceOf(lena)))).toEqual([brought('RURAL', 1)])
    must(200, await office.change(b, { outcome: 'stopped' }))
    expect(must(200, await school.client.get(balanceOf(lena)))).toEqual([])
    expect(await creditsOf(b)).toEqual([credit('RURAL', 1)])
    expect(await findings()).toEqual([])
  })

  it('of another training for the same class are another balance, with another version', async () => {
    must(200, await school.client.put(balanceOf(lena), [brought('RURAL', 1)]))
    must(200, await office.change(b, { outcome: 'moved' }))
    const { headers } = await school.client.get(balanceOf(lena))
    const again = await office.enrol(lena, 'B')
    must(201, again)
    const stale = await school.client.put(balanceOf(lena), [], { 'if-match': headers.get('etag') ?? '' })
    expect(stale.status).toBe(412)
    expect(must(200, await school.client.get(balanceOf(lena)))).toEqual([])
    must(200, await undo(again))
    expect(must(200, await school.client.get(balanceOf(lena)))).toEqual([brought('RURAL', 1)])
    expect(await findings()).toEqual([])
  })

  it.each(['by the class', 'as an enrolment', 'as an enrolment again'] as const)(
    'wait for the first current enrolment, which begins %s',
    async (way) => {
      const mia = await office.lena(way.endsWith('again') ? 'B' : null)
      const [former] = await office.enrolments(mia)
      if (former) must(200, await office.change(former, { outcome: 'stopped' }))
      if (former) must(200, await put(former, [credit('NIGHT', 1)]))
      const written = await school.client.put(balanceOf(mia), [brought('RURAL', 2)])
      must(200, written)
      const { other } = must(200, await school.client.get(`/students/${mia.id}/progress`))
      expect(other).toMatchObject([{ ...type('RURAL'), done_units: 2, opening_units: 2 }])
      const begun = {
        'by the class': () =>
          school.client.patch(`/students/${mia.id}`, { license_class_template_id: office.classes.B }),
        'as an enrolment': () => office.enrol(mia, 'B'),
        'as an enrolment again': () => office.change(former as Row, { outcome: null }),
      }[way]?.()
      expect((await begun)?.status).toBeLessThan(202)
      const [first] = (await office.enrolments(mia)) as [Row]
      const earlier = former ? [credit('NIGHT', 1)] : []
      expect(await creditsOf(first)).toEqual([credit('RURAL', 2), ...earlier])
      const shown = must(200, await school.client.get(balanceOf(mia)))
      expect(shown).toEqual([brought('RURAL', 2), ...earlier.map(() => brought('NIGHT', 1))])
      if (!former) must(200, await undo(written))
      if (!former) expect(must(200, await school.client.get(balanceOf(mia)))).toEqual([])
      expect(await findings()).toEqual([])
    },
  )

  it('are taken back by an undo only while nobody has changed them since', async () => {
    const first = await school.client.put(balanceOf(lena), [brought('RURAL', 1)])
    must(200, await office.change(a1, { is_current: true }))
    expect(must(200, await undo(first))).toMatchObject({
      undone: [b.id],
      refused: [{ resource: 'student', resource_id: lena.id, code: 'changed_since' }],
    })
    expect(await creditsOf(b)).toEqual([])
    must(200, await office.change(b, { is_current: true }))
    const second = await school.client.put(balanceOf(lena), [brought('RURAL', 1)])
    must(200, await put(b, [credit('RURAL', 1, { document: 'Nachweis' })]))
    const answer = must(200, await undo(second))
    expect([answer.undone, answer.refused.map(({ code }: Row) => code)]).toEqual([
      [],
      ['changed_since', 'changed_since'],
    ])
    expect(await findings()).toEqual([])
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

  it('name their faults, and are 404 for others', async () => {
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
    const otherInstructor = await enter(service(), { tenantId: school.tenantId, user })
    const address = `/enrolments/${a1.id}/credits`
    for (const { client } of [elsewhere, otherInstructor])
      expect((await client.get(address)).status).toBe(404)
    expect((await elsewhere.client.put(address, [])).status).toBe(404)
    expect((await otherInstructor.client.put(address, [])).status).toBe(403)
  })
})
