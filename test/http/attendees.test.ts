import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import type { Answer, Client } from '../support/client.ts'
import { aSchool, aUser, enter, type Row } from '../support/factory.ts'
import { aGroupOffice, at, faultsOf, type GroupOffice, theoryOf } from '../support/group-office.ts'

const service = useService()
let office: GroupOffice

beforeAll(async () => {
  office = await aGroupOffice(service())
})

const codeOf = ({ status, body }: Answer) => [status, body.code]

describe('an attendee', () => {
  it('is added once, and only if a seat is free', async () => {
    const lesson = await office.group({ seats: 2, ...at('17') })
    const first = await office.school.client.post(office.seat(lesson, 0))
    expect([first.status, office.namesOf(first), first.body.version]).toEqual([200, [0], 2])
    expect((await office.school.client.post(office.seat(lesson, 0))).body).toEqual(first.body)
    expect(office.namesOf(await office.school.client.post(office.seat(lesson, 1)))).toEqual([0, 1])
    expect((await office.school.client.post(office.seat(lesson, 2))).body).toMatchObject({
      code: 'full',
      params: { seats: 2 },
    })
    expect((await office.school.client.patch(`/appointments/${lesson.id}`, { seats: 1 })).body.code).toBe(
      'full',
    )
    const drive = { instructor_id: office.ute.id, student_id: office.idAt(2), ...at('17') }
    await office.school.lesson(drive)
    await office.school.client.patch(`/appointments/${lesson.id}`, { seats: 3 })
    expect((await office.school.client.post(office.seat(lesson, 2))).body.code).toBe('student_busy')
    expect(
      (await office.school.client.post(`/appointments/${lesson.id}/attendees/${randomUUID()}`)).status,
    ).toBe(404)
    expect(
      (await office.school.client.post(`/appointments/${randomUUID()}/attendees/${office.idAt(0)}`)).status,
    ).toBe(404)
    const single = await office.school.lesson({
      instructor_id: office.ute.id,
      student_id: office.idAt(3),
      ...at('18'),
    })
    expect(faultsOf(await office.school.client.post(office.seat(single, 0)))).toEqual([
      400,
      ['/attendees not_allowed'],
    ])
  })

  it('can be removed only until the group begins', async () => {
    const lesson = await office.group({ attendees: office.those(0, 1), ...at('19') })
    const stale = await office.school.client.delete(office.seat(lesson, 0), { 'if-match': '"7"' })
    expect(stale.status).toBe(412)
    const left = await office.school.client.delete(office.seat(lesson, 0))
    expect([left.status, left.text, left.headers.get('etag')]).toEqual([204, '', '"2"'])
    expect(office.namesOf(await office.school.client.get(`/appointments/${lesson.id}`))).toEqual([1])
    expect((await office.school.client.delete(office.seat(lesson, 0))).status).toBe(404)
    expect((await office.undo(left)).body.undone).toEqual([lesson.id])
    const past = await office.group({
      attendees: office.those(0),
      start_at: '2020-05-04 18:00',
      end_at: '2020-05-04 19:30',
    })
    const late = await office.school.client.delete(office.seat(past, 0), { 'if-match': '"7"' })
    expect(codeOf(late)).toEqual([412, 'stale'])
    expect(codeOf(await office.school.client.delete(office.seat(past, 0)))).toEqual([409, 'already_begun'])
    const emptied = await office.school.client.patch(`/appointments/${past.id}`, { attendees: [] })
    expect(codeOf(emptied)).toEqual([409, 'already_begun'])
    expect(office.namesOf(await office.school.client.post(office.seat(past, 1)))).toEqual([0, 1])
  })

  it("can be marked as attended by the office and the group's instructor, regardless of the rules", async () => {
    const { id } = await office.school.instructor()
    const lesson = await office.group({ instructor_id: id, attendees: office.those(0, 1), ...at('20') })
    await office.school.client.patch(`/instructors/${id}`, { active: false })
    const as = async (instructor_id: string) => {
      const user = await aUser(service(), office.school.tenantId, { role: 'instructor', instructor_id })
      return (await enter(service(), { tenantId: office.school.tenantId, user })).client
    }
    const [own, other] = [await as(id), await as(office.jonas.id)]
    const marked = await own.patch(office.seat(lesson, 0), { attended: true })
    expect([marked.status, marked.body.attendees]).toEqual([
      200,
      [
        { student_id: office.idAt(0), attended: true, enrolment_id: null },
        { student_id: office.idAt(1), attended: null, enrolment_id: null },
      ],
    ])
    expect((await other.patch(office.seat(lesson, 0), { attended: false })).status).toBe(404)
    expect((await own.post(office.seat(lesson, 2))).status).toBe(403)
    expect((await own.delete(office.seat(lesson, 1))).status).toBe(403)
    expect((await own.get(`/students/${office.idAt(1)}`)).status).toBe(200)
    const undone = await own.post(`/changes/sets/${marked.headers.get('x-request-id')}/undo`)
    expect(undone.body.undone).toEqual([lesson.id])
    expect(
      (await office.school.client.patch(office.seat(lesson, 1), { attended: false })).body.attendees[1]
        .attended,
    ).toBe(false)
    expect((await office.school.client.patch(office.seat(lesson, 3), { attended: true })).status).toBe(404)
    const before = await office.school.client.get(`/appointments/${lesson.id}`)
    const unchanged = await office.school.client.patch(office.seat(lesson, 1), {})
    expect([unchanged.status, unchanged.body]).toEqual([200, before.body])
    expect((await office.school.client.patch(office.seat(lesson, 3), {})).status).toBe(404)
    expect((await office.school.client.patch(office.seat(lesson, 1), { attended: 'yes' })).status).toBe(400)
  })
})

describe('another school', () => {
  it('gets 404 for the group and its students, as for unknown and malformed ids', async () => {
    const theirs = await aSchool(service())
    const student = await theirs.student()
    const lesson = await office.group({ attendees: office.those(0), ...at('23') })
    const ask = (client: Client, path: string) =>
      Promise.all([client.post(path), client.delete(path), client.patch(path, { attended: true })])
    const statuses = async (client: Client, path: string) =>
      (await ask(client, path)).map(({ status, body }) => `${status} ${body.code}`)
    const nothing = Array.from({ length: 3 }, () => '404 not_found')
    for (const id of [student.id, randomUUID(), 'x', office.ute.id])
      expect(await statuses(office.school.client, `/appointments/${lesson.id}/attendees/${id}`)).toEqual(
        nothing,
      )
    for (const id of [student.id, office.idAt(0)])
      expect(await statuses(theirs.client, `/appointments/${lesson.id}/attendees/${id}`)).toEqual(nothing)
    expect((await office.bookGroup({ attendees: [{ student_id: student.id }], ...at('24') })).status).toBe(
      404,
    )
    expect((await office.school.client.get(`/appointments/${lesson.id}`)).body).toEqual(lesson)
    const upper = `/appointments/${lesson.id.toUpperCase()}/attendees/${office.idAt(0).toUpperCase()}`
    expect((await office.school.client.patch(upper, { attended: true })).body.attendees[0].attended).toBe(
      true,
    )
  })
})

describe('progress', () => {
  it('counts attended units of completed groups, and each topic only once', async () => {
    const templates = (await office.school.client.get('/license-class-templates')).body
    const license_class_template_id = templates.find(({ code }: { code: string }) => code === 'B').id
    const { id } = await office.school.student({ license_class_template_id })
    const units = async () => {
      const { requirements } = (await office.school.client.get(`/students/${id}/progress`)).body
      const { done_units, planned_units, open_units } = requirements.find(
        ({ lesson_type_id }: { lesson_type_id: string }) => lesson_type_id === theoryOf(office.school),
      )
      return [done_units, planned_units, open_units]
    }
    const [, , open] = await units()
    const inGroup = (day: number, topic: string | null) => {
      const date = `2020-06-${String(day).padStart(2, '0')}`
      const times = { start_at: `${date} 18:00`, end_at: `${date} 19:30` }
      return office.group({ attendees: [{ student_id: id }], topic, ...times })
    }
    const hold = async (lesson: Row, attended: boolean | null) => {
      await office.school.client.patch(`/appointments/${lesson.id}/attendees/${id}`, { attended })
      await office.school.client.patch(`/appointments/${lesson.id}`, { status: 'completed' })
    }
    const first = await inGroup(1, 'Thema 1')
    expect(await units()).toEqual([0, 2, open - 2])
    await office.school.client.patch(`/appointments/${first.id}/attendees/${id}`, { attended: true })
    expect(await units()).toEqual([0, 2, open - 2])
    await hold(first, true)
    expect(await units()).toEqual([2, 0, open - 2])
    const again = await inGroup(2, 'Thema 1')
    expect(await units()).toEqual([2, 0, open - 2])
    await hold(again, true)
    expect(await units()).toEqual([2, 0, open - 2])
    for (const attended of [false, null])
      await hold(await inGroup(attended === null ? 4 : 3, 'Thema 2'), attended)
    expect(await units()).toEqual([2, 0, open - 2])
    for (const [index, topic] of ['Thema 2', null, null].entries())
      await hold(await inGroup(5 + index, topic), true)
    expect(await units()).toEqual([8, 0, open - 8])
    for (const number of Array.from({ length: 8 }, (_, index) => index + 3))
      await hold(await inGroup(7 + number, `Thema ${number}`), true)
    expect(await units()).toEqual([24, 0, 0])
    const { body } = await office.school.client.get('/students?with=progress')
    const listed = body.find((one: Row) => one.id === id)
    expect(listed.progress.theory.done_units).toBe(24)
  })
})
