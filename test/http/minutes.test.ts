import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'

const service = useService()
const MONTH = '/minutes?month=2026-05'
let school: School

beforeEach(async () => {
  service().setClock(new Date('2026-05-20T10:00:00Z'))
  school = await aSchool(service())
})

type Lesson = Readonly<Record<string, unknown>>

/** Books a lesson of an instructor that took place, and records its actual times. */
async function lesson(instructor_id: string, start: string, end: string, fields: Lesson = {}): Promise<Row> {
  const times = { start_at: `2026-05-${start}`, end_at: `2026-05-${start.slice(0, 3)}${end}` }
  const { id: student_id } = await school.student()
  const { actual_start_at, actual_end_at, ...others } = fields
  const booked = { instructor_id, student_id, status: 'completed', ...times, ...others }
  const made = await school.lesson(booked)
  if (!actual_start_at) return made
  return must(200, await school.client.patch(`/appointments/${made.id}`, { actual_start_at, actual_end_at }))
}

async function loginOf(instructor_id: string): Promise<School> {
  const user = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id })
  return enter(service(), { tenantId: school.tenantId, user })
}

describe('GET /minutes', () => {
  // A sheet reads an instructor at a time, and the embedded database has one connection for all readers.
  it('has the days of an instructor, planned beside worked, with limits, breaks and sums', {
    tags: 'embedded',
  }, async () => {
    const eva = await school.instructor({
      last_name: 'Adler',
      first_name: 'Eva',
      number: ' 7 ',
      max_daily_units: 4,
    })
    await lesson(eva.id, '04 08:00', '09:30', {
      actual_start_at: '2026-05-04 08:05',
      actual_end_at: '2026-05-04 09:47',
    })
    await lesson(eva.id, '04 10:00', '10:45', { status: 'planned' })
    await lesson(eva.id, '04 11:00', '12:00', {
      ...{ lesson_type_id: school.lessonTypes.INTERNAL, student_id: null, status: 'planned' },
    })
    await lesson(eva.id, '04 13:00', '13:45', { status: 'no_show' })
    await lesson(eva.id, '05 08:00', '08:45', { status: 'cancelled' })
    await lesson(eva.id, '21 08:00', '08:45', { status: 'planned' })
    const [only, ...others] = must(200, await school.client.get(MONTH))
    expect(others).toEqual([])
    const sums = { planned_minutes: 150, worked_minutes: 102, practical_minutes: 102, total_minutes: 162 }
    expect(only).toEqual({
      ...{ instructor_id: eva.id, name: 'Eva Adler', number: '7' },
      days: [
        {
          ...{ date: '2026-05-04', ...sums, break_minutes: 73, longest_run_minutes: 102 },
          ...{ first_start_at: '2026-05-04 08:05', last_end_at: '2026-05-04 12:00' },
          limits: { practical: 495, total: 600, daily_units: 4, daily_override_units: null },
          ...{ exceeded: [], overrides: [], open: 1 },
          rows: `/api/v1/minutes/rows?instructor_id=${eva.id}&date=2026-05-04`,
        },
      ],
      sums: { ...sums, days: 1 },
    })
    const rows: readonly Row[] = must(200, await school.client.get(only.days[0].rows.replace('/api/v1', '')))
    expect(rows.map((row) => [row.minutes, row.planned_minutes, row.is_worked, row.is_open])).toEqual([
      [102, 90, true, false],
      [0, 0, false, true],
      [60, 60, false, false],
    ])
  })

  it('says what exceeds the law and the limits of the school, in order', async () => {
    const { id } = await school.instructor()
    await lesson(id, '04 06:00', '14:16')
    await lesson(id, '05 06:00', '14:15')
    await lesson(id, '06 06:00', '12:00')
    await school.client.patch(`/instructors/${id}`, { max_daily_units: 8, max_weekly_units: 30 })
    const [{ days }] = must(200, await school.client.get(MONTH))
    const long = ['school_daily', 'break_missing', 'run_too_long']
    expect(days.map((day: Row) => day.exceeded)).toEqual([
      ['practical_daily', ...long],
      ['school_daily', 'break_missing', 'run_too_long'],
      ['school_weekly'],
    ])
    await school.client.patch(`/instructors/${id}`, { employment: 'owner', max_weekly_override: 33 })
    const [owner] = must(200, await school.client.get(MONTH))
    expect(owner.days.map((day: Row) => day.exceeded)).toEqual([
      ['practical_daily', 'school_daily'],
      ['school_daily'],
      [],
    ])
  })

  it('names the user who booked with an override, also after the limit is raised', async () => {
    const { id } = await school.instructor({ max_daily_units: 2, max_daily_override: 4 })
    await lesson(id, '04 08:00', '09:30')
    const second = await lesson(id, '04 10:00', '11:30')
    await school.client.patch(`/appointments/${second.id}`, { notes: 'later' })
    await school.client.patch(`/instructors/${id}`, { max_daily_units: 9 })
    const [{ days }] = must(200, await school.client.get(MONTH))
    const actor = { kind: 'user', id: school.user.id, name: 'Anna Office' }
    expect(days[0].overrides).toEqual([
      { appointment_id: second.id, rule: 'daily', actor, at: expect.stringMatching(/^20\d\d-.*Z$/) },
    ])
    expect(days[0].exceeded).toEqual([])
  })

  it('belongs to the day of the actual start, with elapsed minutes over a clock change', async () => {
    service().setClock(new Date('2026-11-02T10:00:00Z'))
    school = await aSchool(service())
    const { id } = await school.instructor()
    const night = (start_at: string, end_at: string) => ({ start_at, end_at })
    await lesson(id, '01 00:00', '00:45', night('2026-10-25 01:00', '2026-10-25 04:00'))
    await lesson(id, '01 00:00', '00:45', {
      ...night('2026-11-01 00:10', '2026-11-01 00:55'),
      ...{ actual_start_at: '2026-10-31 23:50', actual_end_at: '2026-11-01 00:40' },
    })
    const [{ days }] = must(200, await school.client.get('/minutes?month=2026-10'))
    expect(days.map((day: Row) => [day.date, day.worked_minutes])).toEqual([
      ['2026-10-25', 240],
      ['2026-10-31', 50],
    ])
    expect(must(200, await school.client.get('/minutes?month=2026-11'))).toEqual([])
  })

  it('has no limits of the law in a country without any', async () => {
    school = await aSchool(service(), { country: 'PL', timezone: 'Europe/Warsaw', locale: 'pl' })
    const { id } = await school.instructor()
    await lesson(id, '04 06:00', '18:00')
    const [{ days }] = must(200, await school.client.get(MONTH))
    expect(days[0]).toMatchObject({ limits: { practical: null, total: null }, exceeded: [] })
  })

  it('lists who worked by name, or the named ones, and pages', async () => {
    const jonas = await school.instructor()
    const eva = await school.instructor({ last_name: 'Adler', first_name: 'Eva' })
    const idle = await school.instructor({ last_name: 'Zett' })
    for (const { id } of [jonas, eva]) await lesson(id, '04 08:00', '09:30')
    const names = async (path: string) => must(200, await school.client.get(path)).map((one: Row) => one.name)
    expect(await names(MONTH)).toEqual(['Eva Adler', 'Jonas Brandt'])
    expect(await names(`${MONTH}&instructor_id=${idle.id}&instructor_id=${eva.id}`)).toEqual([
      'Eva Adler',
      'Jonas Zett',
    ])
    const page = await school.client.get(`${MONTH}&limit=1`)
    expect(page.body.map((one: Row) => one.name)).toEqual(['Eva Adler'])
    const next = /<\/api\/v1(.*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
    expect(await names(next)).toEqual(['Jonas Brandt'])
  })

  it('is empty for a month ahead, and 400 for one that is none', async () => {
    const { id } = await school.instructor()
    expect(must(200, await school.client.get('/minutes?month=2026-06'))).toEqual([])
    expect(must(200, await school.client.get(`/minutes?month=2026-06&instructor_id=${id}`))).toEqual([])
    for (const month of ['2026-13', '2026-5', '2026-05-01', '1999-12', '']) {
      const { status, body } = await school.client.get(`/minutes?month=${month}`)
      expect([status, body.errors[0].pointer], month).toEqual([400, '?month'])
    }
    expect((await school.client.get('/minutes')).status).toBe(400)
  })

  it('shows an instructor only their own, and another school nothing', async () => {
    const [own, other] = [await school.instructor(), await school.instructor({ last_name: 'Other' })]
    for (const { id } of [own, other]) await lesson(id, '04 08:00', '09:30')
    const phone = await loginOf(own.id)
    const seen = must(200, await phone.client.get(MONTH))
    expect(seen.map((one: Row) => one.instructor_id)).toEqual([own.id])
    const twin = await aSchool(service())
    await twin.instructor()
    expect(must(200, await twin.client.get(MONTH))).toEqual([])
    for (const [reader, id] of [
      [phone, other.id],
      [twin, own.id],
      [school, own.id.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))],
    ] as const) {
      expect((await reader.client.get(`${MONTH}&instructor_id=${id}`)).status).toBe(404)
      expect((await reader.client.get(`/minutes/rows?instructor_id=${id}&date=2026-05-04`)).status).toBe(404)
    }
  })

  it('counts a lesson of an erased student without a name', async () => {
    const { id } = await school.instructor()
    const { student_id, id: appointment_id } = await lesson(id, '04 08:00', '09:30')
    expect(student_id).toEqual(expect.any(String))
    await school.client.delete(`/students/${student_id}`)
    const [{ days }] = must(200, await school.client.get(MONTH))
    expect(days[0].worked_minutes).toBe(90)
    const rows = must(200, await school.client.get(`/minutes/rows?instructor_id=${id}&date=2026-05-04`))
    expect(rows.map((row: Row) => row.appointment_id)).toEqual([appointment_id])
  })
})

describe('GET /minutes.csv', () => {
  it('has a line per instructor and day, with the people behind overrides', async () => {
    const { id } = await school.instructor({ number: '=7', max_daily_units: 2, max_daily_override: 4 })
    await lesson(id, '04 08:00', '09:30')
    await lesson(id, '04 10:00', '11:30')
    await lesson(id, '05 08:00', '09:30')
    const { status, text, headers } = await school.client.get('/minutes.csv?month=2026-05')
    expect([status, headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
    expect(headers.get('content-disposition')).toBe('attachment; filename="minutes-2026-05.csv"')
    const lines = text.split('\r\n')
    expect(lines).toHaveLength(4)
    expect(lines[1]).toMatch(
      new RegExp(
        `^${id};'=7;Jonas Brandt;2026-05-04;2026-05-04 08:00;2026-05-04 11:30;180;180;180;495;180;600;30;90;2;4;;daily: Anna Office 20.{14};0$`,
      ),
    )
    expect(lines[2]?.split(';').slice(3, 5)).toEqual(['2026-05-05', '2026-05-05 08:00'])
    const other = await loginOf((await school.instructor({ last_name: 'Other' })).id)
    expect((await other.client.get(`/minutes.csv?month=2026-05&instructor_id=${id}`)).status).toBe(404)
    expect((await school.client.get('/minutes.csv?month=2026-13')).status).toBe(400)
  })
})
