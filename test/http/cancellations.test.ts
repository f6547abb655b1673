import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { CancellationOffice, NOW, START, step } from '../support/cancellation-office.ts'
import { erase } from '../support/erasure.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'

const service = useService()
let office: CancellationOffice
let school: School
let instructor: Row

beforeEach(async () => {
  office = await CancellationOffice.open(service())
  school = office.school
  instructor = office.instructor
})

describe('a no-show', () => {
  const marked = (id: string, status: string) => school.client.patch(`/appointments/${id}`, { status })

  it('has the fee of the policy, which can be waived and charged, and is gone when it is planned again', async () => {
    await office.policy(step({ hours: 48 }), { categories: null, no_show: true, fee_percent: 90 })
    const { id } = await office.lessonAt('2030-05-06 06:00')
    const missed = await marked(id, 'no_show')
    expect(missed.body).toMatchObject({ status: 'no_show', no_show_fee_percent: 90, cancellation: null })
    const path = `/appointments/${id}/fee`
    for (const [charge, fee] of [
      [false, 0],
      [true, 90],
      [null, 90],
    ])
      expect((await school.client.put(path, { charge })).body).toMatchObject({ no_show_fee_percent: fee })
    await school.client.put(path, { charge: false })
    const noted = await school.client.patch(`/appointments/${id}`, { notes: 'called', status: 'no_show' })
    expect(noted.body.no_show_fee_percent).toBe(0)
    const done = await marked(id, 'completed')
    expect(done.body.no_show_fee_percent).toBe(null)
    expect((await school.client.put(path, { charge: true })).body.code).toBe('not_cancelled')
    const set_id = done.headers.get('x-request-id')
    expect((await school.client.post(`/changes/sets/${set_id}/undo`)).body.undone).toEqual([id])
    expect(await office.read(id)).toMatchObject({ status: 'no_show', no_show_fee_percent: 0 })
  })

  it('costs as much as the first notice without a step of its own, and nothing for a theory class', async () => {
    await office.policy(step({ hours: 48 }))
    const booked = await office.lessonAt('2030-05-06 06:00', { status: 'no_show' })
    expect(booked.no_show_fee_percent).toBe(80)
    const theory = await office.lessonAt('2030-05-05 06:00', { student_id: null })
    expect((await marked(theory.id, 'no_show')).body.no_show_fee_percent).toBe(null)
  })
})

describe('POST /appointments/{id}/cancel', () => {
  it('records the party, reason, time and fee of the cancellation', async () => {
    await office.policy(step({ hours: 72 }))
    const lesson = await office.lessonAt()
    expect(lesson.cancellation).toBe(null)
    const { status, body, headers } = await office.cancel(lesson.id, {
      by: 'student',
      reason: 'other',
      note: ' Called at noon ',
      at: '2030-05-06T05:30:00.000Z',
    })
    const cancellation = {
      by: 'student',
      reason: 'other',
      note: 'Called at noon',
      at: '2030-05-06T05:30:00.000Z',
      notice_minutes: 2 * 1440 + 30,
      is_late: true,
      fee_percent: 80,
      charged: true,
    }
    expect([status, headers.get('etag')]).toEqual([200, '"2"'])
    expect(body).toEqual({
      ...lesson,
      status: 'cancelled',
      cancellation,
      version: 2,
      updated_at: body.updated_at,
    })
    expect(await office.read(lesson.id)).toEqual(body)
    const [change] = (await school.client.get(`/appointments/${lesson.id}/history`)).body
    expect([change.before, change.after]).toEqual([
      { status: 'planned', cancellation: null, version: 1 },
      { status: 'cancelled', cancellation, version: 2 },
    ])
    expect((await office.lessonAt()).status).toBe('planned')
  })

  it('accepts UTC timestamps with seconds in `at`, and rejects other formats', async () => {
    const { id } = await office.lessonAt()
    const cancel = (at: unknown) => office.cancel(id, { by: 'student', at, dry_run: true })
    for (const at of ['2030-05-06T05:30:00Z', '2030-05-06T05:30:00.0Z', '2030-05-06T05:30:00.000000Z'])
      expect((await cancel(at)).body.cancellation?.at, at).toBe('2030-05-06T05:30:00.000Z')
    for (const at of [
      '2030-05-06 07:30',
      '2030-05-06T05:30Z',
      '2030-05-06T05:30:00',
      '2030-05-06T07:30:00+02:00',
      '2030-02-30T05:30:00Z',
      '2030-05-06T24:00:00Z',
      '2030-05-06T05:60:00Z',
      '2030-05-06',
      1904189400,
      null,
    ])
      expect((await cancel(at)).body.errors, String(at)).toMatchObject([{ pointer: '/at' }])
  })

  it('is in time exactly at the deadline, and late one millisecond later', async () => {
    await office.policy(step({ hours: 48 }))
    const lateness = async (now: Date) => {
      service().setClock(now)
      const { body } = await office.cancel((await office.lessonAt()).id, { by: 'student' })
      return [body.cancellation.at, body.cancellation.is_late]
    }
    const [before, after] = [new Date(NOW.getTime() - 1), new Date(NOW.getTime() + 1)]
    expect(await lateness(before)).toEqual([before.toISOString(), false])
    expect(await lateness(NOW)).toEqual([NOW.toISOString(), false])
    expect(await lateness(after)).toEqual([after.toISOString(), true])
  })

  it('does not count weekends, holidays and closures as working days', async () => {
    // Thursday, 9 May 2030 is no holiday; Wednesday, 1 May is one; 3 May is a closure.
    await office.policy(step({ working_days: 2 }))
    await school.client.post('/closures', { start_date: '2030-05-03', end_date: '2030-05-03' })
    const lesson = await office.lessonAt('2030-05-06 08:00')
    const lateAt = async (at: string) =>
      (await office.cancel(lesson.id, { by: 'student', at, dry_run: true })).body.cancellation.is_late
    expect(await lateAt('2030-04-30T06:00:00.000Z')).toBe(false)
    expect(await lateAt('2030-04-30T06:00:00.001Z')).toBe(true)
    await school.client.patch('/tenant', { holidays: 'ignore' })
    expect(await lateAt('2030-04-30T06:00:00.001Z')).toBe(true)
  })

  it('applies the policy step for the category of the lesson type', async () => {
    await office.policy(step({ working_days: 6 }, 100, ['special']), step({ hours: 24 }, 50))
    const special = await office.lessonAt(START, { lesson_type_id: school.lessonTypes.RURAL })
    const normal = await office.lessonAt('2030-05-08 10:00')
    expect((await office.cancel(special.id, { by: 'student' })).body.cancellation).toMatchObject({
      is_late: true,
      fee_percent: 100,
    })
    expect((await office.cancel(normal.id, { by: 'student' })).body.cancellation).toMatchObject({
      is_late: false,
      fee_percent: 0,
      charged: false,
    })
  })

  it('charges no fee for illness or cancellations by the school, and lets `charge` override this', async () => {
    await office.policy(step({ hours: 72 }))
    const outcome = async (body: object) => {
      const { cancellation } = (await office.cancel((await office.lessonAt()).id, body)).body
      return [cancellation.is_late, cancellation.fee_percent, cancellation.charged]
    }
    expect(await outcome({ by: 'student', reason: 'illness' })).toEqual([true, 0, false])
    expect(await outcome({ by: 'school', reason: 'vehicle' })).toEqual([true, 0, false])
    expect(await outcome({ by: 'student', charge: false })).toEqual([true, 0, false])
    expect(await outcome({ by: 'student', reason: 'illness', charge: true })).toEqual([true, 80, true])
  })

  it('can have its fee waived and charged again without undoing it, and 409 not_cancelled without one', async () => {
    await office.policy(step({ hours: 72 }))
    const lesson = await office.lessonAt()
    const path = `/appointments/${lesson.id}/fee`
    const none = await school.client.put(path, { charge: false })
    expect([none.status, none.body.code]).toEqual([409, 'not_cancelled'])
    const { cancellation } = (await office.cancel(lesson.id, { by: 'student', note: 'Called' })).body
    expect(cancellation).toMatchObject({ fee_percent: 80, charged: true })
    const waived = await school.client.put(path, { charge: false })
    expect([waived.status, waived.body.cancellation]).toEqual([
      200,
      { ...cancellation, fee_percent: 0, charged: false },
    ])
    expect((await office.read(lesson.id)).status).toBe('cancelled')
    await office.policy(step({ hours: 1 }))
    for (const [charge, fee_percent] of [
      [true, 80],
      [null, 0],
    ])
      expect((await school.client.put(path, { charge })).body.cancellation.fee_percent).toBe(fee_percent)
    expect((await school.client.put(path, { charge: false }, { 'if-match': '"1"' })).status).toBe(412)
    expect((await school.client.put(path, {})).status).toBe(400)
  })

  it('returns 409 already_cancelled for a cancelled lesson, and 404 for an unknown one', async () => {
    const lesson = await office.lessonAt()
    expect((await office.cancel(lesson.id, { by: 'student' })).status).toBe(200)
    const again = await office.cancel(lesson.id, { by: 'school' })
    expect([again.status, again.body.code]).toEqual([409, 'already_cancelled'])
    expect((await office.read(lesson.id)).cancellation.by).toBe('student')
    await school.client.delete(`/appointments/${lesson.id}`)
    expect((await office.cancel(lesson.id, { by: 'school' })).status).toBe(404)
    expect((await office.cancel(randomUUID(), { by: 'school' })).status).toBe(404)
    const other = await aSchool(service())
    const foreign = await other.lesson({
      instructor_id: (await other.instructor()).id,
      start_at: START,
      end_at: '2030-05-08 09:00',
    })
    expect((await office.cancel(foreign.id, { by: 'school' })).status).toBe(404)
  })

  it('rejects a time more than 5 minutes in the future, and invalid bodies, with 400', async () => {
    const { id } = await office.lessonAt()
    const pointers = async (body: object) => {
      const { status, body: problem } = await office.cancel(id, body)
      return [status, problem.errors?.map(({ pointer }: { pointer: string }) => pointer)]
    }
    expect(await pointers({ by: 'student', at: '2030-05-06T06:05:00.001Z' })).toEqual([400, ['/at']])
    expect(await pointers({})).toEqual([400, ['/by']])
    expect(await pointers({ by: 'nobody', reason: 'x', charge: 1, at: '2030-05-06 08:00' })).toEqual([
      400,
      expect.arrayContaining(['/by', '/reason', '/charge', '/at']),
    ])
    expect((await office.cancel(id, { by: 'student', at: '2030-05-06T06:05:00.000Z' })).status).toBe(200)
  })

  it('returns the assessment in a dry run and stores nothing', async () => {
    await office.policy(step({ hours: 72 }))
    const lesson = await office.lessonAt()
    const { body } = await office.cancel(lesson.id, { by: 'student', dry_run: true })
    expect([body.status, body.cancellation.fee_percent]).toEqual(['cancelled', 80])
    expect(await office.read(lesson.id)).toEqual(lesson)
  })

  it('respects If-Match and Idempotency-Key', async () => {
    const lesson = await office.lessonAt()
    expect((await office.cancel(lesson.id, { by: 'school' }, { 'if-match': '"9"' })).status).toBe(412)
    const key = { 'idempotency-key': randomUUID() }
    const first = await office.cancel(lesson.id, { by: 'student' }, key)
    const second = await office.cancel(lesson.id, { by: 'student' }, key)
    expect([second.status, second.headers.get('idempotency-replayed')]).toEqual([200, 'true'])
    expect(second.body).toEqual(first.body)
    expect((await office.cancel(lesson.id, { by: 'school' }, key)).status).toBe(422)
  })

  it('returns 403 for an instructor', async () => {
    const lesson = await office.lessonAt()
    const user = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id: instructor.id })
    const { client } = await enter(service(), { tenantId: school.tenantId, user })
    expect((await client.post(`/appointments/${lesson.id}/cancel`, { by: 'student' })).status).toBe(403)
  })
})

it('an erasure keeps the field order of a cancellation', async () => {
  const lesson = await office.lessonAt()
  await office.cancel(lesson.id, { by: 'student', note: 'overslept' })
  const list = async () => (await school.client.get('/appointments')).body[0].cancellation
  const before = Object.keys(await list())
  await school.client.delete(`/students/${office.student.id}`)
  expect(await erase(service(), school.tenantId, office.student.id)).toBe('erased')
  expect(await list()).toMatchObject({ note: null })
  expect(Object.keys(await list())).toEqual(before)
  expect(Object.keys((await office.read(lesson.id)).cancellation)).toEqual(before)
})
