import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import type { Row } from '../support/factory.ts'
import { aGroupOffice, at, type GroupOffice, theoryOf } from '../support/group-office.ts'

const service = useService()
let office: GroupOffice
let small: string

const typePath = (id: string | undefined) => `/tenant/lesson-types/${id}`
const patch = (lesson: Row, change: object) =>
  office.school.client.patch(`/appointments/${lesson.id}`, change)
const full = (seats: number) => ({ code: 'full', params: { seats } })

beforeAll(async () => {
  office = await aGroupOffice(service())
  small = office.school.lessonTypes.THEORY_SPECIFIC ?? ''
  expect((await office.school.client.patch(typePath(small), { seats: 2 })).status).toBe(200)
})

describe('a group whose lesson type gets fewer seats', () => {
  it.each([10, 1])('keeps its 20 seats after the type is reduced to %i', async (seats) => {
    const lesson = await office.group({ attendees: office.those(0, 1), ...at(seats === 1 ? '02' : '01') })
    await office.school.client.patch(typePath(theoryOf(office.school)), { seats })
    expect((await patch(lesson, { title: 'Vorfahrt' })).body).toMatchObject({ title: 'Vorfahrt', seats: 20 })
    expect((await patch(lesson, { start_at: at('03').start_at, end_at: at('03').end_at })).status).toBe(200)
    expect((await office.school.client.patch(office.seat(lesson, 0), { attended: true })).status).toBe(200)
    expect((await office.school.client.post(office.seat(lesson, 2))).status).toBe(200)
    expect((await office.school.client.delete(office.seat(lesson, 2))).status).toBe(204)
    expect((await patch(lesson, { seats: 20 })).status).toBe(200)
    expect((await patch(lesson, { seats: 15 })).status).toBe(400)
    await office.school.client.delete(`/appointments/${lesson.id}`)
    await office.school.client.patch(typePath(theoryOf(office.school)), { seats: 20 })
  })
})

describe('a cancelled group', () => {
  it('rejects more attendees than seats with the code full', async () => {
    const three = { attendees: office.those(0, 1, 2), status: 'cancelled', ...at('05') }
    expect((await office.bookGroup({ ...three, seats: 2 })).body).toMatchObject(full(2))
    const lesson = await office.group({ ...three, seats: 3 })
    expect((await office.school.client.post(office.seat(lesson, 3))).body).toMatchObject(full(3))
    expect((await patch(lesson, { seats: 2 })).body).toMatchObject(full(2))
    expect((await patch(lesson, { seats: 99 })).status).toBe(400)
    expect((await patch(lesson, { seats: null })).body.seats).toBe(20)
    const planned = await office.group({ attendees: office.those(0, 1, 2), ...at('06') })
    expect((await patch(planned, { status: 'cancelled', seats: 2 })).body).toMatchObject(full(2))
  })

  it('can have seats, unlike a cancelled drive, which rejects them with 400', async () => {
    const drive = await office.school.lesson({
      instructor_id: office.ute.id,
      student_id: office.idAt(0),
      status: 'cancelled',
      ...at('05'),
    })
    expect((await patch(drive, { seats: 50 })).status).toBe(400)
  })
})

describe('a group whose lesson type is changed', () => {
  it('gets the seats of the new type, in the check and in the change', async () => {
    const lesson = await office.group({ attendees: office.those(0, 1, 2), ...at('08') })
    const change = { lesson_type_id: small }
    const check = (asked: object) =>
      office.school.client.post('/appointments/check', { appointment_id: lesson.id, ...asked })
    expect((await check(change)).body.refusals).toMatchObject([full(2)])
    expect((await patch(lesson, change)).body).toMatchObject(full(2))
    const two = { ...change, attendees: office.those(0, 1) }
    expect((await check(two)).body.allowed).toBe(true)
    expect((await patch(lesson, two)).body).toMatchObject({ seats: 2 })
    const back = { lesson_type_id: theoryOf(office.school), attendees: office.those(0, 1, 2) }
    expect((await check(back)).body.allowed).toBe(true)
    expect((await patch(lesson, back)).body).toMatchObject({ seats: 20 })
  })
})

it('a new list of attendees keeps the attendance of those who remain', async () => {
  const lesson = await office.group({ attendees: office.those(0, 1), ...at('09') })
  await office.school.client.patch(office.seat(lesson, 0), { attended: true })
  const { body } = await patch(lesson, { attendees: office.those(0, 2) })
  expect(body.attendees.map(({ attended }: Row) => attended)).toEqual([true, null])
})

it('a search for another time of a group considers all of its students', async () => {
  const lesson = await office.group({ attendees: office.those(0, 1), ...at('10') })
  const busy = at('10', '20:00', '21:30')
  await office.school.lesson({ instructor_id: office.ute.id, student_id: office.idAt(1), ...busy })
  const query = `appointment_id=${lesson.id}&minutes=90&instructor_id=${office.jonas.id}&from=2040-05-10&to=2040-05-10&limit=200`
  const { body } = await office.school.client.get(`/slots?${query}`)
  const starts = body.map(({ start_at }: Row) => start_at)
  expect(starts).toContain('2040-05-10 18:00')
  expect(starts).not.toContain(busy.start_at)
})
