import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { daysLater } from '../../src/domain/local-time.ts'
import { useService } from '../support/app.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { storeLessons } from '../support/stored-lessons.ts'

const service = useService()
/** A Monday noon on the school's clock, which is one hour ahead of UTC. */
const NOW = new Date('2031-03-03T11:00:00Z')
const MOST = 5_000
const A_DAY = 40
const FREE = '2032-03-01'

let school: School
let student: Row
let instructor: Row

beforeAll(async () => {
  service().setClock(NOW)
  school = await aSchool(service())
  student = await school.student()
  instructor = await school.instructor({ max_continuous_minutes: null, max_weekly_units: null })
  const stored = Array.from({ length: MOST - 2 }, (_, at) => {
    const day = daysLater('2031-03-04', Math.floor(at / A_DAY))
    const timeOf = (minute: number) =>
      `${day} ${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
    const minute = 60 + (at % A_DAY) * 30
    return { ...people(), status: 'planned', start_at: timeOf(minute), end_at: timeOf(minute + 30) }
  })
  const cancelled = stored.slice(0, 100).map((lesson) => ({ ...lesson, status: 'cancelled' }))
  const over = { ...people(), status: 'planned', start_at: '2031-03-03 11:00', end_at: '2031-03-03 12:00' }
  await storeLessons(service(), school, [...stored, ...cancelled, over])
  // The version that single bookings would have reached.
  await sql`update calendars set version = version + ${MOST} where id = ${student.id}`.execute(service().db)
})

const people = () => ({
  instructor_id: instructor.id,
  student_id: student.id,
  lesson_type_id: school.lessonTypes.PRACTICE ?? '',
})
const lessonAt = (hour: number) => {
  const start = `${FREE} ${String(hour).padStart(2, '0')}`
  return { ...people(), start_at: `${start}:00`, end_at: `${start}:45` }
}
const REFUSED = { open_appointments: MOST, limit_appointments: MOST }

describe('a student at the limit of 5,000 open appointments', () => {
  it('gets exactly two of 12 concurrent bookings; the others get 409 too_many_appointments', async () => {
    const booked = await Promise.all(
      Array.from({ length: 12 }, (_, at) => school.client.post('/appointments', lessonAt(10 + at))),
    )
    expect(booked.map(({ status }) => status).toSorted()).toEqual([201, 201, ...Array(10).fill(409)])
    for (const { body } of booked.filter(({ status }) => status === 409))
      expect([body.code, body.params]).toEqual(['too_many_appointments', REFUSED])
  })

  it('is refused by check and series with too_many_appointments, and gets no slots', async () => {
    const wanted = lessonAt(9)
    const check = (await school.client.post('/appointments/check', wanted)).body
    expect([check.allowed, check.refusals, check.alternatives]).toEqual([
      false,
      [{ code: 'too_many_appointments', params: REFUSED }],
      [],
    ])
    const series = { appointment: wanted, repeat: { every_weeks: 1, count: 2 }, on_refusal: 'skip' }
    for (const dry_run of [true, false]) {
      const { body } = await school.client.post('/appointments/series', { ...series, dry_run })
      expect(body.booked).toEqual([])
      expect(body.refused[0].refusals).toEqual(check.refusals)
    }
    const search = `/slots?student_id=${student.id}&lesson_type_id=${wanted.lesson_type_id}`
    expect((await school.client.get(search)).body).toEqual([])
  })

  it('cannot be assigned to a lesson, added as an attendee or booked in a batch', async () => {
    const { student_id: _, ...ofNobody } = lessonAt(6)
    const { id } = await school.lesson(ofNobody)
    const group = await school.lesson({
      instructor_id: (await school.instructor()).id,
      start_at: `${FREE} 05:00`,
      end_at: `${FREE} 05:45`,
      lesson_type_id: school.lessonTypes.THEORY_BASIC,
      attendees: [],
    })
    const { start_at, end_at } = lessonAt(5)
    const { instructor_id, lesson_type_id } = people()
    const batch = {
      appointments: [{ instructor_id, student_id: student.id, lesson_type_id, start_at, end_at }],
    }
    for (const answer of [
      await school.client.patch(`/appointments/${id}`, { student_id: student.id }),
      await school.client.post(`/appointments/${group.id}/attendees/${student.id}`),
      await school.client.post('/appointments/batch', batch),
    ])
      expect([answer.status, answer.body.code]).toEqual([409, 'too_many_appointments'])
    await school.client.delete(`/appointments/${id}`)
  })

  it('can move one, or replace a cancelled one, which then cannot be planned again', async () => {
    const path = `/appointments?student_id=${student.id}&from=${FREE}&limit=1`
    const [last] = (await school.client.get(path)).body
    const times = { start_at: `${FREE} 07:00`, end_at: `${FREE} 07:45` }
    expect((await school.client.patch(`/appointments/${last.id}`, times)).status).toBe(200)
    expect((await school.client.patch(`/appointments/${last.id}`, { status: 'cancelled' })).status).toBe(200)
    expect((await school.client.post('/appointments', lessonAt(8))).status).toBe(201)
    const back = await school.client.patch(`/appointments/${last.id}`, { status: 'planned' })
    expect([back.status, back.body.code]).toEqual([409, 'too_many_appointments'])
  })

  it('gets 409 with an explanation on the page of an offer', async () => {
    const { student_id, ...time } = lessonAt(9)
    const offer = await school.client.post('/offers', { ...time, student_ids: [student_id] })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const page = await fetch(`${offer.body.links[0].url}?lang=en`, { method: 'POST', headers, body: '' })
    expect([page.status, (await page.text()).includes('the maximum number of lessons')]).toEqual([409, true])
  })
})
