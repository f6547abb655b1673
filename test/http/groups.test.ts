import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import type { Row } from '../support/factory.ts'
import { aGroupOffice, at, faultsOf, type GroupOffice, theoryOf } from '../support/group-office.ts'

const service = useService()
let office: GroupOffice

beforeAll(async () => {
  office = await aGroupOffice(service())
})

describe('a lesson type', () => {
  it('has 20 seats for theory and 1 for drives, which an owner can change', async () => {
    const { body } = await office.school.client.get('/lesson-types')
    const seats = Object.fromEntries(
      body.map((one: { code: string; seats: number }) => [one.code, one.seats]),
    )
    expect(seats).toMatchObject({ THEORY_BASIC: 20, THEORY_SPECIFIC: 20, PRACTICE: 1 })
    const path = `/tenant/lesson-types/${office.school.lessonTypes.THEORY_SPECIFIC}`
    const changed = await office.school.client.patch(path, { seats: 12 })
    expect([changed.status, changed.body.seats]).toEqual([200, 12])
    expect((await office.undo(changed)).body.undone).toEqual([office.school.lessonTypes.THEORY_SPECIFIC])
    for (const wrong of [0, 101, 1.5])
      expect((await office.school.client.patch(path, { seats: wrong })).status).toBe(400)
  })
})

describe('a group', () => {
  it('is booked with attendees instead of a student and gets the seats of its type', async () => {
    const { status, body } = await office.bookGroup({
      attendees: office.those(0, 1),
      topic: 'Thema 3',
      ...at('01'),
    })
    expect([status, body]).toMatchObject([
      201,
      {
        student_id: null,
        attendees: [
          { student_id: office.idAt(0), attended: null },
          { student_id: office.idAt(1), attended: null },
        ],
        seats: 20,
        topic: 'Thema 3',
        license_class: null,
      },
    ])
    expect((await office.school.client.get(`/appointments/${body.id}`)).body).toEqual(body)
    const listed = await office.school.client.get(
      `/appointments?student_id=${office.idAt(1)}&from=2040-05-01&to=2040-05-01`,
    )
    expect(listed.body).toEqual([body])
    const none = await office.school.client.get(
      `/appointments?student_id=${office.idAt(2)}&from=2040-05-01&to=2040-05-01`,
    )
    expect(none.body).toEqual([])
    const { body: history } = await office.school.client.get(`/appointments/${body.id}/history`)
    expect(history[0].after.attendees).toEqual(body.attendees)
  })

  it('has seats even without attendees, unlike a lesson of one student', async () => {
    expect(await office.group(at('02'))).toMatchObject({ attendees: [], seats: 20 })
    const alone = await office.group({ student_id: office.idAt(0), ...at('02', '20:00', '21:00') })
    expect(alone).toMatchObject({ attendees: [], seats: null })
    const drive = await office.school.lesson({
      instructor_id: office.ute.id,
      student_id: office.idAt(1),
      ...at('02'),
    })
    expect(drive).toMatchObject({ attendees: [], seats: null, topic: null })
  })

  it('gets 400 for invalid attendees or seats, and 404 for unknown students', async () => {
    const both = { student_id: office.idAt(0), attendees: office.those(1), ...at('03') }
    expect(faultsOf(await office.bookGroup(both))).toEqual([400, ['/attendees not_allowed']])
    const drive = { instructor_id: office.jonas.id, attendees: office.those(1), ...at('03') }
    expect(faultsOf(await office.school.book(drive))).toEqual([400, ['/attendees not_allowed']])
    const twice = { attendees: office.those(1, 2, 1), ...at('03') }
    expect(faultsOf(await office.bookGroup(twice))).toEqual([400, ['/attendees/2 duplicate']])
    expect(faultsOf(await office.bookGroup({ seats: 21, ...at('03') }))).toEqual([
      400,
      ['/seats out_of_range'],
    ])
    expect((await office.bookGroup({ seats: 0, ...at('03') })).status).toBe(400)
    expect((await office.bookGroup({ topic: 'x'.repeat(101), ...at('03') })).status).toBe(400)
    for (const student_id of [randomUUID(), office.jonas.id])
      expect((await office.bookGroup({ attendees: [{ student_id }], ...at('03') })).status).toBe(404)
    const lesson = await office.school.lesson({
      instructor_id: office.ute.id,
      student_id: office.idAt(0),
      ...at('03'),
    })
    const change = await office.school.client.patch(`/appointments/${lesson.id}`, {
      attendees: office.those(1),
    })
    expect(faultsOf(change)).toEqual([400, ['/attendees not_allowed']])
  })

  it('gets the code full before student_busy', async () => {
    await office.school.lesson({ instructor_id: office.ute.id, student_id: office.idAt(1), ...at('04') })
    const wanted = { attendees: office.those(0, 1, 2), seats: 2, ...at('04') }
    expect((await office.bookGroup(wanted)).body).toMatchObject({ code: 'full', params: { seats: 2 } })
    const checked = await office.school.client.post('/appointments/check', {
      instructor_id: office.jonas.id,
      lesson_type_id: theoryOf(office.school),
      ...wanted,
    })
    expect([
      checked.body.refusals.map(({ code }: { code: string }) => code),
      checked.body.alternatives,
    ]).toEqual([['full', 'student_busy'], []])
    const busy = await office.bookGroup({ ...wanted, seats: 3 })
    expect(busy.body).toMatchObject({ code: 'student_busy', params: { student_id: office.idAt(1) } })
  })

  it('conflicts with the other lessons of its students in bookings, changes and searches', async () => {
    const lesson = await office.group({ attendees: office.those(0, 1), ...at('05') })
    const drive = { instructor_id: office.ute.id, student_id: office.idAt(1), ...at('05', '19:00', '20:00') }
    const refused = await office.school.book(drive)
    expect(refused.body).toMatchObject({ code: 'student_busy', params: { appointment_id: lesson.id } })
    const other = {
      instructor_id: office.ute.id,
      lesson_type_id: theoryOf(office.school),
      ...at('05', '19:00', '20:30'),
    }
    expect((await office.school.book({ ...other, attendees: office.those(2, 0) })).body).toMatchObject({
      code: 'student_busy',
      params: { student_id: office.idAt(0), appointment_id: lesson.id },
    })
    const later = await office.school.lesson({ ...drive, ...at('05', '19:30', '20:30') })
    const moved = await office.school.client.patch(`/appointments/${lesson.id}`, {
      end_at: '2040-05-05 20:00',
    })
    expect(moved.body).toMatchObject({ code: 'student_busy', params: { appointment_id: later.id } })
    const search = `/slots?minutes=60&student_id=${office.idAt(0)}&instructor_id=${office.ute.id}&from=2040-05-05%2018:00&to=2040-05-05%2021:00&step=30&limit=200`
    const starts = (await office.school.client.get(search)).body.map((one: { start_at: string }) =>
      one.start_at.slice(11),
    )
    expect(starts).toEqual([])
    await office.school.client.delete(`/appointments/${later.id}`)
    const again = (await office.school.client.get(search)).body.map((one: { start_at: string }) =>
      one.start_at.slice(11),
    )
    expect(again).toEqual(['19:30', '20:00'])
  })

  it('has all of its students checked when it is planned again or restored', async () => {
    const lesson = await office.group({ attendees: office.those(0, 1), ...at('06') })
    const path = `/appointments/${lesson.id}`
    const cancelled = await office.school.client.patch(path, { status: 'cancelled' })
    await office.school.lesson({ instructor_id: office.ute.id, student_id: office.idAt(1), ...at('06') })
    expect((await office.school.client.patch(path, { status: 'planned' })).body.code).toBe('student_busy')
    expect((await office.undo(cancelled)).body.refused).toMatchObject([{ code: 'student_busy' }])
    expect((await office.school.client.patch(path, { status: 'planned', ...at('07') })).status).toBe(200)
    await office.school.client.delete(path)
    const drive = await office.school.lesson({
      instructor_id: office.ute.id,
      student_id: office.idAt(0),
      ...at('07'),
    })
    expect((await office.school.client.post(`${path}/restore`)).body.code).toBe('student_busy')
    await office.school.client.delete(`/appointments/${drive.id}`)
    expect(office.namesOf(await office.school.client.post(`${path}/restore`))).toEqual([0, 1])
  })

  it('keeps its attendees in a series, with alternatives at which all of them are free', async () => {
    await office.school.lesson({ instructor_id: office.ute.id, student_id: office.idAt(2), ...at('15') })
    const appointment = {
      instructor_id: office.jonas.id,
      lesson_type_id: theoryOf(office.school),
      attendees: office.those(2, 3),
      ...at('08'),
    }
    const body = { appointment, repeat: { every_weeks: 1, count: 2 } }
    const dry = await office.school.client.post('/appointments/series', { ...body, dry_run: true })
    const series = await office.school.client.post('/appointments/series', body)
    for (const { body } of [dry, series]) {
      expect(body.booked.map((one: Row) => one.attendees)).toMatchObject([office.those(2, 3)])
      expect(body.refused).toMatchObject([{ refusals: [{ code: 'student_busy' }] }])
      for (const { start_at, end_at } of body.refused[0].alternatives)
        expect(end_at <= '2040-05-15 18:00' || start_at >= '2040-05-15 19:30').toBe(true)
    }
  })

  it('counts once toward the limits of its instructor', async () => {
    const { id } = await office.school.instructor({ max_daily_units: 4 })
    const fields = { instructor_id: id, lesson_type_id: theoryOf(office.school) }
    const first = await office.school.book({
      ...fields,
      attendees: office.those(0, 1, 2),
      ...at('16', '08:00', '09:30'),
    })
    expect(first.status).toBe(201)
    const second = { ...fields, attendees: office.those(0, 1, 2, 3), ...at('16', '10:00', '11:30') }
    const checked = await office.school.client.post('/appointments/check', second)
    const { booked_units, requested_units } = checked.body.load.day
    expect([checked.body.allowed, booked_units + requested_units <= 4]).toEqual([true, true])
  })
})
