import { parse } from 'csv-parse/sync'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { CancellationOffice, NOW, START, step } from '../support/cancellation-office.ts'
import { eraseIf } from '../support/erasure.ts'
import type { Row, School } from '../support/factory.ts'

const service = useService()
let office: CancellationOffice
let school: School
let instructor: Row
let student: Row

beforeEach(async () => {
  office = await CancellationOffice.open(service())
  school = office.school
  instructor = office.instructor
  student = office.student
})

describe('the cancellation of a lesson', () => {
  const bySchool = {
    by: 'school',
    reason: null,
    note: null,
    at: NOW.toISOString(),
    fee_percent: 0,
    charged: false,
  }

  it('is by the school and without a fee if only the status is set', async () => {
    await office.policy(step({ hours: 72 }))
    const { id } = await office.lessonAt()
    const { body } = await school.client.patch(`/appointments/${id}`, { status: 'cancelled' })
    expect(body.cancellation).toEqual({ ...bySchool, notice_minutes: 2 * 1440, is_late: true })
    const booked = await office.lessonAt('2030-06-03 08:00', { status: 'cancelled' })
    expect(booked.cancellation).toEqual({ ...bySchool, notice_minutes: 28 * 1440, is_late: false })
    expect(await office.read(booked.id)).toEqual(booked)
    const { body: noted } = await school.client.patch(`/appointments/${id}`, { notes: 'x' })
    expect(noted.cancellation).toEqual(body.cancellation)
  })

  it('is removed when the lesson is planned again', async () => {
    const { id } = await office.lessonAt()
    await office.cancel(id, { by: 'student' })
    const { body } = await school.client.patch(`/appointments/${id}`, { status: 'planned' })
    expect([body.status, body.cancellation]).toEqual(['planned', null])
    expect((await office.cancel(id, { by: 'school', reason: 'weather' })).body.cancellation.reason).toBe(
      'weather',
    )
  })

  it('is reset to one by the school when the lesson gets another student', async () => {
    await office.policy(step({ hours: 48 }))
    const lesson = await office.lessonAt('2030-05-04 08:00')
    await office.cancel(lesson.id, { by: 'student', charge: true, note: 'Lena forgot' })
    const { id: student_id } = await school.student({ first_name: 'Mia' })
    const { body } = await school.client.patch(`/appointments/${lesson.id}`, { student_id })
    expect(body.cancellation).toMatchObject({ by: 'school', note: null, fee_percent: 0, charged: false })
  })

  it('is fully reverted by an undo and restored by a redo', async () => {
    await office.policy(step({ hours: 72 }))
    const lesson = await office.lessonAt()
    const { body, headers } = await office.cancel(lesson.id, { by: 'student', note: 'Called' })
    const undone = await school.client.post(`/changes/sets/${headers.get('x-request-id')}/undo`)
    expect(undone.body.undone).toEqual([lesson.id])
    expect(await office.read(lesson.id)).toMatchObject({ status: 'planned', cancellation: null })
    const redone = await school.client.post(`/changes/sets/${undone.body.set_id}/undo`)
    expect(redone.body.undone).toEqual([lesson.id])
    expect(await office.read(lesson.id)).toMatchObject({
      status: 'cancelled',
      cancellation: body.cancellation,
    })
  })

  it('has its own notice for each lesson of a cancelled series', async () => {
    await office.policy(step({ hours: 72 }))
    const appointment = {
      instructor_id: instructor.id,
      student_id: student.id,
      lesson_type_id: school.lessonTypes.PRACTICE,
      start_at: START,
      end_at: '2030-05-08 09:30',
    }
    const repeat = { every_weeks: 1, count: 2 }
    const { body: series } = await school.client.post('/appointments/series', { appointment, repeat })
    const path = `/appointments/series/${series.series_id}/cancel`
    const { body } = await school.client.post(path, { from: '2030-05-06' })
    expect(body.map(({ cancellation }: Row) => cancellation)).toEqual([
      { ...bySchool, notice_minutes: 2 * 1440, is_late: true },
      { ...bySchool, notice_minutes: 9 * 1440, is_late: false },
    ])
    expect(await office.read(body[0].id)).toEqual(body[0])
    const [change] = (await school.client.get(`/appointments/${body[0].id}/history`)).body
    expect(change.after).toEqual({ status: 'cancelled', cancellation: body[0].cancellation, version: 2 })
  })

  it('is set when the student is deleted, and removed when the student is restored', async () => {
    const lesson = await office.lessonAt()
    const own = await office.lessonAt('2030-05-09 08:00')
    await office.cancel(own.id, { by: 'student' })
    await school.client.delete(`/students/${student.id}`)
    expect((await office.read(lesson.id)).cancellation).toMatchObject(bySchool)
    await school.client.post(`/students/${student.id}/restore`)
    expect(await office.read(lesson.id)).toMatchObject({ status: 'planned', cancellation: null })
    expect((await office.read(own.id)).cancellation.by).toBe('student')
  })
})

describe('late cancellations and no-shows', () => {
  it('are listed with missed=true, and exported by the day of the fee and student', async () => {
    await office.policy(step({ hours: 48 }))
    const ada = await school.student({ first_name: 'Ada', last_name: 'Ypsilon', phone: '112' })
    const late = await office.lessonAt('2030-05-07 08:00')
    await office.cancel(late.id, { by: 'student', note: '=called' })
    const ours = await office.lessonAt('2030-05-06 08:00')
    await office.cancel(ours.id, { by: 'school' })
    const inTime = await office.lessonAt('2030-05-20 08:00')
    await office.cancel(inTime.id, { by: 'student' })
    const missed = await office.lessonAt('2030-05-21 08:00', { student_id: ada.id, status: 'no_show' })
    const april = await office.lessonAt('2030-04-30 08:00', { status: 'no_show' })
    await office.lessonAt('2030-05-22 08:00')
    await school.client.put(`/appointments/${ours.id}/fee`, { charge: true })
    const charged = await school.client.get('/appointments?missed=true')
    expect(charged.body.map(({ id }: Row) => id)).toEqual([april.id, ours.id, late.id, missed.id])
    await school.client.put(`/appointments/${ours.id}/fee`, { charge: false })
    const listed = await school.client.get('/appointments?missed=true')
    expect(listed.body.map(({ id }: Row) => id)).toEqual([april.id, late.id, missed.id])
    const ofOne = await school.client.get(`/appointments?missed=true&student_id=${ada.id}`)
    expect(ofOne.body.map(({ id }: Row) => id)).toEqual([missed.id])
    expect((await school.client.get('/appointments?missed=false')).body).toHaveLength(6)
    expect((await school.client.get('/appointments?missed=maybe')).status).toBe(400)
    const { text } = await school.client.get('/exports/missed-appointments.csv?from=2030-04-01&to=2030-05-31')
    const rows: Record<string, string>[] = parse(text, { bom: true, columns: true, delimiter: ';' })
    expect(
      rows.map((row) => [row['Gebühr entstanden am'], row.Fahrschüler, row.Telefon, row.Status]),
    ).toEqual([
      ['2030-04-30 08:00', 'Lena Vogt', '', 'no_show'],
      ['2030-05-06 08:00', 'Lena Vogt', '', 'cancelled'],
      ['2030-05-21 08:00', 'Ada Ypsilon', '112', 'no_show'],
    ])
    const ofOneDay = await school.client.get('/exports/missed-appointments.csv?from=2030-05-06&to=2030-05-06')
    expect(ofOneDay.text).toContain(late.id)
    expect(ofOneDay.text.trim().split('\n')).toHaveLength(2)
    expect(rows[2]).toMatchObject({ 'Gebühr in Prozent': '80' })
    expect(rows[1]).toMatchObject({
      'Abgesagt von': 'student',
      'Abgesagt am': '2030-05-06 08:00',
      'Vorlauf in Minuten': '1440',
      'Gebühr in Prozent': '80',
      'Notiz zur Absage': "'=called",
    })
  })
})

describe('the cancellation policy of a school', () => {
  const pointers = async (...cancellation_policy: object[]) => {
    const { status, body } = await school.client.patch('/tenant', { cancellation_policy })
    return [status, body.errors?.map(({ pointer }: { pointer: string }) => pointer)]
  }

  it('is empty at first, replaced as a whole, and recorded in the log', async () => {
    expect((await school.client.get('/tenant')).body.cancellation_policy).toEqual([])
    const steps = [
      step({ working_days: 6 }, 100, ['special']),
      step({ days_before: 1, until: '13:00', working: true }, 50),
      step({ hours: 48 }, 0),
      { categories: null, no_show: true, fee_percent: 100 },
    ]
    await office.policy(...steps)
    expect((await school.client.get('/tenant')).body.cancellation_policy).toEqual(steps)
    const [change] = (await school.client.get('/changes?resource=tenant')).body
    expect(change.after.cancellation_policy).toEqual(steps)
    const undone = await school.client.post(`/changes/sets/${change.set_id}/undo`)
    expect(undone.body.refused).toEqual([])
    expect((await school.client.get('/tenant')).body.cancellation_policy).toEqual([])
  })

  it('rejects an incomplete, ambiguous or out-of-range notice with 400', async () => {
    const at = ['/cancellation_policy/0/notice']
    expect(await pointers(step({}))).toEqual([400, at])
    expect(await pointers(step({ hours: 1, working_days: 1 }))).toEqual([400, at])
    expect(await pointers(step({ days_before: 1 }))).toEqual([400, at])
    expect(await pointers(step({ hours: 1, until: '13:00' }))).toEqual([400, at])
    expect(await pointers({ ...step({ hours: 1 }), no_show: true })).toEqual([400, at])
    expect(await pointers({ categories: null, fee_percent: 50 })).toEqual([400, at])
    expect(await pointers(step({ hours: -1 }, 101))).toEqual([
      400,
      expect.arrayContaining(['/cancellation_policy/0/fee_percent', '/cancellation_policy/0/notice/hours']),
    ])
  })
})

describe('an erasure', () => {
  it("deletes the student's cancellation notes and redacts mentions in those of others", async () => {
    const other = await school.student({ first_name: 'Mia', last_name: 'Sommer' })
    const own = await office.lessonAt()
    await office.cancel(own.id, { by: 'student', reason: 'illness', note: 'Broke her leg' })
    const foreign = await office.lessonAt('2030-05-09 08:00', { student_id: other.id })
    await office.cancel(foreign.id, { by: 'student', note: 'Drives with Lena Vogt' })
    await school.client.delete(`/students/${student.id}`)
    const { outcome, texts } = await eraseIf(service(), school.tenantId, student.id, true)
    expect(outcome).toBe('erased')
    expect(texts).toContainEqual({
      resource: 'appointment',
      resource_id: foreign.id,
      field: 'cancellation',
      text: 'Drives with Lena Vogt',
    })
    expect((await office.read(own.id)).cancellation).toMatchObject({ reason: 'illness', note: null })
    expect((await office.read(foreign.id)).cancellation.note).toBe('Drives with …')
    const changes = await school.client.get('/changes?limit=200')
    expect(changes.text).not.toContain('Broke her leg')
    expect(changes.text).not.toContain('Lena Vogt')
  })
})
