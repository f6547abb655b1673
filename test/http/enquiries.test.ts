import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { purgeEnquiries } from '../../src/db/students/enquiries.ts'
import { useService } from '../support/app.ts'
import { Client, must } from '../support/client.ts'
import { findingsInSchool } from '../support/doctor.ts'
import { anEnquiry, enquiriesOf, FILLED, openForm, sendForm } from '../support/enquiries.ts'
import { erase } from '../support/erasure.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'
import { entriesOf, lookAtAll, readInbox } from '../support/read-inbox.ts'
import { setOf, took } from '../support/undo-office.ts'

const service = useService()
let school: School

beforeEach(async () => {
  school = await aSchool(service())
})

const post = (path: string, headers = {}) => school.client.post(`/enquiries/${path}`, undefined, headers)
const stateOf = async ({ id }: Row) => (await enquiriesOf(school)).find((one) => one.id === id)?.state

async function asRole(role: 'office' | 'instructor'): Promise<School> {
  const { tenantId } = school
  const { id } = await school.instructor()
  const user = await aUser(service(), tenantId, { role, ...(role === 'instructor' && { instructor_id: id }) })
  return enter(service(), { tenantId, user })
}

describe('the list of enquiries', () => {
  it('is paged, newest first, and filtered by state', async () => {
    const slug = await openForm(school)
    for (const first_name of ['Anna', 'Berta', 'Cleo'])
      must(202, await sendForm(service(), slug, { first_name }))
    const names = (rows: readonly Row[]) => rows.map(({ first_name }) => first_name)
    const all = await enquiriesOf(school)
    expect(names(all)).toEqual(['Cleo', 'Berta', 'Anna'])
    const first = await school.client.get('/enquiries?limit=2')
    expect(names(first.body)).toEqual(['Cleo', 'Berta'])
    const next = /cursor=([^&>]+)/.exec(first.headers.get('link') ?? '')?.[1]
    expect(names(must(200, await school.client.get(`/enquiries?limit=2&cursor=${next}`)))).toEqual(['Anna'])
    must(200, await post(`${all[1]?.id}/close`))
    expect(names(await enquiriesOf(school, '?state=new'))).toEqual(['Cleo', 'Anna'])
    expect(names(await enquiriesOf(school, '?state=closed'))).toEqual(['Berta'])
    expect((await school.client.get('/enquiries?state=old')).status).toBe(400)
  })

  it('is for owners and the office alone', async () => {
    const { id } = await anEnquiry(service(), school)
    const instructor = await asRole('instructor')
    expect((await instructor.client.get('/enquiries')).status).toBe(403)
    expect((await instructor.client.post(`/enquiries/${id}/enrol`)).status).toBe(403)
    expect((await instructor.client.post(`/enquiries/${id}/close`)).status).toBe(403)
    const office = await asRole('office')
    expect(must(200, await office.client.get('/enquiries'))).toHaveLength(1)
    must(201, await office.client.post(`/enquiries/${id}/enrol`))
  })

  it('names students who are possibly the same person, in any spelling', async () => {
    const byPhone = await school.student({ first_name: 'Mia', last_name: 'Bauer', phone: '030 5550199' })
    const byName = await school.student({ first_name: 'Mia', last_name: 'Wolf' })
    const byMail = await school.student({ first_name: 'M.', last_name: 'W', email: 'Mia@Reader.example' })
    await school.student({ first_name: 'Tom', last_name: 'Kaya', phone: '030 5550199' })
    const gone = await school.student({ first_name: 'Mia', last_name: 'Wolf' })
    must(204, await school.client.delete(`/students/${gone.id}`))
    const other = await aSchool(service())
    await other.student({ first_name: 'Mia', last_name: 'Wolf' })
    const enquiry = await anEnquiry(service(), school, { email: 'mia@reader.example' })
    const expected = [byPhone, byName, byMail].map(({ id }) => id).toSorted()
    expect((enquiry.same_as as string[]).toSorted()).toEqual(expected)
    must(201, await post(`${enquiry.id}/enrol`))
    expect((await enquiriesOf(school))[0]?.same_as).toEqual([])
  })
})

describe('enrolling', () => {
  const FULL = { weekday: '2', time_from: '16:00', time_to: '17:00', email: 'mia@reader.example' }

  it('makes a student with the class, the wish and the message', async () => {
    const enquiry = await anEnquiry(service(), school, FULL)
    const answer = await post(`${enquiry.id}/enrol`)
    const student = must(201, answer)
    expect(answer.headers.get('location')).toBe(`/api/v1/students/${student.id}`)
    const { first_name, last_name, phone, message } = FILLED
    expect(student).toMatchObject({ first_name, last_name, phone, email: FULL.email, notes: message })
    expect(student).toMatchObject({ language: null, messages_consent: false })
    const templates = must(200, await school.client.get('/license-class-templates'))
    const of = templates.find(({ id }: Row) => id === student.license_class_template_id)
    expect(of.license_class).toBe('B')
    expect(must(200, await school.client.get(`/students/${student.id}/enrolments`))).toHaveLength(1)
    const wishes = must(200, await school.client.get(`/students/${student.id}/wishes`))
    const { weekday: _, email: __, ...times } = FULL
    expect(wishes).toMatchObject([{ weekdays: [2], ...times, minutes: 60 }])
    expect(await enquiriesOf(school)).toMatchObject([
      { state: 'enrolled', student_id: student.id, version: 2 },
    ])
    expect(await findingsInSchool(service().db, school.tenantId)).toEqual([])
  })

  it('keeps the language of the page, and needs neither times nor a class of the pack', async () => {
    const slug = await openForm(school, { classes: ['X9'] })
    must(202, await sendForm(service(), slug, { license_class: 'X9', message: '' }, { query: '?lang=tr' }))
    const [enquiry] = await enquiriesOf(school)
    const student = must(201, await post(`${enquiry?.id}/enrol`))
    expect(student).toMatchObject({ language: 'tr', notes: null, license_class_template_id: null })
    expect(must(200, await school.client.get(`/students/${student.id}/wishes`))).toEqual([])
  })

  it('is done once, and repeats its response under a key', async () => {
    const enquiry = await anEnquiry(service(), school)
    const key = { 'idempotency-key': randomUUID() }
    const student = must(201, await post(`${enquiry.id}/enrol`, key))
    const again = await post(`${enquiry.id}/enrol`, key)
    expect([again.status, again.body.id, again.headers.get('idempotency-replayed')]).toEqual([
      201,
      student.id,
      'true',
    ])
    for (const path of ['enrol', 'close']) {
      const { status, body } = await post(`${enquiry.id}/${path}`)
      expect([status, body.code, body.params]).toEqual([409, 'already_decided', { status: 'enrolled' }])
    }
  })

  it('is undone and redone as one set', async () => {
    const enquiry = await anEnquiry(service(), school, FULL)
    const made = await post(`${enquiry.id}/enrol`)
    const { id } = must(201, made)
    const undone = await school.client.post(`/changes/sets/${setOf(made)}/undo`)
    expect(undone.body.refused).toEqual([])
    expect((await school.client.get(`/students/${id}`)).status).toBe(404)
    expect(await enquiriesOf(school)).toMatchObject([{ state: 'new', student_id: null, version: 3 }])
    const redone = await school.client.post(`/changes/sets/${setOf(undone)}/undo`)
    expect(redone.body.refused).toEqual([])
    must(200, await school.client.get(`/students/${id}`))
    expect(await enquiriesOf(school)).toMatchObject([{ state: 'enrolled', student_id: id }])
    expect(await findingsInSchool(service().db, school.tenantId)).toEqual([])
  })

  it('is not undone once the student has lessons', async () => {
    const enquiry = await anEnquiry(service(), school)
    const made = await post(`${enquiry.id}/enrol`)
    const { id } = must(201, made)
    const { id: instructor_id } = await school.instructor()
    await school.lesson({
      ...{ instructor_id, student_id: id },
      ...{ start_at: '2099-03-02 10:00', end_at: '2099-03-02 11:30' },
    })
    const { body } = await school.client.post(`/changes/sets/${setOf(made)}/undo`)
    expect(body.refused).toContainEqual({ resource: 'student', resource_id: id, code: 'in_use' })
    expect(body.refused).toContainEqual({ resource: 'enquiry', resource_id: enquiry.id, code: 'in_use' })
    expect(await stateOf(enquiry)).toBe('enrolled')
  })

  it('is a 404 for an unknown enquiry', async () => {
    for (const path of ['enrol', 'close']) expect((await post(`${randomUUID()}/${path}`)).status).toBe(404)
  })
})

describe('closing', () => {
  it('ends an enquiry, may be repeated, and is undone', async () => {
    const enquiry = await anEnquiry(service(), school)
    const closed = await post(`${enquiry.id}/close`)
    expect(must(200, closed)).toMatchObject({ state: 'closed', version: 2, same_as: [] })
    expect(must(200, await post(`${enquiry.id}/close`))).toMatchObject({ version: 2 })
    expect((await post(`${enquiry.id}/enrol`)).body.params).toEqual({ status: 'closed' })
    took(await school.client.post(`/changes/sets/${setOf(closed)}/undo`), [enquiry.id])
    expect(await stateOf(enquiry)).toBe('new')
    must(201, await post(`${enquiry.id}/enrol`))
  })
})

describe('the office', () => {
  it('finds a new enquiry in the inbox until it is answered, and instructors do not', async () => {
    const enquiry = await anEnquiry(service(), school)
    const { first_name, last_name, license_class } = FILLED
    const [entry, ...more] = await entriesOf(school.client, 'enquiry')
    expect(more).toEqual([])
    expect(entry).toMatchObject({
      id: enquiry.id,
      is_new: true,
      enquiry: { first_name, last_name, license_class },
    })
    expect((await readInbox(school.client)).new).toBe(1)
    expect(await entriesOf((await asRole('instructor')).client, 'enquiry')).toEqual([])
    expect(await entriesOf((await aSchool(service())).client, 'enquiry')).toEqual([])
    await lookAtAll(school.client)
    expect((await readInbox(school.client)).new).toBe(0)
    must(200, await post(`${enquiry.id}/close`))
    expect(await entriesOf(school.client, 'enquiry')).toEqual([])
  })

  it('sees in the log that an enquiry came, and nothing of the person', async () => {
    const enquiry = await anEnquiry(service(), school)
    must(200, await post(`${enquiry.id}/close`))
    const { rows } = await sql<{ actor: string; text: string }>`
      select actor_name as actor, concat(before, after) as text from changes
      where tenant_id = ${school.tenantId} and resource = 'enquiry' order by at, id`.execute(service().db)
    expect(rows.map(({ actor }) => actor)).toEqual(['website', expect.any(String)])
    for (const { text } of rows) expect(text).not.toMatch(/Mia|Wolf|5550199|work/)
  })
})

describe('an old enquiry', () => {
  async function aged(days: number, state: 'new' | 'closed'): Promise<Row> {
    const enquiry = await anEnquiry(service(), school)
    if (state === 'closed') must(200, await post(`${enquiry.id}/close`))
    // The last change is that of the answer.
    await sql`update enquiries set updated_at = now() - make_interval(days => ${days}), created_at = now() - interval '100 days'
      where tenant_id = ${school.tenantId} and id = ${enquiry.id}`.execute(service().db)
    return enquiry
  }

  it.each([
    ['new', 1, false],
    ['closed', 89, true],
    ['closed', 91, false],
  ] as const)('%s, changed %i days ago: is kept: %s', async (state, days, isKept) => {
    const enquiry = await aged(days, state)
    await purgeEnquiries(service().db)
    expect(await stateOf(enquiry)).toBe(isKept ? state : undefined)
  })

  it('stays while it is younger than 90 days', async () => {
    const enquiry = await anEnquiry(service(), school)
    await sql`update enquiries set created_at = now() - interval '89 days', updated_at = now() - interval '89 days'
      where id = ${enquiry.id}`.execute(service().db)
    await purgeEnquiries(service().db)
    expect(await stateOf(enquiry)).toBe('new')
  })
})

describe('an erased student', () => {
  it('takes the own enquiry along, and those with the same number; others lose the name', async () => {
    const slug = await openForm(school)
    const [name, phone] = ['Own Quendelin', '+49 30 7771234']
    must(
      202,
      await sendForm(service(), slug, { first_name: 'Own', last_name: 'Quendelin', phone: '+49 30 1112223' }),
    )
    const [own] = await enquiriesOf(school)
    const { id } = must(201, await post(`${own?.id}/enrol`))
    must(200, await school.client.patch(`/students/${id}`, { phone }))
    must(202, await sendForm(service(), slug, { first_name: 'Same', phone: '030 7771234' }))
    must(202, await sendForm(service(), slug, { first_name: 'Other', message: `A friend of ${name}.` }))
    const other = await aSchool(service())
    const beside = await openForm(other)
    must(202, await sendForm(service(), beside, { phone, message: `A friend of ${name}.` }))
    must(204, await school.client.delete(`/students/${id}`))
    expect(await erase(service(), school.tenantId, id)).toBe('erased')
    const left = await enquiriesOf(school)
    expect(left.map(({ first_name }) => first_name)).toEqual(['Other'])
    expect(left[0]?.message).not.toContain(name)
    expect(left[0]?.version).toBe(2)
    expect(await enquiriesOf(other)).toMatchObject([{ phone, message: `A friend of ${name}.`, version: 1 }])
    const { rows } =
      await sql`select from changes where tenant_id = ${school.tenantId} and resource = 'enquiry'
      and concat(before, after) ~ 'friend'`.execute(service().db)
    expect(rows).toEqual([])
  })
})

describe('merged students', () => {
  it('keep the enquiry of the one who is deleted', async () => {
    const enquiry = await anEnquiry(service(), school)
    const { id: other_id } = must(201, await post(`${enquiry.id}/enrol`))
    const { id } = await school.student()
    must(200, await school.client.post(`/students/${id}/merge`, { other_id }))
    expect(await enquiriesOf(school)).toMatchObject([{ state: 'enrolled', student_id: id }])
  })
})

it('an enquiry of another school is not there', async () => {
  const enquiry = await anEnquiry(service(), school)
  const other = await aSchool(service())
  for (const path of ['enrol', 'close'])
    expect((await other.client.post(`/enquiries/${enquiry.id}/${path}`)).status).toBe(404)
  expect(await enquiriesOf(other)).toEqual([])
  expect((await new Client(service()).get('/enquiries')).status).toBe(401)
  expect(await stateOf(enquiry)).toBe('new')
})
