import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { anEnrolmentOffice, type EnrolmentOffice, TODAY } from '../support/enrolment-office.ts'
import { aUser, enter, type Row, type School } from '../support/factory.ts'

const service = useService()
let school: School
let classes: EnrolmentOffice['classes']
let lena: EnrolmentOffice['lena']
let enrolments: EnrolmentOffice['enrolments']
let enrol: EnrolmentOffice['enrol']
let change: EnrolmentOffice['change']
let drive: EnrolmentOffice['drive']

beforeEach(async () => {
  ;({ school, classes, lena, enrolments, enrol, change, drive } = await anEnrolmentOffice(service()))
})

describe('the list of students', () => {
  const listed = async (more: string, client = school.client) =>
    must(200, await client.get(`/students?with=${more}`))

  it('adds the open enrolments, the current one first, beside progress and readiness', async () => {
    const student = await lena()
    const [first] = (await enrolments(student)) as [Row]
    const second = must(201, await enrol(student, 'A1'))
    must(201, await enrol(student, 'BE', { outcome: 'passed' }))
    const open = [
      { id: second.id, license_class: 'A1', is_current: true, prior_classes: null },
      { id: first.id, license_class: 'B', is_current: false, prior_classes: null },
    ]
    expect((await listed('enrolments'))[0].enrolments).toEqual(open)
    const [whole] = await listed('readiness,enrolments,progress')
    expect(whole).toMatchObject({
      enrolments: open,
      progress: expect.any(Object),
      readiness: expect.any(Object),
    })
    expect((await listed('enrolments,progress'))[0]).not.toHaveProperty('readiness')
    expect((await school.client.get('/students?with=enrolments,enrolments')).status).toBe(400)
  })

  it('has another tag once an enrolment has changed', async () => {
    const student = await lena()
    const [first] = (await enrolments(student)) as [Row]
    const path = '/students?with=enrolments'
    const tag = String((await school.client.get(path)).headers.get('etag'))
    expect((await school.client.get(path, { 'if-none-match': tag })).status).toBe(304)
    must(200, await change(first, { outcome: 'passed' }))
    const again = await school.client.get(path, { 'if-none-match': tag })
    expect(must(200, again)[0].enrolments).toEqual([])
  })

  it('shows instructors those of their own students', async () => {
    const { id: instructor_id } = await school.instructor()
    const taught = await lena()
    await lena()
    await drive(taught, '2030-05-02', { instructor_id })
    const user = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id })
    const { client } = await enter(service(), { tenantId: school.tenantId, user })
    const [own, ...others] = await listed('enrolments', client)
    expect([own.id, own.enrolments.length, others]).toEqual([taught.id, 1, []])
  })
})

describe('the classes that a student holds', () => {
  it('lower the units of the current enrolment, in progress and in warnings', async () => {
    const student = await lena()
    const [first] = (await enrolments(student)) as [Row]
    const basic = async () => {
      const { body } = await school.client.get(`/students/${student.id}/progress`)
      const isBasic = (one: Row) => one.lesson_type_id === school.lessonTypes.THEORY_BASIC
      return body.requirements.find(isBasic).required_units
    }
    const listed = async () => must(200, await school.client.get('/students?with=progress'))[0].progress
    expect(await basic()).toBe(24)
    const { required_units } = await listed()
    must(200, await change(first, { prior_classes: [] }))
    expect(await basic()).toBe(24)
    must(200, await change(first, { prior_classes: [{ license_class: 'AM' }] }))
    expect(await basic()).toBe(12)
    expect((await listed()).required_units).toBe(required_units - 12)
  })
})

describe('a template with dates', () => {
  /** Makes a second template of class B, as a reform would, and ends the first on the day before. */
  const reform = async (day: string, before: string) => {
    const { db } = service()
    const id = randomUUID()
    const own = { tenant_id: school.tenantId, id: String(classes.B) }
    await sql`insert into license_class_templates (tenant_id, id, position, code, license_class, name, min_age, law, valid_from)
      select tenant_id, ${id}, position + 1000, code, license_class, name, min_age, 'Reform', ${day}::date
      from license_class_templates where tenant_id = ${own.tenant_id} and id = ${own.id}`.execute(db)
    await sql`update license_class_templates set valid_to = ${before}::date
      where tenant_id = ${own.tenant_id} and id = ${own.id}`.execute(db)
    return id
  }

  it('is refused on other days with those of its code that are valid, and a running enrolment keeps its own', async () => {
    const student = await lena()
    const [old] = (await enrolments(student)) as [Row]
    expect(old.law).toBe('FahrschAusbO')
    const reformed = await reform('2030-07-01', '2030-06-30')
    const other = await lena(null)
    const refused = await enrol(other, 'B', { begins_on: '2030-07-01' })
    expect([refused.status, refused.body.code, refused.body.params]).toEqual([
      409,
      'template_not_valid',
      { template_id: classes.B, valid_from: null, valid_to: '2030-06-30', valid_ids: [reformed] },
    ])
    expect((await enrol(other, 'B', { template_id: reformed })).body.code).toBe('template_not_valid')
    const written = await school.client.patch(`/students/${other.id}`, {
      license_class_template_id: reformed,
    })
    expect([written.status, written.body.code]).toEqual([409, 'template_not_valid'])
    service().setClock(new Date('2030-07-01T06:00:00Z'))
    const { client } = await enter(service(), school)
    const own = { license_class_template_id: classes.B, phone: '1' }
    must(200, await client.patch(`/students/${student.id}`, own))
    const ids = must(200, await client.get('/license-class-templates')).map(({ id }: Row) => id)
    expect([ids.includes(classes.B), ids.includes(reformed)]).toEqual([true, true])
    const moved = must(200, await client.patch(`/enrolments/${old.id}`, { template_id: reformed }))
    expect(moved).toMatchObject({ law: 'Reform', license_class: 'B', begins_on: TODAY })
    const { body } = await client.get(`/students/${student.id}`)
    expect(body.license_class_template_id).toBe(reformed)
  })
})
