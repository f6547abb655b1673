import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'
import { templateOf } from '../support/trainer.ts'

const service = useService()
const MAY = 'from=2026-05-01&to=2026-05-31'
let school: School

beforeEach(async () => {
  service().setClock(new Date('2026-05-20T10:00:00Z'))
  school = await aSchool(service())
})

type Fields = Readonly<Record<string, unknown>>

async function lesson(instructor_id: string, start: string, end: string, fields: Fields = {}): Promise<Row> {
  const times = { start_at: `2026-05-${start}`, end_at: `2026-05-${start.slice(0, 3)}${end}` }
  const student_id = fields.student_id ?? (await school.student()).id
  return school.lesson({ instructor_id, status: 'completed', ...times, ...fields, student_id })
}

const get = async (path: string) => must(200, await school.client.get(path.replace('/api/v1', '')))
const numbers = (query = MAY) => get(`/numbers?${query}`)

/** Enrols a student for a class on a day. */
async function trained(code: string, begins_on: string, fields: Fields = {}): Promise<string> {
  const license_class_template_id = await templateOf(school, code)
  const { id } = await school.student({ license_class_template_id, ...fields })
  const [enrolment] = await get(`/students/${id}/enrolments`)
  must(200, await school.client.patch(`/enrolments/${enrolment.id}`, { begins_on }))
  return id
}

describe('GET /numbers', () => {
  // Sums and windows are computed by the database.
  it('has the use of working hours by ISO week, cut at the ends of the period', {
    tags: 'embedded',
  }, async () => {
    const availability_windows = [1, 2, 3].map((weekday) => ({ weekday, start: '08:00', end: '16:00' }))
    const vacations = [{ start_date: '2026-05-12', end_date: '2026-05-12' }]
    const { id } = await school.instructor({ availability_windows, vacations })
    await school.instructor({ last_name: 'Without hours' })
    await lesson(id, '04 08:00', '09:30')
    await lesson(id, '11 08:00', '09:30')
    must(201, await school.client.post('/closures', { start_date: '2026-05-06', end_date: '2026-05-06' }))
    const { use } = await numbers('from=2026-05-05&to=2026-05-12')
    expect(use.filter(({ instructor_id }: Row) => instructor_id === id)).toEqual([
      expect.objectContaining({ week: '2026-W19', worked_minutes: 0, available_minutes: 480 }),
      expect.objectContaining({ week: '2026-W20', worked_minutes: 90, available_minutes: 480 }),
    ])
    expect(use.find(({ instructor_id }: Row) => instructor_id !== id)).toMatchObject({
      available_minutes: null,
    })
  })

  it('counts what was missed by its party and notice, and never an erased name', async () => {
    const { id } = await school.instructor()
    const late = await lesson(id, '21 08:00', '09:30', { status: 'planned' })
    must(
      200,
      await school.client.patch('/tenant', {
        cancellation_policy: [{ categories: null, notice: { hours: 48 }, fee_percent: 50 }],
      }),
    )
    must(200, await school.client.post(`/appointments/${late.id}/cancel`, { by: 'student' }))
    const early = await lesson(id, '28 08:00', '09:30', { status: 'planned' })
    must(200, await school.client.post(`/appointments/${early.id}/cancel`, { by: 'student' }))
    const ours = await lesson(id, '29 08:00', '09:30', { status: 'planned' })
    must(200, await school.client.post(`/appointments/${ours.id}/cancel`, { by: 'school' }))
    await lesson(id, '04 08:00', '09:30', { status: 'no_show' })
    const { missed } = await numbers()
    expect(missed).toMatchObject({ no_show: 1, cancelled_late: 1, cancelled_in_time: 1, by_school: 1 })
    await sql`update students set restriction = '{}' where tenant_id = ${school.tenantId}`.execute(
      service().db,
    )
    const rows = await get(missed.rows.cancelled_late)
    expect(rows).toMatchObject([{ appointment_id: late.id, kind: 'cancelled_late', student: null }])
    expect(rows[0].notice_minutes).toBe(1200)
  })

  it('counts first and later attempts by the day of the test, and the days before the first pass', async () => {
    const { id } = await school.instructor()
    const student = await trained('B', '2026-03-01')
    const moved = await trained('B', '2026-03-01')
    const [exam, theory] = [school.lessonTypes.PRACTICAL_EXAM, school.lessonTypes.THEORY_EXAM]
    const result = (passed: boolean) => ({ exam_result: { passed } })
    await lesson(id, '04 08:00', '08:45', { student_id: student, lesson_type_id: theory, ...result(false) })
    await lesson(id, '18 08:00', '08:45', { student_id: student, lesson_type_id: theory, ...result(true) })
    await lesson(id, '18 09:00', '09:45', { student_id: moved, lesson_type_id: theory, ...result(true) })
    await lesson(id, '19 08:00', '08:45', { student_id: student, lesson_type_id: exam, ...result(false) })
    const balance = [
      { lesson_type_id: school.lessonTypes.RURAL, units: 2, date: '2026-01-31', source: 'Nord' },
    ]
    must(200, await school.client.put(`/students/${moved}/opening-balance`, balance))
    const { passed, to_test } = await numbers()
    expect(passed.map(({ rows: _, ...one }: Row) => one)).toEqual([
      { license_class: 'B', test: 'theory', attempt: 'first', taken: 2, passed: 1 },
      { license_class: 'B', test: 'theory', attempt: 'repeat', taken: 1, passed: 1 },
      { license_class: 'B', test: 'practical', attempt: 'first', taken: 1, passed: 0 },
    ])
    expect(to_test.map(({ rows: _, ...one }: Row) => one)).toEqual([
      { license_class: 'B', test: 'theory', n: 1, median_days: 78, quarter_days: [78, 78] },
      { license_class: 'B', test: 'practical', n: 0, median_days: null, quarter_days: null },
    ])
    expect(await get(to_test[0].rows)).toMatchObject([
      { student_id: student, begins_on: '2026-03-01', passed_on: '2026-05-18', days: 78 },
    ])
  })

  it('lists students without a lesson for weeks, those who owe special drives, and those who are ready', async () => {
    const { id } = await school.instructor()
    const [never, idle, busy, recent] = [
      await trained('B', '2026-03-01', { last_name: 'Never' }),
      await trained('B', '2026-02-01', { last_name: 'Idle' }),
      await trained('B', '2026-02-01', { last_name: 'Busy' }),
      await trained('B', '2026-05-01', { last_name: 'Recent' }),
    ]
    const april = (start: string, end: string) => ({
      start_at: `2026-04-28 ${start}`,
      end_at: `2026-04-28 ${end}`,
    })
    await lesson(id, '01 08:00', '09:30', { student_id: idle, ...april('08:00', '09:30') })
    await lesson(id, '01 10:00', '11:30', { student_id: busy, ...april('10:00', '11:30') })
    await lesson(id, '29 08:00', '09:30', { student_id: busy, status: 'planned' })
    const exam = { lesson_type_id: school.lessonTypes.PRACTICAL_EXAM, status: 'planned' }
    await lesson(id, '29 12:00', '12:45', { student_id: recent, ...exam })
    const ready = await trained('A2_STEP_A1_GE2Y', '2026-05-11', { last_name: 'Ready' })
    const { lists } = await numbers()
    expect(await get(lists.no_lesson.rows)).toMatchObject([
      { student_id: never, last_lesson_on: null, begins_on: '2026-03-01' },
      { student_id: idle, last_lesson_on: '2026-04-28' },
    ])
    expect(await get('/numbers/no_lesson?weeks=4')).toMatchObject([{ student_id: never }])
    expect(await get(lists.special_owed.rows)).toMatchObject([
      { student_id: recent, exam_on: '2026-05-29', units: { RURAL: 5, MOTORWAY: 4, NIGHT: 3 } },
    ])
    expect(await get(lists.ready.rows)).toMatchObject([{ student_id: ready, ready_since: '2026-05-11' }])
    expect(lists).toMatchObject({ no_lesson: { count: 2 }, special_owed: { count: 1 }, ready: { count: 1 } })
  })

  it('takes lessons that touch for one block, as progress does', async () => {
    const { id } = await school.instructor()
    const { tenantId, lessonTypes } = school
    await sql`insert into template_requirements (tenant_id, license_class_template_id, lesson_type_id, position, required_units,
        min_one_block_units)
      select tenant_id, id, ${lessonTypes.PRACTICE}, 99, 2, 2 from license_class_templates
      where tenant_id = ${tenantId} and code = 'A2_STEP_A1_GE2Y'`.execute(service().db)
    const [together, apart] = [
      await trained('A2_STEP_A1_GE2Y', '2026-05-01', { last_name: 'Together' }),
      await trained('A2_STEP_A1_GE2Y', '2026-05-01', { last_name: 'Apart' }),
    ]
    const drive = (student_id: string, start: string, end: string) =>
      lesson(id, start, end, { student_id, lesson_type_id: lessonTypes.PRACTICE })
    await drive(together, '11 08:00', '08:45')
    await drive(together, '11 08:45', '09:30')
    await drive(apart, '12 08:00', '08:45')
    await drive(apart, '12 08:46', '09:31')
    const { lists } = await numbers()
    expect(lists.ready.count).toBe(1)
    expect(await get(lists.ready.rows)).toMatchObject([{ student_id: together, ready_since: '2026-05-11' }])
  })

  it('leaves free what the limits of the day and the week leave, from now on', async () => {
    const availability_windows = [3, 4, 5].map((weekday) => ({ weekday, start: '08:00', end: '18:00' }))
    const { id } = await school.instructor({ availability_windows, max_daily_units: 4, max_weekly_units: 7 })
    await lesson(id, '21 08:00', '09:30', { status: 'planned' })
    const rows = await get('/numbers/free?week=2026-W21')
    // 12:00 on Wednesday: six hours, of which the limit leaves three; Friday has what is left of the week.
    expect(rows.map(({ date, minutes }: Row) => [date, minutes])).toEqual([
      ['2026-05-20', 180],
      ['2026-05-21', 45],
    ])
    const { free } = await numbers()
    expect(free.map(({ week, minutes }: Row) => [week, minutes])).toEqual([
      ['2026-W21', 225],
      ['2026-W22', 315],
      ['2026-W23', 315],
      ['2026-W24', 315],
    ])
  })

  it('rejects periods of more than 366 days, and those that end before they begin', async () => {
    const { body } = await school.client.get('/numbers?from=2026-01-01&to=2027-01-02')
    expect(body.errors).toMatchObject([{ pointer: '?to', code: 'too_long' }])
    const { body: order } = await school.client.get('/numbers/use.csv?from=2026-01-02&to=2026-01-01')
    expect(order.errors).toMatchObject([{ pointer: '?to', code: 'wrong_order' }])
    expect((await school.client.get('/numbers?from=2026-01-01&to=2027-01-01')).status).toBe(200)
    expect((await school.client.get('/numbers/use')).status).toBe(400)
    expect((await school.client.get('/numbers/no_lesson?weeks=13')).status).toBe(400)
    expect((await school.client.get('/numbers/unknown')).status).toBe(404)
  })

  it('is for the owner only', async () => {
    const user = await aUser(service(), school.tenantId, { role: 'office' })
    const office = await enter(service(), { tenantId: school.tenantId, user })
    expect((await office.client.get(`/numbers?${MAY}`)).status).toBe(403)
    expect((await office.client.get('/numbers/ready.csv')).status).toBe(403)
  })
})

it('the file of a number has its rows with headings in the language of the school', async () => {
  const { id } = await school.instructor()
  await lesson(id, '04 08:00', '09:30')
  const { by_type } = await numbers()
  const { text, headers } = await school.client.get(
    by_type[0].rows.replace('/api/v1', '').replace('?', '.csv?'),
  )
  expect(headers.get('content-disposition')).toBe('attachment; filename="numbers-by_type.csv"')
  const [heading, line, end] = text.split('\r\n')
  expect(heading).toMatch(/^Termin-ID;Beginn;Ende;Fahrlehrer-ID;Fahrlehrer;/)
  expect(line).toMatch(/;2026-05-04 08:00;2026-05-04 09:30;.*;Jonas Brandt;.*;Lena Vogt;.*;90$/)
  expect(end).toBe('')
})
