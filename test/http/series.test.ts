import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const MONDAY = '2099-03-02'

let school: School
let instructor: string
let student: string

beforeEach(async () => {
  school = await aSchool(service())
  instructor = (await school.instructor()).id
  student = (await school.student()).id
})

type Fields = Readonly<Record<string, unknown>>

function lesson(fields: Fields = {}): Fields {
  const people = { instructor_id: instructor, student_id: student }
  const lesson_type_id = school.lessonTypes.PRACTICE
  return { ...people, lesson_type_id, start_at: `${MONDAY} 08:00`, end_at: `${MONDAY} 09:30`, ...fields }
}

function series(repeat: Fields, more: Fields = {}, headers?: Record<string, string>): Promise<Answer> {
  return school.client.post('/appointments/series', { appointment: lesson(), repeat, ...more }, headers)
}

const startsOf = (lessons: readonly { start_at: string }[]) => lessons.map(({ start_at }) => start_at)
const all = async () => (await school.client.get('/appointments')).body

describe('a series', () => {
  it('books a lesson every week, each with the series’ id, as one set of changes', async () => {
    const answer = await series({ every_weeks: 1, count: 3 }, { on_refusal: 'skip', dry_run: false })
    expect([answer.status, answer.body.refused]).toEqual([200, []])
    const { series_id, booked } = answer.body
    const days = ['2099-03-02', '2099-03-09', '2099-03-16']
    expect(startsOf(booked)).toEqual(days.map((day) => `${day} 08:00`))
    expect(booked.map((one: Fields) => one.series_id)).toEqual([series_id, series_id, series_id])
    expect(await all()).toEqual(booked)
    const changes = (await school.client.get('/changes?resource=appointment')).body
    const sets = changes.map(({ set_id, action, after }: Fields) => [
      set_id,
      action,
      (after as Fields).series_id,
    ])
    const set = [answer.headers.get('x-request-id'), 'created', series_id]
    expect(sets).toEqual([set, set, set])
  })

  it.each([
    [{ every_days: 2, count: 3 }, ['02', '04', '06']],
    [{ every_weeks: 2, until: '2099-03-30' }, ['02', '16', '30']],
    [{ every_weeks: 2, until: '2099-03-29' }, ['02', '16']],
    [{ every_days: 1, until: '2099-03-02' }, ['02']],
    [{ every_days: 14, count: 2 }, ['02', '16']],
  ])('repeats %j', async (repeat, days) => {
    const { body } = await series(repeat)
    expect(startsOf(body.booked)).toEqual(days.map((day) => `2099-03-${day} 08:00`))
  })

  it('has up to 52 lessons, up to 56 days and 8 weeks apart', async () => {
    expect((await series({ every_days: 1, count: 52 }, { dry_run: true })).body.booked).toHaveLength(52)
    const long = await school.client.post('/appointments/series', {
      appointment: lesson({ start_at: '2090-01-02 08:00', end_at: '2090-01-02 09:30' }),
      repeat: { every_weeks: 8, count: 52 },
      dry_run: true,
    })
    expect(long.body.booked.at(-1).start_at).toBe('2097-10-28 08:00')
    expect((await series({ every_days: 56, count: 2 }, { dry_run: true })).body.booked).toHaveLength(2)
  })

  it('takes what else a booking takes, and gives each lesson its own default title', async () => {
    const appointment = lesson({ student_id: null, title: ' Theory ', notes: 'room 2', status: 'completed' })
    const { body } = await school.client.post('/appointments/series', {
      appointment,
      repeat: { every_weeks: 1, count: 2 },
    })
    const told = { title: 'Theory', notes: 'room 2', status: 'completed', student_id: null }
    expect(body.booked).toMatchObject([told, told])
  })

  it('keeps the time of day when the clocks change, and refuses what does not exist', async () => {
    const appointment = lesson({ start_at: '2027-03-21 01:00', end_at: '2027-03-21 02:30' })
    const answer = await school.client.post('/appointments/series', {
      appointment,
      repeat: { every_weeks: 1, count: 3 },
    })
    expect(startsOf(answer.body.booked)).toEqual(['2027-03-21 01:00', '2027-04-04 01:00'])
    const params = { field: 'end_at', time: '2027-03-28 02:30', timezone: 'Europe/Berlin' }
    expect(answer.body.refused).toMatchObject([
      {
        start_at: '2027-03-28 01:00',
        end_at: '2027-03-28 02:30',
        refusals: [{ code: 'skipped_time', params }],
      },
    ])
  })

  it('skips what the rules refuse, says every broken rule, and what is free instead', async () => {
    const rival = await school.lesson({
      instructor_id: instructor,
      student_id: student,
      start_at: '2099-03-09 09:00',
      end_at: '2099-03-09 10:00',
    })
    await school.client.patch(`/instructors/${instructor}`, {
      vacations: [{ start_date: '2099-03-09', end_date: '2099-03-09' }],
    })
    const { body } = await series({ every_weeks: 1, count: 3 })
    expect(startsOf(body.booked)).toEqual(['2099-03-02 08:00', '2099-03-16 08:00'])
    const [refused] = body.refused
    expect(refused.refusals.map(({ code }: Fields) => code)).toEqual([
      'instructor_busy',
      'student_busy',
      'instructor_on_vacation',
    ])
    expect(refused.refusals[0].params.appointment_id).toBe(rival.id)
    expect(refused.alternatives).toHaveLength(3)
    for (const { start_at, end_at, instructor_id } of refused.alternatives) {
      const check = { ...lesson({ start_at, end_at, instructor_id }) }
      expect((await school.client.post('/appointments/check', check)).body.allowed).toBe(true)
    }
  })

  it('stops at the first refusal where that is asked for', async () => {
    await school.lesson({
      instructor_id: instructor,
      start_at: '2099-03-09 08:00',
      end_at: '2099-03-09 09:00',
    })
    const { body } = await series({ every_weeks: 1, count: 4 }, { on_refusal: 'stop' })
    expect(startsOf(body.booked)).toEqual(['2099-03-02 08:00'])
    expect(startsOf(body.refused)).toEqual(['2099-03-09 08:00'])
  })

  it('counts its own lessons toward limits, also in a dry run, which writes nothing', async () => {
    await school.client.patch(`/instructors/${instructor}`, { max_weekly_units: 6 })
    const before = await all()
    const dry = await series({ every_days: 1, count: 9 }, { dry_run: true })
    expect(await all()).toEqual(before)
    const real = await series({ every_days: 1, count: 9 })
    const days = ['02', '03', '04', '09', '10'].map((day) => `2099-03-${day} 08:00`)
    expect([startsOf(dry.body.booked), startsOf(real.body.booked)]).toEqual([days, days])
    expect(dry.body.refused).toEqual(real.body.refused)
    const [refused] = real.body.refused
    expect(refused.refusals).toMatchObject([{ code: 'weekly_limit_exceeded', params: { booked_units: 6 } }])
  })

  it.each(['instructor_id', 'student_id', 'lesson_type_id'])('with a foreign %s is 404', async (name) => {
    const other = await aSchool(service())
    const foreign = {
      instructor_id: (await other.instructor()).id,
      student_id: (await other.student()).id,
      lesson_type_id: other.lessonTypes.PRACTICE,
    }[name]
    for (const dry_run of [true, false]) {
      const appointment = lesson({ [name]: foreign })
      const body = { appointment, repeat: { every_weeks: 1, count: 2 }, dry_run }
      expect((await school.client.post('/appointments/series', body)).status).toBe(404)
    }
    expect(await all()).toEqual([])
  })
})

describe('the lessons of a series', () => {
  it('are listed by its id; a foreign or unknown one has none', async () => {
    const { body } = await series({ every_weeks: 1, count: 3 })
    await school.lesson({
      instructor_id: instructor,
      start_at: '2099-03-03 08:00',
      end_at: '2099-03-03 09:00',
    })
    const listOf = async (of: School, query: string) => (await of.client.get(`/appointments?${query}`)).body
    expect(await listOf(school, `series_id=${body.series_id}`)).toEqual(body.booked)
    expect(await listOf(school, `series_id=${body.series_id}&from=2099-03-09&limit=1`)).toEqual([
      body.booked[1],
    ])
    expect(await listOf(school, `series_id=${randomUUID()}`)).toEqual([])
    expect(await listOf(await aSchool(service()), `series_id=${body.series_id}`)).toEqual([])
    expect((await school.client.get('/appointments?series_id=5')).status).toBe(400)
  })

  it('are cancelled from a date on: what is planned, as one set, each with its next version', async () => {
    const { series_id, booked } = (await series({ every_weeks: 1, count: 5 })).body
    await school.client.patch(`/appointments/${booked[2].id}`, { status: 'completed' })
    await school.client.delete(`/appointments/${booked[3].id}`)
    const path = `/appointments/series/${series_id}/cancel`
    const answer = await school.client.post(path, { from: '2099-03-09' })
    const expected = [booked[1], booked[4]].map((one) => ({
      ...one,
      status: 'cancelled',
      version: 2,
      updated_at: expect.any(String),
    }))
    expect([answer.status, answer.body]).toEqual([200, expected])
    const kept = await all()
    expect(kept.map(({ status }: Fields) => status)).toEqual([
      'planned',
      'cancelled',
      'completed',
      'cancelled',
    ])
    const changes = (await school.client.get('/changes?resource=appointment&limit=2')).body
    const told = { set_id: answer.headers.get('x-request-id'), action: 'changed' }
    const values = { before: { status: 'planned', version: 1 }, after: { status: 'cancelled', version: 2 } }
    expect(changes).toMatchObject([
      { ...told, ...values },
      { ...told, ...values },
    ])
    expect((await school.client.post(path, { from: '2099-03-09' })).body).toEqual([])
  })

  it('are nobody else’s to cancel, nor is what is not there', async () => {
    const { series_id, booked } = (await series({ every_weeks: 1, count: 2 })).body
    const other = await aSchool(service())
    const cancel = (of: School, id: string) =>
      of.client.post(`/appointments/series/${id}/cancel`, { from: MONDAY })
    expect((await cancel(other, series_id)).status).toBe(404)
    expect((await cancel(school, randomUUID())).status).toBe(404)
    expect((await cancel(school, 'x')).status).toBe(404)
    expect((await cancel(school, booked[0].id)).status).toBe(404)
    expect(await all()).toEqual(booked)
    for (const { id } of booked) await school.client.delete(`/appointments/${id}`)
    expect((await cancel(school, series_id)).status).toBe(404)
  })
})

describe('a series with a key', () => {
  const key = () => ({ 'idempotency-key': randomUUID() })

  it('sent again is answered with the same bytes, and books nothing', async () => {
    await school.lesson({
      instructor_id: instructor,
      start_at: '2099-03-09 08:00',
      end_at: '2099-03-09 09:00',
    })
    const own = key()
    const first = await series({ every_weeks: 1, count: 4 }, {}, own)
    await school.client.delete(`/appointments/${first.body.booked[0].id}`)
    const again = await series({ every_weeks: 1, count: 4 }, {}, own)
    expect([again.status, again.text]).toEqual([200, first.text])
    expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
    expect(await all()).toHaveLength(3)
    const other = await series({ every_weeks: 1, count: 5 }, {}, own)
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused'])
    expect((await series({ every_weeks: 1, count: 4 }, { dry_run: true }, own)).status).toBe(422)
  })

  it('is free again after a dry run, and where nothing was booked', async () => {
    const own = key()
    const blocking = await school.lesson({
      instructor_id: instructor,
      ...{ start_at: `${MONDAY} 08:00`, end_at: `${MONDAY} 09:00` },
    })
    expect(
      (await series({ every_days: 1, until: MONDAY }, { dry_run: true }, own)).body.refused,
    ).toHaveLength(1)
    expect((await series({ every_days: 1, until: MONDAY }, {}, own)).body.refused).toHaveLength(1)
    await school.client.delete(`/appointments/${blocking.id}`)
    const { body } = await series({ every_days: 1, count: 2 }, {}, own)
    expect(body.booked).toHaveLength(2)
  })
})
