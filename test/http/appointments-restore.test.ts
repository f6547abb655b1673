import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { fingerprint } from '../support/corpus.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
let school: School
let instructor_id: string
let student_id: string

beforeEach(async () => {
  service().setClock(new Date('2026-05-04T10:00:00Z'))
  school = await aSchool(service())
  instructor_id = (await school.instructor()).id
  student_id = (await school.student()).id
})
afterEach(() => service().setClock(undefined))

const on = (day: string, start = '08:00', end = '09:30') => ({
  instructor_id,
  start_at: `${day} ${start}`,
  end_at: `${day} ${end}`,
})
const read = async (id: string) => (await school.client.get(`/appointments/${id}`)).body
const deleteStudent = () => school.client.delete(`/students/${student_id}`)
const restoreStudent = () => school.client.post(`/students/${student_id}/restore`)

describe('POST /appointments/{id}/restore', () => {
  it('restores a deleted appointment with all of its fields', async () => {
    const lesson = await school.lesson({ ...on('2026-05-05'), student_id, notes: 'x', status: 'completed' })
    await school.client.delete(`/appointments/${lesson.id}`)
    const { status, headers, body } = await school.client.post(`/appointments/${lesson.id}/restore`)
    expect([status, body]).toEqual([200, { ...lesson, version: 3, updated_at: body.updated_at }])
    const later = await school.client.get(`/appointments/${lesson.id}`)
    expect([later.body, later.headers.get('etag')]).toEqual([body, headers.get('etag')])
    expect((await school.client.get('/appointments')).body).toEqual([body])
  })

  it('changes nothing if the appointment is not deleted', async () => {
    const lesson = await school.lesson(on('2026-05-05'))
    const tag = (await school.client.get(`/appointments/${lesson.id}`)).headers.get('etag')
    const before = await fingerprint(service(), school.tenantId)
    const { status, headers, body } = await school.client.post(`/appointments/${lesson.id}/restore`)
    expect([status, body, headers.get('etag')]).toEqual([200, lesson, tag])
    expect(await fingerprint(service(), school.tenantId)).toBe(before)
  })

  it('returns 409 instructor_busy if the time is taken, and leaves the appointment deleted', async () => {
    const lesson = await school.lesson(on('2026-05-05'))
    await school.client.delete(`/appointments/${lesson.id}`)
    const rival = await school.lesson(on('2026-05-05', '09:00', '10:00'))
    const { status, body } = await school.client.post(`/appointments/${lesson.id}/restore`)
    const params = { appointment_id: rival.id, start_at: '2026-05-05 09:00', end_at: '2026-05-05 10:00' }
    expect([status, body.code, body.params]).toEqual([409, 'instructor_busy', params])
    expect((await school.client.get(`/appointments/${lesson.id}`)).status).toBe(404)
  })

  it('applies the current limits, and recalculates overrides_used', async () => {
    const lesson = await school.lesson(on('2026-05-05'))
    await school.client.delete(`/appointments/${lesson.id}`)
    await school.client.patch(`/instructors/${instructor_id}`, { max_daily_units: 1 })
    const refused = await school.client.post(`/appointments/${lesson.id}/restore`)
    expect([refused.status, refused.body.code]).toEqual([409, 'daily_limit_exceeded'])
    await school.client.patch(`/instructors/${instructor_id}`, { max_daily_override: 2 })
    const restored = await school.client.post(`/appointments/${lesson.id}/restore`)
    expect([restored.status, restored.body.overrides_used]).toEqual([200, ['daily']])
  })

  it('applies no rules to a cancelled appointment', async () => {
    const lesson = await school.lesson({ ...on('2026-05-05'), status: 'cancelled' })
    await school.client.delete(`/appointments/${lesson.id}`)
    await school.lesson(on('2026-05-05'))
    const { status, body } = await school.client.post(`/appointments/${lesson.id}/restore`)
    expect([status, body.status]).toEqual([200, 'cancelled'])
  })

  it("returns 404 for a deleted student's lesson, whether deleted or not", async () => {
    const deleted = await school.lesson({ ...on('2026-05-03'), student_id })
    const standing = await school.lesson({ ...on('2026-05-02'), student_id })
    await school.client.delete(`/appointments/${deleted.id}`)
    await deleteStudent()
    for (const { id } of [deleted, standing]) {
      const { status, body } = await school.client.post(`/appointments/${id}/restore`)
      expect([status, body.code]).toEqual([404, 'not_found'])
    }
    await restoreStudent()
    expect((await school.client.post(`/appointments/${deleted.id}/restore`)).status).toBe(200)
  })
})

describe('POST /students/{id}/restore', () => {
  it('restores the student and the lessons that the deletion cancelled', async () => {
    const student = (await school.client.get(`/students/${student_id}`)).body
    const before = await school.lesson({ ...on('2026-05-05'), student_id, status: 'cancelled' })
    const later = await school.lesson({ ...on('2026-06-05'), student_id })
    const sooner = await school.lesson({ ...on('2026-05-06'), student_id })
    await deleteStudent()
    const { status, headers, body } = await restoreStudent()
    const updated_at = body.student.updated_at
    expect([status, body]).toEqual([
      200,
      { student: { ...student, version: 3, updated_at }, restored: [sooner.id, later.id], refused: [] },
    ])
    const read_ = await school.client.get(`/students/${student_id}`)
    expect([read_.body, read_.headers.get('etag')]).toEqual([body.student, headers.get('etag')])
    const statuses = await Promise.all([before, sooner, later].map(async ({ id }) => (await read(id)).status))
    expect(statuses).toEqual(['cancelled', 'planned', 'planned'])
  })

  it('lists lessons that no longer fit with code and params, and leaves them cancelled', async () => {
    const taken = await school.lesson({ ...on('2026-05-05'), student_id })
    const onHoliday = await school.lesson({ ...on('2026-05-06'), student_id })
    const free = await school.lesson({ ...on('2026-05-07'), student_id })
    await deleteStudent()
    const rival = await school.lesson(on('2026-05-05', '09:29', '10:00'))
    const holiday = { start_date: '2026-05-06', end_date: '2026-05-06', note: 'Zahnarzt' }
    await school.client.patch(`/instructors/${instructor_id}`, { vacations: [holiday] })
    const { status, body } = await restoreStudent()
    const params = { appointment_id: rival.id, start_at: '2026-05-05 09:29', end_at: '2026-05-05 10:00' }
    expect([status, body.restored, body.refused]).toEqual([
      200,
      [free.id],
      [
        { appointment_id: taken.id, code: 'instructor_busy', params },
        { appointment_id: onHoliday.id, code: 'instructor_on_vacation', params: holiday },
      ],
    ])
    expect((await read(taken.id)).status).toBe('cancelled')
    await deleteStudent()
    await school.client.delete(`/appointments/${rival.id}`)
    expect((await restoreStudent()).body.restored).toEqual([free.id])
  })

  it('counts each restored lesson towards the limits for the next', async () => {
    const first = await school.lesson({ ...on('2026-05-05'), student_id })
    const second = await school.lesson({ ...on('2026-05-05', '12:00', '13:30'), student_id })
    await deleteStudent()
    await school.client.patch(`/instructors/${instructor_id}`, { max_daily_units: 2 })
    const { body } = await restoreStudent()
    expect([body.restored, body.refused]).toEqual([
      [first.id],
      [
        {
          appointment_id: second.id,
          code: 'daily_limit_exceeded',
          params: {
            date: '2026-05-05',
            limit_units: 2,
            override_units: null,
            booked_units: 2,
            requested_units: 2,
          },
        },
      ],
    ])
  })

  it('changes nothing if the student is not deleted, and returns 404 for an unknown student', async () => {
    await school.lesson({ ...on('2026-05-05'), student_id, status: 'cancelled' })
    const student = (await school.client.get(`/students/${student_id}`)).body
    const before = await fingerprint(service(), school.tenantId)
    const { status, headers, body } = await restoreStudent()
    expect([status, body]).toEqual([200, { student, restored: [], refused: [] }])
    expect(headers.get('etag')).toMatch(/^"[^"]+"$/)
    expect(await fingerprint(service(), school.tenantId)).toBe(before)
    const unknown = await school.client.post(`/students/${randomUUID()}/restore`)
    expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found'])
  })

  it('does not restore lessons that were deleted or explicitly cancelled since', async () => {
    const deleted = await school.lesson({ ...on('2026-05-05'), student_id })
    const decided = await school.lesson({ ...on('2026-05-06'), student_id })
    const noted = await school.lesson({ ...on('2026-05-07'), student_id })
    await deleteStudent()
    await school.client.delete(`/appointments/${deleted.id}`)
    await school.client.patch(`/appointments/${decided.id}`, { status: 'cancelled' })
    await school.client.patch(`/appointments/${noted.id}`, { notes: 'ruft zurück' })
    const { body } = await restoreStudent()
    expect(body.restored).toEqual([noted.id])
    expect((await school.client.get(`/appointments/${deleted.id}`)).status).toBe(404)
    expect((await read(decided.id)).status).toBe('cancelled')
  })

  it("does not restore lessons that another student's deletion cancelled", async () => {
    const lesson = await school.lesson({ ...on('2026-05-05'), student_id })
    await deleteStudent()
    const heir = await school.student({ first_name: 'Mia' })
    const given = await school.client.patch(`/appointments/${lesson.id}`, { student_id: heir.id })
    expect([given.status, given.body.status]).toEqual([200, 'cancelled'])
    await school.client.delete(`/students/${heir.id}`)
    const { body } = await school.client.post(`/students/${heir.id}/restore`)
    expect([body.restored, body.refused]).toEqual([[], []])
    expect((await read(lesson.id)).status).toBe('cancelled')
  })
})
