import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool, type School } from '../support/factory.ts'
import { at } from '../support/times.ts'

const service = useService()
let school: School

/** A Monday noon in Berlin, which is 10:00 in UTC. */
const NOW = new Date('2026-05-04T10:00:00Z')

beforeEach(async () => {
  service().setClock(NOW)
  school = await aSchool(service())
})
afterEach(() => service().setClock(undefined))

async function age(id: string): Promise<void> {
  await service()
    .db.updateTable('students')
    .set({ updated_at: new Date(0) })
    .where('id', '=', id)
    .execute()
}

describe('a student', () => {
  it('requires only a name, and has defaults for all other fields', async () => {
    const { status, headers, body } = await school.client.post('/students', {
      first_name: 'Lena',
      last_name: 'Vogt',
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      first_name: 'Lena',
      last_name: 'Vogt',
      email: null,
      phone: null,
      phone_2: null,
      birth_date: null,
      address: null,
      license_class_template_id: null,
      preferred_instructor_id: null,
      pickup_place: null,
      language: null,
      lessons_per_week: null,
      notes: null,
      messages_consent: false,
      message_channel: 'mail',
      contacts: [],
      archived_at: null,
      version: 1,
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/),
      updated_at: body.created_at,
    })
    expect(Math.abs(Date.parse(body.created_at) - Date.now())).toBeLessThan(60_000)
    expect(headers.get('location')).toBe(`/api/v1/students/${body.id}`)
    expect((await school.client.get(`/students/${body.id}`)).body).toEqual(body)
    expect((await school.client.get('/students')).body).toEqual([body])
  })

  it('stores every given field', async () => {
    const [template] = (await school.client.get('/license-class-templates')).body
    const instructor = await school.instructor()
    const given = {
      first_name: 'Łucja',
      last_name: 'Żółć',
      email: 'Lena.Vogt@School.example',
      phone: '+49 30 5550142',
      birth_date: '2008-02-29',
      license_class_template_id: template.id,
      preferred_instructor_id: instructor.id,
      notes: 'Brille\nAngst vor Brücken',
    }
    const { body } = await school.client.post('/students', given)
    expect(body).toMatchObject(given)
    expect((await school.client.get(`/students/${body.id}`)).body).toEqual(body)
  })

  it.each([
    ['2026-11-23', 201],
    ['2026-11-24', 400],
    ['2099-12-31', 400],
    ['1900-01-01', 201],
  ])('with the date of birth %s returns %d', async (birth_date, status) => {
    // A quarter past midnight in Berlin.
    service().setClock(new Date('2026-11-22T23:15:00Z'))
    onTestFinished(() => service().setClock(undefined))
    school = await aSchool(service())
    const enrolled = await school.client.post('/students', { first_name: 'A', last_name: 'B', birth_date })
    expect(enrolled.status).toBe(status)
    const { id } = await school.student()
    const changed = await school.client.patch(`/students/${id}`, { birth_date })
    expect(changed.status).toBe(status === 201 ? 200 : 400)
    const fault = { pointer: '/birth_date', code: 'in_the_future' }
    if (status === 400) for (const { body } of [enrolled, changed]) expect(body.errors).toMatchObject([fault])
  })

  it('can have the same name and email as another', async () => {
    const fields = { email: 'lena@school.example' }
    const one = await school.student(fields)
    const another = await school.student(fields)
    expect(another.id).not.toBe(one.id)
  })

  it('is changed only in the fields of the PATCH', async () => {
    const contact = { email: 'lena@school.example', phone: '112', phone_2: '113' }
    const before = await school.student({ ...contact, pickup_place: 'Station', notes: 'x' })
    await age(before.id)
    const change = { phone: null, phone_2: '114', notes: '', last_name: 'Berg' }
    const { status, body } = await school.client.patch(`/students/${before.id}`, change)
    expect(status).toBe(200)
    expect(body).toEqual({
      ...before,
      ...change,
      version: Number(before.version) + 1,
      updated_at: body.updated_at,
    })
    expect(body.updated_at > '2026').toBe(true)
    expect((await school.client.get(`/students/${before.id}`)).body).toEqual(body)
  })

  it('is not changed by {}: updated_at and ETag stay the same', async () => {
    const { id } = await school.student()
    await age(id)
    const before = await school.client.get(`/students/${id}`)
    const { status, body, headers } = await school.client.patch(`/students/${id}`, {})
    expect([status, body, headers.get('etag')]).toEqual([200, before.body, before.headers.get('etag')])
    expect(body.updated_at).toBe('1970-01-01T00:00:00.000Z')
    expect((await school.client.get(`/students/${id}`)).body).toEqual(before.body)
  })

  it('accepts ids in upper case and returns them in lower case', async () => {
    const instructor = await school.instructor()
    const student = await school.student({ preferred_instructor_id: instructor.id.toUpperCase() })
    expect(student.preferred_instructor_id).toBe(instructor.id)
    const read = await school.client.get(`/students/${student.id.toUpperCase()}`)
    expect([read.status, read.body]).toEqual([200, student])
  })

  it('is rejected with not_found for an unknown instructor or licence class', async () => {
    const { id } = await school.student()
    for (const field of ['preferred_instructor_id', 'license_class_template_id']) {
      const body = { first_name: 'Lena', last_name: 'Vogt', [field]: randomUUID() }
      const created = await school.client.post('/students', body)
      const changed = await school.client.patch(`/students/${id}`, { [field]: randomUUID() })
      expect([created.body.code, changed.body.code]).toEqual(['not_found', 'not_found'])
    }
    expect((await school.client.get('/students')).body).toHaveLength(1)
  })
})

describe('a deleted student', () => {
  it('returns 404 for every read and write, but keeps its row (S64)', async () => {
    const { id } = await school.student()
    const deleted = await school.client.delete(`/students/${id}`)
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    for (const answer of [
      await school.client.get(`/students/${id}`),
      await school.client.patch(`/students/${id}`, { notes: 'x' }),
      await school.client.patch(`/students/${id}`, {}),
      await school.client.delete(`/students/${id}`),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
    }
    expect((await school.client.get('/students')).body).toEqual([])
    expect((await school.client.get('/bootstrap')).body.students).toEqual([])
    const rows = await service().db.selectFrom('students').select('notes').where('id', '=', id).execute()
    expect(rows).toEqual([{ notes: null }])
  })

  it('has planned lessons that start after the current minute cancelled, and no others', async () => {
    const { id: student_id } = await school.student()
    const other = await school.student()
    const { id: instructor_id } = await school.instructor()
    const book = (times: object, more: object = {}) =>
      school.lesson({ instructor_id, student_id, ...times, ...more })
    const lessons = {
      earlier: await book(at('08:00', '09:00')),
      running: await book(at('11:30', '11:45')),
      now: await book(at('12:00', '12:01')),
      aMinuteLater: await book(at('12:01', '12:30')),
      nextYear: await book(at('12:01', '12:30', '2027-05-04')),
      completed: await book(at('13:00', '13:30'), { status: 'completed' }),
      noShow: await book(at('14:00', '14:30'), { status: 'no_show' }),
      cancelled: await book(at('15:00', '15:30'), { status: 'cancelled' }),
      ofAnother: await book(at('16:00', '16:30'), { student_id: other.id }),
      ofNobody: await book(at('17:00', '17:30'), { student_id: null }),
    }
    await school.client.delete(`/students/${student_id}`)
    const now = (await school.client.get('/appointments')).body as { id: string; status: string }[]
    const statuses = Object.entries(lessons).map(([name, { id, status }]) => [
      name,
      status,
      now.find((one) => one.id === id)?.status,
    ])
    expect(statuses).toEqual([
      ['earlier', 'planned', 'planned'],
      ['running', 'planned', 'planned'],
      ['now', 'planned', 'planned'],
      ['aMinuteLater', 'planned', 'cancelled'],
      ['nextYear', 'planned', 'cancelled'],
      ['completed', 'completed', 'completed'],
      ['noShow', 'no_show', 'no_show'],
      ['cancelled', 'cancelled', 'cancelled'],
      ['ofAnother', 'planned', 'planned'],
      ['ofNobody', 'planned', 'planned'],
    ])
  })

  it.each([
    ['Pacific/Auckland', 'cancelled', '2026-05-04 22:01'],
    ['Pacific/Auckland', 'planned', '2026-05-04 22:00'],
    ['America/New_York', 'cancelled', '2026-05-04 06:01'],
    ['America/New_York', 'planned', '2026-05-04 06:00'],
  ])('in %s has a lesson %s if it starts at %s local time', async (timezone, status, start_at) => {
    const abroad = await aSchool(service(), { timezone })
    const student = await abroad.student()
    const { id: instructor_id } = await abroad.instructor()
    const lesson = await abroad.lesson({
      instructor_id,
      student_id: student.id,
      start_at,
      end_at: '2026-05-04 23:00',
    })
    await abroad.client.delete(`/students/${student.id}`)
    expect((await abroad.client.get(`/appointments/${lesson.id}`)).body.status).toBe(status)
  })

  it('keeps lessons, which can be changed unless the change names the student', async () => {
    const { id: student_id } = await school.student()
    const { id: instructor_id } = await school.instructor()
    const lesson = await school.lesson({ instructor_id, student_id, ...at('08:00', '09:00') })
    await school.client.delete(`/students/${student_id}`)
    const path = `/appointments/${lesson.id}`
    for (const change of [
      {},
      { notes: 'Stau' },
      { status: 'completed' },
      { title: 'x' },
      at('09:00', '10:00'),
    ]) {
      const { status, body } = await school.client.patch(path, change)
      expect([status, body.student_id], JSON.stringify(change)).toEqual([200, student_id])
    }
    const named = await school.client.patch(path, { student_id })
    expect([named.status, named.body.code]).toEqual([404, 'not_found'])
    const booked = await school.book({ instructor_id, student_id, ...at('18:00', '19:00') })
    expect([booked.status, booked.body.code]).toEqual([404, 'not_found'])
    expect((await school.client.get(`/appointments?student_id=${student_id}`)).body).toHaveLength(1)
    expect((await school.client.patch(path, { student_id: null })).body.student_id).toBeNull()
  })
})
