import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type Answer, must } from '../support/client.ts'
import { anEnrolmentOffice, type EnrolmentOffice, TODAY } from '../support/enrolment-office.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'

const service = useService()
let school: School
let classes: EnrolmentOffice['classes']
let lena: EnrolmentOffice['lena']
let enrolments: EnrolmentOffice['enrolments']
let enrol: EnrolmentOffice['enrol']
let change: EnrolmentOffice['change']
let classOf: EnrolmentOffice['classOf']
let drive: EnrolmentOffice['drive']

beforeEach(async () => {
  ;({ school, classes, lena, enrolments, enrol, change, classOf, drive } = await anEnrolmentOffice(service()))
})

const choose = async ({ id }: Row, code: string | null): Promise<Answer> => {
  const answer = await school.client.patch(`/students/${id}`, {
    license_class_template_id: code && classes[code],
  })
  expect(must(200, answer).license_class_template_id).toBe(code && classes[code])
  return answer
}
const setOf = (answer: Answer) => answer.headers.get('x-request-id')
const undo = (answer: Answer) => school.client.post(`/changes/sets/${setOf(answer)}/undo`)
const BLANK = {
  prior_classes: null,
  ends_on: null,
  outcome: null,
  theory_ended_on: null,
  practice_ended_on: null,
  cooperation: null,
  note: null,
}

describe('the enrolments of a student', () => {
  it('begin with the class of a new student, and with none without a class', async () => {
    expect(await enrolments(await lena(null))).toEqual([])
    const student = await lena()
    const [first, ...others] = await enrolments(student)
    expect(others).toEqual([])
    expect(first).toMatchObject({
      ...BLANK,
      student_id: student.id,
      template_id: classes.B,
      license_class: 'B',
      begins_on: TODAY,
      is_current: true,
      version: 1,
    })
  })

  it('can be several at once, of which one is current, newest first', async () => {
    const student = await lena()
    const made = await enrol(student, 'A1', { begins_on: '2030-06-01', note: 'Ab Juni' })
    const second = must(201, made)
    expect(made.headers.get('location')).toBe(`/api/v1/enrolments/${second.id}`)
    expect(second).toMatchObject({ license_class: 'A1', is_current: true, begins_on: '2030-06-01' })
    const [newer, older] = await enrolments(student)
    expect([newer, older]).toMatchObject([second, { license_class: 'B', is_current: false, version: 2 }])
    expect(await classOf(student)).toBe(classes.A1)
    const moved = must(200, await change(older as Row, { is_current: true }))
    expect(moved).toMatchObject({ is_current: true, version: 3 })
    expect(await enrolments(student)).toMatchObject([{ is_current: false }, { is_current: true }])
    expect(await classOf(student)).toBe(classes.B)
  })

  it('do not replace the current one if told so, unless they are the only open one', async () => {
    const student = await lena()
    expect(must(201, await enrol(student, 'A1', { is_current: false }))).toMatchObject({ is_current: false })
    expect(await classOf(student)).toBe(classes.B)
    const other = await lena(null)
    expect(must(201, await enrol(other, 'A1', { is_current: false }))).toMatchObject({ is_current: true })
    expect(await classOf(other)).toBe(classes.A1)
  })

  it('may be at most one open for a class', async () => {
    const student = await lena()
    const [first] = await enrolments(student)
    const again = await enrol(student, 'B197')
    expect([again.status, again.body.code, again.body.params]).toEqual([
      409,
      'already_enrolled',
      { license_class: 'B', enrolment_id: first?.id },
    ])
    must(200, await change(first as Row, { outcome: 'passed' }))
    const second = must(201, await enrol(student, 'B197'))
    expect((await change(first as Row, { outcome: null })).body.code).toBe('already_enrolled')
    expect((await change(second, { template_id: classes.B })).status).toBe(200)
  })

  it('end with an outcome and a day, and open again', async () => {
    const student = await lena()
    const [first] = (await enrolments(student)) as [Row]
    expect(must(200, await change(first, { outcome: 'passed' }))).toMatchObject({
      outcome: 'passed',
      ends_on: TODAY,
      is_current: true,
    })
    expect(must(200, await change(first, { outcome: null }))).toMatchObject({ ends_on: null })
    const stopped = must(200, await change(first, { outcome: 'stopped', ends_on: TODAY }))
    expect(stopped).toMatchObject({ outcome: 'stopped', is_current: false })
    expect(await classOf(student)).toBeNull()
    const refused = await change(first, { is_current: true })
    expect([refused.status, refused.body.code]).toEqual([409, 'enrolment_ended'])
    expect((await enrol(student, 'A1', { outcome: 'passed', is_current: true })).body.code).toBe(
      'enrolment_ended',
    )
    expect(must(200, await change(first, { outcome: null }))).toMatchObject({ is_current: true })
    expect(await classOf(student)).toBe(classes.B)
  })

  it('store prior classes and a cooperation, with null for what is left out', async () => {
    const student = await lena(null)
    const given = {
      prior_classes: [{ license_class: 'AM' }],
      cooperation: { role: 'commissioned', school: 'Fahrschule Süd' },
    }
    expect(must(201, await enrol(student, 'A1', given))).toMatchObject({
      prior_classes: [{ license_class: 'AM', since: null }],
      cooperation: { role: 'commissioned', school: 'Fahrschule Süd', address: null },
    })
  })

  it.each([
    [{ outcome: 'lost' }, '/outcome'],
    [{ begins_on: '2031-05-02' }, '/begins_on'],
    [{ ends_on: TODAY }, '/outcome'],
    [{ outcome: 'passed', ends_on: null }, '/ends_on'],
    [{ outcome: 'passed', ends_on: '2030-04-30' }, '/ends_on'],
    [{ outcome: 'passed', ends_on: '2030-05-02' }, '/ends_on'],
    [{ prior_classes: [{ license_class: 'B' }, { license_class: 'B' }] }, '/prior_classes/1/license_class'],
    [{ cooperation: { role: 'both' } }, '/cooperation/role'],
    [{ is_current: false }, '/is_current'],
    [{ student_id: randomUUID() }, '/student_id'],
  ])('reject %j', async (fields, pointer) => {
    const [first] = (await enrolments(await lena())) as [Row]
    const refused = await change(first, fields)
    expect([refused.status, refused.body.errors.map((one: Row) => one.pointer)]).toEqual([400, [pointer]])
  })

  it('begin with the prior classes of a new student, which lists have', async () => {
    const enrolled = { license_class_template_id: classes.BE, prior_classes: [{ license_class: 'B' }] }
    const student = await school.student(enrolled)
    const held = [{ license_class: 'B', since: null }]
    expect(await enrolments(student)).toMatchObject([{ license_class: 'BE', prior_classes: held }])
    const [listed] = must(200, await school.client.get('/students?with=enrolments'))
    expect(listed.enrolments).toMatchObject([{ license_class: 'BE', prior_classes: held }])
  })

  it.each([
    [{ prior_classes: [] }, '/license_class_template_id', 'required'],
    [
      { prior_classes: [{ license_class: 'B' }, { license_class: 'B' }] },
      '/prior_classes/1/license_class',
      'duplicate',
    ],
  ])('refuse a new student with %j', async (fields, pointer, code) => {
    const isForClass = code === 'duplicate' && { license_class_template_id: classes.BE }
    const student = { first_name: 'Lena', last_name: 'Vogt', ...fields, ...isForClass }
    const { status, body } = await school.client.post('/students', student)
    expect([status, body.errors]).toMatchObject([400, [{ pointer, code }]])
  })

  it('begin at most twelve months ahead', async () => {
    const student = await lena(null)
    expect((await enrol(student, 'B', { begins_on: '2031-05-02' })).status).toBe(400)
    expect((await enrol(student, 'B', { begins_on: '2031-05-01' })).status).toBe(201)
  })

  it('compare the version, and are created once per key', async () => {
    const student = await lena(null)
    const body = { template_id: classes.B }
    const key = { 'idempotency-key': randomUUID() }
    const path = `/students/${student.id}/enrolments`
    const first = must(201, await school.client.post(path, body, key))
    const again = await school.client.post(path, body, key)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.body).toEqual(first)
    const stale = { 'if-match': '"2"' }
    expect((await school.client.patch(`/enrolments/${first.id}`, { note: 'x' }, stale)).status).toBe(412)
    expect((await school.client.delete(`/enrolments/${first.id}`, stale)).status).toBe(412)
    const read = await school.client.get(`/enrolments/${first.id}`)
    expect([read.headers.get('etag'), read.body]).toEqual(['"1"', first])
  })

  it('are 404 for unknown ones, of other schools, and of deleted students', async () => {
    const student = await lena()
    const [first] = (await enrolments(student)) as [Row]
    const clientOfOtherSchool = (await aSchool(service())).client
    expect((await clientOfOtherSchool.get(`/enrolments/${first.id}`)).status).toBe(404)
    expect((await clientOfOtherSchool.patch(`/enrolments/${first.id}`, { note: 'x' })).status).toBe(404)
    expect((await clientOfOtherSchool.get(`/students/${student.id}/enrolments`)).status).toBe(404)
    expect((await enrol(student, 'none', { template_id: randomUUID() })).status).toBe(404)
    must(204, await school.client.delete(`/students/${student.id}`))
    expect((await school.client.get(`/enrolments/${first.id}`)).status).toBe(404)
    expect((await change(first, { note: 'x' })).status).toBe(404)
    must(200, await school.client.post(`/students/${student.id}/restore`))
    expect(await enrolments(student)).toEqual([first])
  })

  it('can be deleted while nothing belongs to them', async () => {
    const student = await lena()
    const [first] = (await enrolments(student)) as [Row]
    const { id: lesson } = await drive(student, '2030-05-02')
    const refused = await school.client.delete(`/enrolments/${first.id}`)
    expect([refused.status, refused.body.code]).toEqual([409, 'in_use'])
    must(204, await school.client.delete(`/appointments/${lesson}`))
    must(204, await school.client.delete(`/enrolments/${first.id}`))
    expect(await enrolments(student)).toEqual([])
    expect(await classOf(student)).toBeNull()
    const history = must(200, await school.client.get(`/enrolments/${first.id}/history`))
    expect(history.map(({ action }: Row) => action)).toEqual(['deleted', 'created'])
  })

  it('are read by instructors for their own students only', async () => {
    const { id: instructor_id } = await school.instructor()
    const [taught, other] = [await lena(), await lena()]
    await drive(taught, '2030-05-02', { instructor_id })
    const user = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id })
    const { client } = await enter(service(), { tenantId: school.tenantId, user })
    const [own] = must(200, await client.get(`/students/${taught.id}/enrolments`))
    must(200, await client.get(`/enrolments/${own.id}`))
    const [foreign] = (await enrolments(other)) as [Row]
    expect((await client.get(`/enrolments/${foreign.id}`)).status).toBe(404)
    expect((await client.get(`/students/${other.id}/enrolments`)).status).toBe(404)
    expect((await client.patch(`/enrolments/${own.id}`, { note: 'x' })).status).toBe(403)
  })
})

describe('the progress of an enrolment', () => {
  const progressOf = async ({ id }: Row) => must(200, await school.client.get(`/enrolments/${id}/progress`))
  const towards = async (enrolment: Row, code: string): Promise<Row> => {
    const { requirements } = await progressOf(enrolment)
    return requirements.find((one: Row) => one.lesson_type_id === school.lessonTypes[code])
  }
  const openOf = async (student: Row, code: string): Promise<Row> => {
    const found = (await enrolments(student)).find(({ license_class }) => license_class === code)
    if (!found) throw new Error(`no enrolment for ${code}`)
    return found
  }

  it('counts the lessons for its class, and theory for every class', async () => {
    const student = await lena('B')
    await drive(student, '2030-04-29', { status: 'completed' })
    must(201, await enrol(student, 'A1'))
    await drive(student, '2030-05-02')
    const [b, a1] = [await openOf(student, 'B'), await openOf(student, 'A1')]
    expect(await towards(b, 'RURAL')).toMatchObject({ done_units: 2, planned_units: 0 })
    expect(await towards(a1, 'RURAL')).toMatchObject({ done_units: 0, planned_units: 2 })
    expect(await progressOf(a1)).toEqual(
      must(200, await school.client.get(`/students/${student.id}/progress`)),
    )
  })

  it('has the opening balance that was entered for it, and the units of its prior classes', async () => {
    const student = await lena('B')
    const balance = { lesson_type_id: school.lessonTypes.RURAL, units: 3, date: '2030-01-31', source: 'x' }
    must(200, await school.client.put(`/students/${student.id}/opening-balance`, [balance]))
    must(201, await enrol(student, 'A1', { is_current: false, prior_classes: [{ license_class: 'B' }] }))
    const [b, a1] = [await openOf(student, 'B'), await openOf(student, 'A1')]
    expect(await towards(b, 'RURAL')).toMatchObject({ done_units: 3 })
    expect(await towards(a1, 'RURAL')).toMatchObject({ done_units: 0 })
    const unitsNeeded = async () => {
      const { requirements } = await progressOf(a1)
      return requirements.reduce((sum: number, one: Row) => sum + Number(one.required_units), 0)
    }
    const fewer = await unitsNeeded()
    must(200, await change(a1, { prior_classes: [] }))
    expect(await unitsNeeded()).toBeGreaterThan(fewer)
  })
})

describe("a student's class", () => {
  it('is changed in place for a template of the same class, with all lessons', async () => {
    const student = await lena()
    await drive(student, '2030-05-02')
    await choose(student, 'B197')
    expect(await enrolments(student)).toMatchObject([
      { template_id: classes.B197, license_class: 'B', version: 2, is_current: true },
    ])
  })

  it('replaces an enrolment in which nothing is', async () => {
    const student = await lena()
    const [first] = (await enrolments(student)) as [Row]
    await choose(student, 'A1')
    expect(await enrolments(student)).toMatchObject([{ id: first.id, license_class: 'A1', is_current: true }])
    await choose(student, null)
    expect(await enrolments(student)).toEqual([])
  })

  it('ends an enrolment with a lesson and begins another, in one set that an undo takes back', async () => {
    const student = await lena()
    const [first] = (await enrolments(student)) as [Row]
    await drive(student, '2030-04-20', { status: 'completed' })
    const coming = await drive(student, '2030-05-02')
    const changed = await choose(student, 'A1')
    expect(await enrolments(student)).toMatchObject([
      { license_class: 'A1', begins_on: TODAY, is_current: true },
      { id: first.id, outcome: 'changed', ends_on: TODAY, is_current: false },
    ])
    const set = must(200, await school.client.get('/changes')).filter(
      ({ set_id }: Row) => set_id === setOf(changed),
    )
    expect(set.map(({ resource, action }: Row) => `${resource} ${action}`).toSorted()).toEqual([
      'appointment changed',
      'enrolment changed',
      'enrolment created',
      'student changed',
    ])
    expect(must(200, await undo(changed)).refused).toEqual([])
    expect(await enrolments(student)).toMatchObject([{ id: first.id, outcome: null, is_current: true }])
    expect(await classOf(student)).toBe(classes.B)
    expect(must(200, await school.client.get(`/appointments/${coming.id}`)).license_class).toBe('B')
  })

  it('null ends an enrolment with a lesson as stopped', async () => {
    const student = await lena()
    await drive(student, '2030-04-20')
    await choose(student, null)
    expect(await enrolments(student)).toMatchObject([{ outcome: 'stopped', is_current: false }])
    await choose(student, 'B')
    expect(await enrolments(student)).toMatchObject([{ outcome: null }, { outcome: 'stopped' }])
  })

  it('moves to an open enrolment of the class, and writes nothing for the same value', async () => {
    const student = await lena()
    const { id } = must(201, await enrol(student, 'A1', { is_current: false }))
    await choose(student, 'A1')
    expect(await enrolments(student)).toMatchObject([
      { license_class: expect.any(String) },
      { license_class: expect.any(String) },
    ])
    expect(must(200, await school.client.get(`/enrolments/${id}`)).is_current).toBe(true)
    const before = await enrolments(student)
    await choose(student, 'A1')
    expect(await enrolments(student)).toEqual(before)
  })

  it('follows the template of the current enrolment', async () => {
    const student = await lena()
    const [first] = (await enrolments(student)) as [Row]
    const coming = await drive(student, '2030-05-02')
    must(200, await change(first, { template_id: classes.A1 }))
    expect(await classOf(student)).toBe(classes.A1)
    expect(must(200, await school.client.get(`/appointments/${coming.id}`)).license_class).toBe('A1')
  })

  it('of imported students begins their enrolments, which go with them', async () => {
    const file = Buffer.from('Vorname;Nachname;Klasse\nAda;Vogt;B\nBen;Vogt;\n').toString('base64')
    const imported = await school.client.post('/student-imports', { file })
    must(200, imported)
    const students = must(200, await school.client.get('/students'))
    const [ada, ben] = students as [Row, Row]
    expect(await enrolments(ada)).toMatchObject([{ license_class: 'B', begins_on: TODAY, is_current: true }])
    expect(await enrolments(ben)).toEqual([])
    const undone = must(200, await undo(imported))
    expect([undone.undone.length, undone.refused]).toEqual([3, []])
  })
})
