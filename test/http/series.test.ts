import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool, type School } from '../support/factory.ts'
import { aSeriesOffice, MONDAY, type SeriesOffice } from '../support/series-office.ts'

const service = useService()
let office: SeriesOffice
let school: School

beforeEach(async () => {
  office = await aSeriesOffice(service())
  school = office.school
})

type Fields = Readonly<Record<string, unknown>>

const startsOf = (lessons: readonly { start_at: string }[]) => lessons.map(({ start_at }) => start_at)

describe('a series', () => {
  it('books a lesson every week with a common series_id, as one set of changes', async () => {
    const answer = await office.series({ every_weeks: 1, count: 3 }, { on_refusal: 'skip', dry_run: false })
    expect([answer.status, answer.body.refused]).toEqual([200, []])
    const { series_id, booked } = answer.body
    const days = ['2099-03-02', '2099-03-09', '2099-03-16']
    expect(startsOf(booked)).toEqual(days.map((day) => `${day} 08:00`))
    expect(booked.map((one: Fields) => one.series_id)).toEqual([series_id, series_id, series_id])
    expect(await office.all()).toEqual(booked)
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
  ])('books the expected days for the repetition %j', async (repeat, days) => {
    const { body } = await office.series(repeat)
    expect(startsOf(body.booked)).toEqual(days.map((day) => `2099-03-${day} 08:00`))
  })

  it('can have up to 52 lessons, up to 56 days or 8 weeks apart', async () => {
    expect((await office.series({ every_days: 1, count: 52 }, { dry_run: true })).body.booked).toHaveLength(
      52,
    )
    const long = await school.client.post('/appointments/series', {
      appointment: office.lesson({ start_at: '2090-01-02 08:00', end_at: '2090-01-02 09:30' }),
      repeat: { every_weeks: 8, count: 52 },
      dry_run: true,
    })
    expect(long.body.booked.at(-1).start_at).toBe('2097-10-28 08:00')
    expect((await office.series({ every_days: 56, count: 2 }, { dry_run: true })).body.booked).toHaveLength(2)
  })

  it('copies title, notes and status to every lesson', async () => {
    const appointment = office.lesson({
      student_id: null,
      title: ' Theory ',
      notes: 'room 2',
      status: 'completed',
    })
    const { body } = await school.client.post('/appointments/series', {
      appointment,
      repeat: { every_weeks: 1, count: 2 },
    })
    const told = { title: 'Theory', notes: 'room 2', status: 'completed', student_id: null }
    expect(body.booked).toMatchObject([told, told])
  })

  it('gives lessons without a title the name of their lesson type, also one chosen by the school', async () => {
    const titles = async (repeat: Fields, more: Fields = {}): Promise<readonly string[]> =>
      (await office.series(repeat, more)).body.booked.map(({ title }: { title: string }) => title)
    const weekly = { every_weeks: 1, count: 2 }
    const name = 'Übungsfahrt (Grundausbildung)'
    expect(await titles(weekly)).toEqual([name, name])
    const own = 'Übungsstunde'
    await school.client.patch(`/tenant/lesson-types/${school.lessonTypes.PRACTICE}`, { name: own })
    const later = office.lesson({ start_at: '2099-04-06 08:00', end_at: '2099-04-06 09:30' })
    expect(await titles(weekly, { appointment: later, dry_run: true })).toEqual([own, own])
    expect(await titles(weekly, { appointment: later })).toEqual([own, own])
    expect((await office.all()).map(({ title }: Fields) => title)).toEqual([name, name, own, own])
  })

  it('keeps the time of day when the clocks change, and refuses a skipped time', async () => {
    const appointment = office.lesson({ start_at: '2027-03-21 01:00', end_at: '2027-03-21 02:30' })
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

  it('skips a refused lesson, and reports every broken rule and three alternatives', async () => {
    const rival = await school.lesson({
      instructor_id: office.instructor,
      student_id: office.student,
      start_at: '2099-03-09 09:00',
      end_at: '2099-03-09 10:00',
    })
    await school.client.patch(`/instructors/${office.instructor}`, {
      vacations: [{ start_date: '2099-03-09', end_date: '2099-03-09' }],
    })
    const { body } = await office.series({ every_weeks: 1, count: 3 })
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
      const check = office.lesson({ start_at, end_at, instructor_id })
      expect((await school.client.post('/appointments/check', check)).body.allowed).toBe(true)
    }
  })

  it('stops at the first refusal if on_refusal is stop', async () => {
    await school.lesson({
      instructor_id: office.instructor,
      start_at: '2099-03-09 08:00',
      end_at: '2099-03-09 09:00',
    })
    const { body } = await office.series({ every_weeks: 1, count: 4 }, { on_refusal: 'stop' })
    expect(startsOf(body.booked)).toEqual(['2099-03-02 08:00'])
    expect(startsOf(body.refused)).toEqual(['2099-03-09 08:00'])
  })

  it('counts its own lessons toward limits, also in a dry run, which writes nothing', async () => {
    await school.client.patch(`/instructors/${office.instructor}`, { max_weekly_units: 6 })
    // Alternatives far ahead have a warning with the current minute.
    service().setClock(new Date())
    onTestFinished(() => service().setClock(undefined))
    const before = await office.all()
    const dry = await office.series({ every_days: 1, count: 9 }, { dry_run: true })
    expect(await office.all()).toEqual(before)
    const real = await office.series({ every_days: 1, count: 9 })
    const days = ['02', '03', '04', '09', '10'].map((day) => `2099-03-${day} 08:00`)
    expect([startsOf(dry.body.booked), startsOf(real.body.booked)]).toEqual([days, days])
    expect(dry.body.refused).toEqual(real.body.refused)
    const [refused] = real.body.refused
    expect(refused.refusals).toMatchObject([{ code: 'weekly_limit_exceeded', params: { booked_units: 6 } }])
  })

  it.each(['instructor_id', 'student_id', 'lesson_type_id'])(
    'is rejected with 404 for a foreign %s',
    async (name) => {
      const other = await aSchool(service())
      const foreign = {
        instructor_id: (await other.instructor()).id,
        student_id: (await other.student()).id,
        lesson_type_id: other.lessonTypes.PRACTICE,
      }[name]
      for (const dry_run of [true, false]) {
        const appointment = office.lesson({ [name]: foreign })
        const body = { appointment, repeat: { every_weeks: 1, count: 2 }, dry_run }
        expect((await school.client.post('/appointments/series', body)).status).toBe(404)
      }
      expect(await office.all()).toEqual([])
    },
  )
})

describe('a series with an Idempotency-Key', () => {
  const key = () => ({ 'idempotency-key': randomUUID() })

  it('returns the same response when sent again, and books nothing', async () => {
    await school.lesson({
      instructor_id: office.instructor,
      start_at: '2099-03-09 08:00',
      end_at: '2099-03-09 09:00',
    })
    const own = key()
    const first = await office.series({ every_weeks: 1, count: 4 }, {}, own)
    await school.client.delete(`/appointments/${first.body.booked[0].id}`)
    const again = await office.series({ every_weeks: 1, count: 4 }, {}, own)
    expect([again.status, again.text]).toEqual([200, first.text])
    expect([first, again].map(({ headers }) => headers.get('idempotency-replayed'))).toEqual([null, 'true'])
    expect(await office.all()).toHaveLength(3)
    const other = await office.series({ every_weeks: 1, count: 5 }, {}, own)
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused'])
    expect((await office.series({ every_weeks: 1, count: 4 }, { dry_run: true }, own)).status).toBe(422)
  })

  it('can reuse its key after a dry run, or if nothing was booked', async () => {
    const own = key()
    const blocking = await school.lesson({
      instructor_id: office.instructor,
      ...{ start_at: `${MONDAY} 08:00`, end_at: `${MONDAY} 09:00` },
    })
    expect(
      (await office.series({ every_days: 1, until: MONDAY }, { dry_run: true }, own)).body.refused,
    ).toHaveLength(1)
    expect((await office.series({ every_days: 1, until: MONDAY }, {}, own)).body.refused).toHaveLength(1)
    await school.client.delete(`/appointments/${blocking.id}`)
    const { body } = await office.series({ every_days: 1, count: 2 }, {}, own)
    expect(body.booked).toHaveLength(2)
  })
})
