import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Appointment } from '../../src/contract/appointment.ts'
import { useService } from '../support/app.ts'
import { aSeriesOffice, MONDAY, type SeriesOffice } from '../support/series-office.ts'

const service = useService()
let office: SeriesOffice
let other: { id: string }

beforeEach(async () => {
  office = await aSeriesOffice(service())
  other = await office.school.instructor()
})

type Fields = Readonly<Record<string, unknown>>

const at = (date: string, start: string, end: string, fields: Fields = {}) =>
  office.lesson({ start_at: `${date} ${start}`, end_at: `${date} ${end}`, ...fields })
const book = (appointments: readonly Fields[], headers = {}) =>
  office.school.client.post('/appointments/batch', { appointments }, headers)
const DAY_AFTER = '2099-03-03'

describe('a batch', () => {
  it('books lessons on several days and with several instructors as one set of changes', async () => {
    const wanted = [
      at(MONDAY, '17:00', '18:30'),
      at(DAY_AFTER, '18:00', '19:30', { instructor_id: other.id, title: 'Night', notes: 'at home' }),
      at(MONDAY, '08:00', '09:30'),
    ]
    const answer = await book(wanted)
    expect(answer.status).toBe(200)
    const { appointments } = answer.body
    expect(appointments).toMatchObject(wanted)
    expect(appointments.map(({ series_id }: Appointment) => series_id)).toEqual([null, null, null])
    const byStart = appointments.toSorted((a: Appointment, b: Appointment) =>
      a.start_at < b.start_at ? -1 : 1,
    )
    expect(await office.all()).toEqual(byStart)
    const changes = (await office.school.client.get('/changes?resource=appointment')).body
    const set = answer.headers.get('x-request-id')
    expect(changes.map(({ set_id }: Fields) => set_id)).toEqual([set, set, set])
  })

  it('books nothing if one lesson is rejected, and returns its index', async () => {
    await office.school.lesson({
      instructor_id: other.id,
      start_at: `${DAY_AFTER} 18:00`,
      end_at: `${DAY_AFTER} 19:00`,
    })
    const before = await office.all()
    const { status, body } = await book([
      at(MONDAY, '17:00', '18:30'),
      at(DAY_AFTER, '18:30', '20:00', { instructor_id: other.id }),
    ])
    expect([status, body.code, body.params.appointment_index]).toEqual([409, 'instructor_busy', 1])
    expect(body.params).toMatchObject({ start_at: `${DAY_AFTER} 18:00`, end_at: `${DAY_AFTER} 19:00` })
    expect(await office.all()).toEqual(before)
    expect((await office.school.client.get('/changes?resource=appointment')).body).toHaveLength(1)
  })

  it('is rejected if its own lessons overlap or together exceed a limit', async () => {
    const overlapping = await book([
      at(MONDAY, '17:00', '18:30'),
      at(MONDAY, '18:00', '19:30', { instructor_id: other.id }),
    ])
    expect([overlapping.status, overlapping.body.code]).toEqual([409, 'student_busy'])
    const limits = { max_daily_units: 4, max_daily_override: null }
    await office.school.client.patch(`/instructors/${office.instructor}`, limits)
    const tooMuch = await book([
      at(MONDAY, '08:00', '09:30'),
      at(MONDAY, '12:00', '13:30'),
      at(MONDAY, '17:00', '18:30'),
    ])
    expect([tooMuch.status, tooMuch.body.code]).toEqual([409, 'daily_limit_exceeded'])
    expect(tooMuch.body.params).toMatchObject({ booked_units: 4, appointment_index: 2 })
    expect(await office.all()).toEqual([])
  })

  it('rejects an invalid lesson with a pointer to the fault, and 0 or 21 lessons with 400', async () => {
    const faulty = async (wrong: Fields) => {
      const { status, body } = await book([at(MONDAY, '17:00', '18:30'), wrong])
      return [status, ...body.errors.map(({ pointer, code }: Fields) => `${pointer} ${code}`)]
    }
    expect(await faulty(at(MONDAY, '20:00', '19:30'))).toEqual([400, '/appointments/1/end_at wrong_order'])
    expect(await faulty(at(MONDAY, '08:00', '09:30', { extra: 1 }))).toEqual([
      400,
      '/appointments/1/extra unknown_field',
    ])
    const many = Array.from({ length: 21 }, () => at(MONDAY, '08:00', '09:00'))
    for (const wrong of [[], many]) expect((await book(wrong)).status).toBe(400)
  })

  it('books only once for a repeated idempotency key', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const wanted = [at(MONDAY, '17:00', '18:30'), at(DAY_AFTER, '17:00', '18:30')]
    const first = await book(wanted, key)
    const again = await book(wanted, key)
    expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([
      200,
      first.body,
      'true',
    ])
    expect((await book(wanted.slice(1), key)).body.code).toBe('idempotency_key_reused')
    expect(await office.all()).toHaveLength(2)
  })

  it('is booked by exactly one of 3 concurrent requests for the same times; the others get 409', async () => {
    const tuesday = at(DAY_AFTER, '17:00', '18:30', { student_id: null })
    const monday = at(MONDAY, '17:00', '18:30', { student_id: null, instructor_id: other.id })
    const answers = await Promise.all([
      book([tuesday, monday]),
      book([monday, tuesday]),
      book([tuesday, monday]),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    expect(await office.all()).toHaveLength(2)
  })
})
