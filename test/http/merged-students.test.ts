import { beforeEach, describe, expect, it } from 'vitest'
import { type NewMessage, queueMessages } from '../../src/db/messages/messages.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { contradictionsIn } from '../support/contradictions.ts'
import { findingsInSchool } from '../support/doctor.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'
import { aDrive, sign } from '../support/signing.ts'

const service = useService()
let school: School
let instructor: Row
let template: string
let self: Row
let other: Row

const at = (day: string, from = '08:00', to = '09:30') => ({
  start_at: `${day} ${from}`,
  end_at: `${day} ${to}`,
})

beforeEach(async () => {
  school = await aSchool(service())
  instructor = await school.instructor({ license_classes: ['B'] })
  const templates = must(200, await school.client.get('/license-class-templates')) as Row[]
  template = String(templates.find(({ code }) => code === 'B')?.id)
  self = await school.student({ license_class_template_id: template, email: 'lena@reader.example' })
  other = await school.student({ license_class_template_id: template, phone: '0170 1234567', notes: 'Old.' })
})

const merge = (body: object = {}, id = self.id) =>
  school.client.post(`/students/${id}/merge`, { other_id: other.id, ...body })
const lesson = (student: Row, time: object) =>
  school.lesson({ instructor_id: instructor.id, student_id: student.id, ...time })
const enrolments = async (student: Row): Promise<Row[]> =>
  must(200, await school.client.get(`/students/${student.id}/enrolments`)) as Row[]
const get = async (path: string) => must(200, await school.client.get(path))
const findings = async () =>
  (await findingsInSchool(service().db, school.tenantId)).map(({ detail, resource, code }) => [
    resource,
    code,
    detail,
  ])

/** Undoes the student's last set, a merge or its undo. */
async function undoLast(): Promise<void> {
  const [last] = (await get(`/students/${self.id}/history`)) as unknown as Row[]
  const { refused } = must(200, await school.client.post(`/changes/sets/${last?.set_id}/undo`))
  expect(refused).toEqual([])
}

/** Returns all that belongs to a student. */
async function allOf(student: Row) {
  const { version: _, updated_at: __, ...row } = await get(`/students/${student.id}`)
  const plain = (rows: unknown) =>
    (rows as Row[])
      .map(({ version: _v, updated_at: _u, ...rest }) => rest)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return {
    row,
    lessons: plain(await get(`/appointments?student_id=${student.id}`)),
    enrolments: plain(await enrolments(student)),
    wishes: plain(await get(`/students/${student.id}/wishes`)),
    balance: await get(`/students/${student.id}/opening-balance`),
  }
}

describe('merging students', () => {
  it('moves everything, ends the second training of the class, and is undone and redone as a whole', async () => {
    const [own, others] = [(await enrolments(self))[0] as Row, (await enrolments(other))[0] as Row]
    const kept = await lesson(self, at('2099-03-02'))
    const moved = await lesson(other, at('2099-03-03'))
    const theory = must(
      201,
      await school.client.post('/appointments', {
        ...at('2099-03-04'),
        instructor_id: instructor.id,
        lesson_type_id: school.lessonTypes.THEORY_BASIC,
        attendees: [{ student_id: other.id }],
      }),
    )
    must(201, await school.client.post(`/students/${other.id}/wishes`, { minutes: 90 }))
    must(
      200,
      await school.client.put(`/students/${other.id}/availability/2099-03-02`, { lessons: 0, windows: [] }),
    )
    const brought = [
      { lesson_type_id: school.lessonTypes.RURAL, units: 3, date: '2026-01-31', source: 'Elsewhere' },
    ]
    must(200, await school.client.put(`/students/${other.id}/opening-balance`, brought))
    must(200, await school.client.put(`/enrolments/${others.id}/ticks/contract`, { date: '2026-01-20' }))
    const before = { self: await allOf(self), other: await allOf(other) }

    const answer = await merge({ take: { phone: 'other', notes: 'this', email: 'this' } })
    expect(must(200, answer)).toMatchObject({
      id: self.id,
      phone: '0170 1234567',
      notes: null,
      email: 'lena@reader.example',
    })
    expect(answer.headers.get('etag')).toBe(`"${answer.body.version}"`)
    expect((await school.client.get(`/students/${other.id}`)).status).toBe(404)
    const lessons = (await get(`/appointments?student_id=${self.id}`)) as unknown as Row[]
    expect(lessons.map(({ id }) => id).toSorted()).toEqual([kept.id, moved.id, theory.id].toSorted())
    expect(lessons.find(({ id }) => id === moved.id)).toMatchObject({
      student_id: self.id,
      enrolment_id: own.id,
    })
    expect(lessons.find(({ id }) => id === theory.id)?.attendees).toMatchObject([{ student_id: self.id }])
    const all = await enrolments(self)
    expect(all.find(({ id }) => id === own.id)).toMatchObject({ outcome: null, is_current: true })
    expect(all.find(({ id }) => id === others.id)).toMatchObject({ outcome: 'changed', is_current: false })
    expect(await get(`/students/${self.id}/opening-balance`)).toMatchObject([{ units: 3 }])
    expect(await get(`/students/${self.id}/wishes`)).toHaveLength(1)
    expect(await get(`/students/${self.id}/availability/2099-03-02`)).toMatchObject({ lessons: 0 })
    const ticks = (await get(`/enrolments/${own.id}/ticks`)) as unknown as Row[]
    expect(ticks.find(({ kind }) => kind === 'contract')).toMatchObject({ date: '2026-01-20' })
    expect(JSON.stringify(await findings())).toBe('[]')
    const after = await allOf(self)

    const setOf = async () => ((await get(`/students/${self.id}/history`)) as unknown as Row[])[0]?.set_id
    const undo = async () => must(200, await school.client.post(`/changes/sets/${await setOf()}/undo`))
    expect(await undo()).toMatchObject({ refused: [] })
    expect({ self: await allOf(self), other: await allOf(other) }).toEqual(before)
    expect(JSON.stringify(await findings())).toBe('[]')
    expect(await undo()).toMatchObject({ refused: [] })
    expect(await allOf(self)).toEqual(after)
    expect((await school.client.get(`/students/${other.id}`)).status).toBe(404)
    expect(JSON.stringify(await findings())).toBe('[]')
    expect(await contradictionsIn(service().db, school as never).catch(() => ({}))).toEqual({})
  })

  it('gives a student without a training that of the other, with units that wait', async () => {
    const plain = await school.student()
    const brought = [
      { lesson_type_id: school.lessonTypes.RURAL, units: 2, date: '2026-01-31', source: 'Elsewhere' },
    ]
    must(200, await school.client.put(`/students/${plain.id}/opening-balance`, brought))
    const merged = must(200, await merge({}, plain.id))
    expect(merged).toMatchObject({ license_class_template_id: template })
    expect(await get(`/students/${plain.id}/opening-balance`)).toMatchObject([{ units: 2 }])
    expect(JSON.stringify(await findings())).toBe('[]')
    const [change] = (await get(`/students/${plain.id}/history`)) as unknown as Row[]
    must(200, await school.client.post(`/changes/sets/${change?.set_id}/undo`))
    expect(await get(`/students/${plain.id}`)).toMatchObject({ license_class_template_id: null })
    expect(await get(`/students/${plain.id}/opening-balance`)).toMatchObject([{ units: 2 }])
    expect(JSON.stringify(await findings())).toBe('[]')
  })

  it('is 409 student_busy with overlapping lessons, and writes nothing', async () => {
    await lesson(self, at('2099-03-02'))
    const colleague = await school.instructor()
    const { id } = await school.lesson({
      ...at('2099-03-02', '09:00', '10:00'),
      instructor_id: colleague.id,
      student_id: other.id,
    })
    const { status, body } = await merge()
    expect([status, body.code, body.params]).toEqual([
      409,
      'student_busy',
      { appointment_id: id, start_at: '2099-03-02 09:00', end_at: '2099-03-02 10:00' },
    ])
    expect(must(200, await school.client.get(`/students/${other.id}`)).version).toBe(1)
    must(200, await school.client.post(`/appointments/${id}/cancel`, { by: 'student' }))
    must(200, await merge())
  })

  it('is taken back only while nothing that moved has changed or is referred to', async () => {
    const moved = await lesson(other, at('2099-03-03'))
    must(200, await merge())
    const [change] = (await get(`/students/${self.id}/history`)) as unknown as Row[]
    must(200, await school.client.patch(`/appointments/${moved.id}`, { notes: 'Later.' }))
    const { body } = await school.client.post(`/changes/sets/${change?.set_id}/undo`)
    expect(body.undone).toEqual([])
    expect(new Set(body.refused.map(({ code }: Row) => code))).toEqual(new Set(['changed_since']))
  })

  it('keeps a current student current, and two former ones former', async () => {
    must(200, await school.client.patch(`/students/${self.id}`, { archived: true }))
    expect(must(200, await merge()).archived_at).toBeNull()
  })

  it('leaves signatures where they are: the student who has some is kept, and two who have stay two', async () => {
    const drive = (student: Row, day: string) =>
      aDrive(school, { instructor_id: instructor.id, student_id: student.id }, at(day))
    must(201, await sign(school, await drive(other, '2026-05-04')))
    const refused = await merge()
    expect([refused.status, refused.body.code, refused.body.params]).toEqual([
      409,
      'student_signed',
      { both: false },
    ])
    expect(must(200, await school.client.get(`/students/${other.id}`)).version).toBe(1)
    must(201, await sign(school, await drive(self, '2026-05-05')))
    expect((await merge()).body.params).toEqual({ both: true })
    await service().db.deleteFrom('signatures').where('student_id', '=', other.id).execute()
    must(200, await merge())
  })

  it.each([
    [null, { reason: 'Fee', until: '2030-06-30' }, { reason: 'Fee', until: '2030-06-30' }],
    [{ reason: 'Fee', until: '2030-06-30' }, null, { reason: 'Fee', until: '2030-06-30' }],
    [
      { reason: 'Fee', until: '2031-06-30' },
      { reason: 'Court', until: '2030-06-30' },
      { reason: 'Fee; Court', until: '2031-06-30' },
    ],
    [
      { reason: 'Fee', until: '2030-06-30' },
      { reason: 'Fee', until: null },
      { reason: 'Fee', until: null },
    ],
    [null, null, null],
  ])('with the holds %j and %j keeps %j, and an undo restores both', async (own, theirs, kept) => {
    const hold = (student: Row) => `/students/${student.id}/hold`
    for (const [student, given] of [
      [self, own],
      [other, theirs],
    ] as const)
      if (given) must(200, await school.client.put(hold(student), given))
    const holdOf = async (student: Row) => {
      const { status, body } = await school.client.get(hold(student))
      return status === 404 ? null : body
    }
    const answer = await merge()
    expect(answer.headers.get('etag')).toBe(
      `"${must(200, await school.client.get(`/students/${self.id}`)).version}"`,
    )
    expect([await holdOf(self), await holdOf(other)]).toEqual([kept, theirs])
    expect(JSON.stringify(await findings())).toBe('[]')
    await undoLast()
    expect([await holdOf(self), await holdOf(other)]).toEqual([own, theirs])
    expect(JSON.stringify(await findings())).toBe('[]')
    await undoLast()
    expect(await holdOf(self)).toEqual(kept)
    expect(JSON.stringify(await findings())).toBe('[]')
  })

  it('takes deleted lessons along, which can then be restored, and leaves them with an undo', async () => {
    const gone = await lesson(other, at('2099-03-03'))
    const [own] = await enrolments(self)
    must(204, await school.client.delete(`/appointments/${gone.id}`))
    must(200, await merge())
    expect(JSON.stringify(await findings())).toBe('[]')
    await undoLast()
    expect(JSON.stringify(await findings())).toBe('[]')
    await undoLast()
    expect(must(200, await school.client.post(`/appointments/${gone.id}/restore`))).toMatchObject({
      student_id: self.id,
      enrolment_id: own?.id,
    })
    expect(JSON.stringify(await findings())).toBe('[]')
  })

  it('moves messages, and an undo moves back those that were made before or still wait', async () => {
    const { id } = await lesson(other, at('2099-03-03'))
    const { id: elsewhere } = await lesson(self, at('2099-03-04'))
    const queue = (kind: NewMessage['kind'], student_id: string, appointment_id: string) => {
      const times = { ...at('2099-03-03'), was: null }
      const lessons = [{ appointment_id, instructor_id: instructor.id, ...times }]
      const [send_at, worth_until] = [new Date(), new Date('2099-03-02T07:00:00Z')]
      const message = {
        kind,
        student_id,
        lessons,
        channel: 'mail',
        to_address: 'lena@reader.example',
      } as const
      return queueMessages(service().db, school.tenantId, send_at, [{ ...message, send_at, worth_until }])
    }
    const receivers = async () => {
      const rows = (await service()
        .db.selectFrom('messages')
        .select(['kind', 'student_id'])
        .where('tenant_id', '=', school.tenantId)
        .where('kind', 'in', ['moved', 'cancelled', 'reminder', 'booked'])
        .where('send_at', '>', new Date(0))
        .execute()) as readonly { readonly kind: string; readonly student_id: string | null }[]
      return Object.fromEntries(rows.map(({ kind, student_id }) => [kind, student_id === self.id]))
    }
    const finish = (kind: NewMessage['kind']) =>
      service()
        .db.updateTable('messages')
        .set({ state: 'sent', finished_at: new Date() })
        .where('tenant_id', '=', school.tenantId)
        .where('kind', '=', kind)
        .execute()
    await service().db.deleteFrom('messages').where('tenant_id', '=', school.tenantId).execute()
    await queue('moved', other.id, id)
    await queue('booked', self.id, elsewhere)
    await finish('moved')
    must(200, await merge())
    expect(await receivers()).toEqual({ moved: true, booked: true })
    await queue('cancelled', self.id, id)
    await finish('cancelled')
    await queue('reminder', self.id, id)
    await undoLast()
    expect(await receivers()).toEqual({ moved: false, booked: true, cancelled: true, reminder: false })
    await undoLast()
    expect(await receivers()).toEqual({ moved: true, booked: true, cancelled: true, reminder: true })
  })

  it.each([
    [{}, '/other_id', 'required'],
    [{ other_id: 'x' }, '/other_id', 'invalid_format'],
    [{ other_id: null }, '/other_id', 'wrong_type'],
    [
      { other_id: '019a7c3e-5b7a-7d10-8c6f-2f4b9e1d3a55', take: { phone: 'mine' } },
      '/take/phone',
      'not_allowed',
    ],
    [
      { other_id: '019a7c3e-5b7a-7d10-8c6f-2f4b9e1d3a55', take: { age: 'this' } },
      '/take/age',
      'unknown_field',
    ],
    [{ other_id: '019a7c3e-5b7a-7d10-8c6f-2f4b9e1d3a55', take: null }, '/take', 'wrong_type'],
  ])('refuses %j', async (body, pointer, code) => {
    const answer = await school.client.post(`/students/${self.id}/merge`, body)
    expect([answer.status, answer.body.errors]).toEqual([400, [expect.objectContaining({ pointer, code })]])
  })

  it('refuses itself with 400, and unknown, foreign and deleted students with the same 404', async () => {
    const same = await merge({ other_id: self.id })
    expect([same.status, same.body.errors[0]]).toMatchObject([400, { pointer: '/other_id' }])
    const foreign = await (await aSchool(service())).student()
    const gone = await school.student()
    await school.client.delete(`/students/${gone.id}`)
    for (const other_id of [foreign.id, gone.id, '019a7c3e-5b7a-7d10-8c6f-2f4b9e1d3a55']) {
      expect((await merge({ other_id })).status).toBe(404)
      expect((await merge({ other_id: self.id }, other_id)).status).toBe(404)
    }
  })

  it('is forbidden for instructors', async () => {
    const user = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id: instructor.id })
    const { client } = await enter(service(), { tenantId: school.tenantId, user })
    expect((await client.post(`/students/${self.id}/merge`, { other_id: other.id })).status).toBe(403)
  })
})
