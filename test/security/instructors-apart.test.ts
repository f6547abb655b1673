import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { Client, must } from '../support/client.ts'
import { aSchool, aUser, logIn, type Row, type School } from '../support/factory.ts'
import { bearer } from '../support/session.ts'

const service = useService()
type Refusal = { readonly code: string; readonly params: { readonly appointment_id: string } }

let school: School
let me: Row
let colleague: Row
let student: Row
let car: Row
let userId: string
let client: Client

const at = (hour: number) => {
  const [start, end] = [hour, hour + 1].map((one) => `2031-05-05 ${String(one).padStart(2, '0')}:00`)
  return { start_at: start, end_at: end }
}
const booking = (hour: number, fields: object = {}) => ({
  lesson_type_id: school.lessonTypes.PRACTICE,
  instructor_id: me.id,
  student_id: student.id,
  ...at(hour),
  ...fields,
})

beforeAll(async () => {
  school = await aSchool(service())
  must(200, await school.client.patch('/tenant', { instructors_may: 'any_student' }))
  me = await school.instructor()
  colleague = await school.instructor()
  student = await school.student()
  car = must(201, await school.client.post('/vehicles', { name: 'Golf', kind: 'car' }))
  const { id, email } = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id: me.id })
  userId = id
  client = new Client(service()).with(bearer((await logIn(new Client(service()), email)).token))
})

describe('an instructor', () => {
  it("gets the times of a student's or vehicle's lesson with a colleague, but not its id", async () => {
    const lesson = await school.lesson({
      instructor_id: colleague.id,
      student_id: student.id,
      vehicle_ids: [car.id],
      ...at(8),
    })
    const own = must(201, await client.post('/appointments', booking(10)))
    const wanted = booking(8, { vehicle_ids: [car.id] })
    const repeat = { every_weeks: 1, count: 2 }
    const answers = [
      await client.post('/appointments', wanted),
      await client.post('/appointments/check', wanted),
      await client.post('/appointments/batch', { appointments: [wanted] }),
      await client.post('/appointments/series', {
        appointment: wanted,
        repeat,
        on_refusal: 'skip',
        dry_run: true,
      }),
      await client.patch(`/appointments/${own.id}`, at(8)),
    ]
    for (const { text } of answers) expect(text).not.toContain(lesson.id)
    const params = { ...at(8), appointment_id: null }
    expect(answers[0]?.body).toMatchObject({ code: 'student_busy', params })
    expect(answers[1]?.body.refusals).toEqual([
      { code: 'student_busy', params },
      { code: 'vehicle_busy', params: { vehicle_id: car.id, ...params } },
    ])
    const office = await school.client.post('/appointments', wanted)
    expect(office.body.params).toEqual({ ...at(8), appointment_id: lesson.id })
  })

  it('gets the ids of own lessons', async () => {
    const own = must(201, await client.post('/appointments', booking(12)))
    const { refusals } = must(200, await client.post('/appointments/check', booking(12)))
    expect(refusals.map((one: Refusal) => [one.code, one.params.appointment_id])).toEqual([
      ['instructor_busy', own.id],
      ['student_busy', own.id],
    ])
  })

  it('gets 422 for a key of the time as another instructor or in another role, and a replay before', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const body = booking(14)
    const made = must(201, await client.post('/appointments', body, key))
    const again = await client.post('/appointments', body, key)
    expect([again.status, again.body.id, again.headers.get('idempotency-replayed')]).toEqual([
      201,
      made.id,
      'true',
    ])
    const change = (fields: object) => school.client.patch(`/users/${userId}`, fields)
    for (const fields of [{ instructor_id: colleague.id }, { role: 'office', instructor_id: null }]) {
      must(200, await change(fields))
      // The response of the former instructor's lesson is not the user's any more.
      const asOther = await client.post('/appointments', body, key)
      expect(asOther.text).not.toContain(made.id)
      expect([403, 422]).toContain(asOther.status)
    }
    const asOffice = await client.post('/appointments', body, key)
    expect([asOffice.status, asOffice.body.code]).toEqual([422, 'idempotency_key_reused'])
    must(200, await change({ role: 'instructor', instructor_id: me.id }))
  })
})
