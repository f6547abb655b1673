import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool, type School } from '../support/factory.ts'
import { PLAIN_LESSON } from '../support/group-fields.ts'
import { at } from '../support/times.ts'

const service = useService()
let school: School
let instructor_id: string

beforeEach(async () => {
  school = await aSchool(service())
  instructor_id = (await school.instructor()).id
})

async function age(id: string): Promise<void> {
  await service()
    .db.updateTable('appointments')
    .set({ updated_at: new Date(0) })
    .where('id', '=', id)
    .execute()
}

describe('a new appointment', () => {
  it('needs only an instructor, a lesson type and times, and gets defaults for the other fields', async () => {
    const { status, headers, body } = await school.client.post('/appointments', {
      instructor_id,
      lesson_type_id: school.lessonTypes.MOTORWAY,
      ...at('08:00', '09:30'),
    })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      instructor_id,
      student_id: null,
      lesson_type_id: school.lessonTypes.MOTORWAY,
      start_at: '2026-05-04 08:00',
      end_at: '2026-05-04 09:30',
      title: 'Autobahnfahrt (Sonderfahrt)',
      status: 'planned',
      notes: null,
      pickup_place: null,
      practised: null,
      actual_start_at: null,
      actual_end_at: null,
      overrides_used: [],
      ...PLAIN_LESSON,
      cancellation: null,
      version: 1,
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/),
      updated_at: body.created_at,
    })
    expect(headers.get('location')).toBe(`/api/v1/appointments/${body.id}`)
    expect((await school.client.get(`/appointments/${body.id}`)).body).toEqual(body)
    expect((await school.client.get('/appointments')).body).toEqual([body])
  })

  it('stores every given field, even with a date in the past', async () => {
    const { id: student_id } = await school.student()
    const given = {
      instructor_id,
      student_id,
      lesson_type_id: school.lessonTypes.NIGHT,
      ...at('21:00', '21:45', '2001-11-09'),
      title: 'Nachtfahrt II',
      status: 'completed',
      notes: 'Nebel',
    }
    const { status, body } = await school.client.post('/appointments', given)
    expect(status).toBe(201)
    expect(body).toMatchObject(given)
    expect((await school.client.get(`/appointments/${body.id}`)).body).toEqual(body)
  })

  it('accepts ids in upper case and returns them in lower case', async () => {
    const { id: student_id } = await school.student()
    const body = {
      instructor_id: instructor_id.toUpperCase(),
      student_id: student_id.toUpperCase(),
      lesson_type_id: school.lessonTypes.PRACTICE?.toUpperCase(),
      ...at('08:00', '09:30'),
    }
    const lesson = await school.lesson(body)
    expect(lesson).toMatchObject({
      instructor_id,
      student_id,
      lesson_type_id: school.lessonTypes.PRACTICE,
    })
    const moved = { instructor_id: instructor_id.toUpperCase(), ...at('08:15', '09:45') }
    expect((await school.client.patch(`/appointments/${lesson.id.toUpperCase()}`, moved)).status).toBe(200)
  })

  it('is rejected with not_found if its student is deleted', async () => {
    const { id: student_id } = await school.student()
    await school.client.delete(`/students/${student_id}`)
    const lesson = await school.lesson({ instructor_id, ...at('12:00', '13:00') })
    const booked = await school.book({ instructor_id, student_id, ...at('08:00', '09:00') })
    const changed = await school.client.patch(`/appointments/${lesson.id}`, { student_id })
    expect([booked.body.code, changed.body.code]).toEqual(['not_found', 'not_found'])
    expect((await school.client.get('/appointments')).body).toEqual([lesson])
  })
})

describe('a change of an appointment', () => {
  it('updates each field on its own and nothing else', async () => {
    let before = await school.lesson({ instructor_id, ...at('08:00', '09:30') })
    const { id: student_id } = await school.student()
    const { id: another } = await school.instructor()
    for (const change of [
      { instructor_id: another },
      { student_id },
      { student_id: null },
      { start_at: '2026-05-04 08:15' },
      { end_at: '2026-05-04 10:00' },
      at('13:00', '14:00', '2026-06-01'),
      { title: 'Wiederholung' },
      { status: 'completed' },
      { status: 'no_show' },
      { status: 'planned' },
      { notes: 'x' },
      { notes: '' },
      { notes: null },
    ]) {
      await age(before.id)
      const { status, body } = await school.client.patch(`/appointments/${before.id}`, change)
      expect([status, body], JSON.stringify(change)).toEqual([
        200,
        { ...before, ...change, version: Number(before.version) + 1, updated_at: body.updated_at },
      ])
      expect(body.updated_at > '2026').toBe(true)
      expect((await school.client.get(`/appointments/${before.id}`)).body).toEqual(body)
      before = body
    }
  })

  it('has no effect with {}, and leaves updated_at and ETag unchanged', async () => {
    const { id } = await school.lesson({ instructor_id, ...at('08:00', '09:30') })
    await age(id)
    const before = await school.client.get(`/appointments/${id}`)
    const { status, body, headers } = await school.client.patch(`/appointments/${id}`, {})
    expect([status, body, headers.get('etag')]).toEqual([200, before.body, before.headers.get('etag')])
    expect(body.updated_at).toBe('1970-01-01T00:00:00.000Z')
    expect((await school.client.get(`/appointments/${id}`)).body).toEqual(before.body)
  })

  it('keeps the default title when the lesson type changes', async () => {
    const { id, title } = await school.lesson({ instructor_id, ...at('08:00', '09:30') })
    const change = { lesson_type_id: school.lessonTypes.RURAL }
    const { body } = await school.client.patch(`/appointments/${id}`, change)
    expect(body).toMatchObject({ ...change, title })
    expect(title).toBe('Übungsfahrt (Grundausbildung)')
  })

  it('returns 404 for an unknown instructor, student or lesson type, and writes nothing', async () => {
    const lesson = await school.lesson({ instructor_id, ...at('08:00', '09:30') })
    for (const field of ['instructor_id', 'student_id', 'lesson_type_id']) {
      const change = { [field]: randomUUID(), notes: 'x' }
      const { status, body } = await school.client.patch(`/appointments/${lesson.id}`, change)
      expect([status, body.code], field).toEqual([404, 'not_found'])
    }
    expect((await school.client.get(`/appointments/${lesson.id}`)).body).toEqual(lesson)
  })
})

describe('a deleted appointment', () => {
  it('returns 404 on every read and write, frees its time, and remains as a row (S64)', async () => {
    const { id: student_id } = await school.student()
    const lesson = await school.lesson({ instructor_id, student_id, ...at('08:00', '09:30') })
    const deleted = await school.client.delete(`/appointments/${lesson.id}`)
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    for (const answer of [
      await school.client.get(`/appointments/${lesson.id}`),
      await school.client.patch(`/appointments/${lesson.id}`, { notes: 'x' }),
      await school.client.patch(`/appointments/${lesson.id}`, {}),
      await school.client.delete(`/appointments/${lesson.id}`),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
    }
    expect((await school.client.get('/appointments')).body).toEqual([])
    await school.lesson({ instructor_id, student_id, ...at('08:00', '09:30') })
    const query = service().db.selectFrom('appointments').select(['status', 'notes'])
    expect(await query.where('id', '=', lesson.id).execute()).toEqual([{ status: 'planned', notes: null }])
  })
})

describe('overrides_used', () => {
  const LIMITS = { max_daily_units: 2, max_daily_override: 4, max_weekly_units: 3, max_weekly_override: 8 }

  it('lists the limits that the appointment exceeds', async () => {
    const { id } = await school.instructor(LIMITS)
    const booked = []
    for (const [start, end, day] of [
      ['08:00', '09:30', '2026-05-04'],
      ['08:00', '09:30', '2026-05-05'],
      ['12:00', '12:45', '2026-05-05'],
      ['08:00', '10:15', '2026-05-12'],
      ['08:00', '08:45', '2026-05-11'],
    ] as const) {
      const { overrides_used } = await school.lesson({ instructor_id: id, ...at(start, end, day) })
      booked.push(overrides_used)
    }
    expect(booked).toEqual([[], ['weekly'], ['daily', 'weekly'], ['daily'], ['weekly']])
  })

  it('is recalculated only when the rules run again', async () => {
    const { id } = await school.instructor(LIMITS)
    const lesson = await school.lesson({ instructor_id: id, ...at('08:00', '10:15') })
    expect(lesson.overrides_used).toEqual(['daily'])
    await school.client.patch(`/instructors/${id}`, { max_daily_units: 8 })
    const change = async (fields: object) =>
      (await school.client.patch(`/appointments/${lesson.id}`, fields)).body.overrides_used
    expect(await change({ notes: 'x' })).toEqual(['daily'])
    expect(await change({ status: 'completed' })).toEqual(['daily'])
    expect(await change({ title: 'x' })).toEqual([])
  })
})
