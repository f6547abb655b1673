import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { aSchool, aUser, enter, type School } from '../support/factory.ts'
import type { SeriesOffice } from '../support/series-office.ts'
import { anUndoOffice, doneBy, idsOf, setOf, took, type UndoOffice } from '../support/undo-office.ts'

const service = useService()
let office: SeriesOffice
let school: School
let undo: UndoOffice['undo']
let lessonAt: UndoOffice['lessonAt']
let lesson: UndoOffice['lesson']
let statuses: UndoOffice['statuses']

beforeEach(async () => {
  const scene = await anUndoOffice(service())
  ;({ office, school, undo, lessonAt, lesson, statuses } = scene)
})

describe('the permission to undo', () => {
  const as = async (role: 'office' | 'instructor', instructor_id: string | null = null) => {
    const user = await aUser(service(), school.tenantId, { role, ...(instructor_id && { instructor_id }) })
    return (await enter(service(), { tenantId: school.tenantId, user })).client
  }
  const code = ({ status, body }: Answer) => [status, body.code]

  it('is granted to the office, except for changes that only owners may make', async () => {
    const clerk = await as('office')
    const series = await office.series({ every_weeks: 1, count: 2 })
    took(await undo(series, clerk), idsOf(series.body.booked))
    const tenant = await doneBy(school.client.patch('/tenant', { phone: '030' }))
    expect(code(await undo(tenant, clerk))).toEqual([403, 'forbidden'])
    const body = { email: `${randomUUID()}@school.example`, name: 'Ida', role: 'office' }
    const invited = await doneBy(school.client.post('/users', body))
    expect(code(await undo(invited, clerk))).toEqual([404, 'not_found'])
  })

  it('is granted to an instructor only for the outcome of their own lessons', async () => {
    const instructor = await as('instructor', office.instructor)
    const other = await as('instructor', (await school.instructor()).id)
    const { id } = await lessonAt('08')
    const noted = await doneBy(instructor.patch(`/appointments/${id}`, { status: 'completed' }))
    expect(code(await undo(noted, other))).toEqual([404, 'not_found'])
    took(await undo(noted, instructor), [id])
    const moved = await doneBy(school.client.patch(`/appointments/${id}`, { title: 'Parking' }))
    expect(code(await undo(moved, instructor))).toEqual([403, 'forbidden'])
    const series = await office.series({ every_weeks: 1, count: 2 })
    expect(code(await undo(series, instructor))).toEqual([403, 'forbidden'])
    expect(code(await undo(series, other))).toEqual([404, 'not_found'])
    const student = await doneBy(school.client.patch(`/students/${office.student}`, { phone: '112' }))
    expect(code(await undo(student, instructor))).toEqual([404, 'not_found'])
  })

  it('is granted to an instructor for their own bookings, and for the undo of those, while they may book', async () => {
    const instructor = await as('instructor', office.instructor)
    const booking = {
      ...{ instructor_id: office.instructor, student_id: office.student },
      ...{ lesson_type_id: school.lessonTypes.PRACTICE, start_at: '2099-03-05 08:00' },
      end_at: '2099-03-05 08:45',
    }
    const allow = (instructors_may: string) => doneBy(school.client.patch('/tenant', { instructors_may }))
    await allow('any_student')
    const booked = await doneBy(instructor.post('/appointments', booking))
    const removed = await undo(booked, instructor)
    took(removed, [booked.body.id])
    const restored = await undo(removed, instructor)
    took(restored, [booked.body.id])
    await allow('nothing')
    expect(code(await undo(restored, instructor))).toEqual([403, 'forbidden'])
    await allow('any_student')
    const other = await lessonAt('10')
    const deleted = await doneBy(school.client.delete(`/appointments/${other.id}`))
    expect(code(await undo(deleted, instructor))).toEqual([403, 'forbidden'])
  })

  it('covers the fee that followed from a no-show that the instructor recorded', async () => {
    const policy = { categories: null, no_show: true, fee_percent: 50 }
    await doneBy(school.client.patch('/tenant', { cancellation_policy: [policy] }))
    const instructor = await as('instructor', office.instructor)
    const { id } = await lessonAt('08')
    const missed = await doneBy(instructor.patch(`/appointments/${id}`, { status: 'no_show' }))
    expect(missed.body.no_show_fee_percent).toBe(50)
    took(await undo(missed, instructor), [id])
    expect((await lesson(id)).body).toMatchObject({ status: 'planned', no_show_fee_percent: null })
  })

  it('is denied to other schools with 404', async () => {
    const series = await office.series({ every_weeks: 1, count: 2 })
    const { client } = await aSchool(service())
    expect(code(await undo(series, client))).toEqual([404, 'not_found'])
    expect(await statuses()).toEqual(['planned', 'planned'])
  })
})

describe('an undo with an Idempotency-Key', () => {
  it('returns the same response when sent again, and 422 if the key is reused for another set', async () => {
    const [one, other] = [await lessonAt('08'), await lessonAt('10')]
    const deleted = await doneBy(school.client.delete(`/appointments/${one.id}`))
    const next = await doneBy(school.client.delete(`/appointments/${other.id}`))
    const key = { 'idempotency-key': randomUUID() }
    const send = (answer: Answer) => school.client.post(`/changes/sets/${setOf(answer)}/undo`, undefined, key)
    const first = await send(deleted)
    took(first, [one.id])
    const again = await send(deleted)
    expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([
      200,
      first.body,
      'true',
    ])
    const reused = await send(next)
    expect([reused.status, reused.body.code]).toEqual([422, 'idempotency_key_reused'])
  })
})
