import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { isComputed, prepareHolidays } from '../../src/db/school/holidays.ts'
import { daysLater } from '../../src/domain/local-time.ts'
import { MAX_CLOSURES } from '../../src/domain/ranges.ts'
import { useService } from '../support/app.ts'
import { type Answer, must } from '../support/client.ts'
import { aSchool, aUser, enter, type School } from '../support/factory.ts'

const service = useService()
let school: School
let instructor_id: string

beforeAll(async () => {
  school = await aSchool(service())
  instructor_id = (await school.instructor()).id
})

const on = (date: string, from = '10:00', to = '10:45') => ({
  instructor_id,
  lesson_type_id: school.lessonTypes.PRACTICE,
  start_at: `${date} ${from}`,
  end_at: `${date} ${to}`,
})
const book = (date: string, ...times: string[]) => school.client.post('/appointments', on(date, ...times))
const check = (date: string) => school.client.post('/appointments/check', on(date))
const close = (start_date: string, end_date: string, more: object = {}) =>
  school.client.post('/closures', { start_date, end_date, ...more })
const policy = (change: object) => school.client.patch('/tenant', change)
const refusal = ({ status, body }: Answer) => [status, body.code, body.params]
const slotDays = async (from: string, to: string) => {
  const query = `from=${from}&to=${to}&minutes=45&instructor_id=${instructor_id}&limit=200&step=60`
  const { body } = await school.client.get(`/slots?${query}`)
  return [...new Set(body.map(({ start_at }: { start_at: string }) => start_at.slice(0, 10)))]
}

describe('GET /holidays', () => {
  const named = async (from: string, to: string) =>
    (await school.client.get(`/holidays?from=${from}&to=${to}`)).body

  it('lists holidays of the country, and of the region if the school has one', async () => {
    await policy({ region: null })
    const christmas = { date: '2031-12-25', name: '1. Weihnachtstag', region: null, is_public: true }
    expect(await named('2031-12-25', '2031-12-25')).toEqual([christmas])
    expect(await named('2031-01-06', '2031-01-06')).toEqual([])
    await policy({ region: 'DE-BY' })
    expect(await named('2031-01-06', '2031-01-06')).toEqual([
      { date: '2031-01-06', name: 'Heilige Drei Könige', region: 'DE-BY', is_public: true },
    ])
    expect(await named('2031-12-24', '2031-12-25')).toMatchObject([{ is_public: false }, christmas])
  })

  it.each([
    ['DE', 'DE-BE', 'de', '2028-06-17', '75-jähriges Jubiläum des Volksaufstands in der DDR'],
    ['GB', 'GB-SCT', 'en', '2026-06-15', 'World Cup Bank Holiday'],
    ['CH', 'CH-GL', 'de', '2027-04-01', 'Näfelser Fahrt'],
    ['CH', 'CH-GL', 'de', '2032-04-01', 'Näfelser Fahrt'],
  ])('has the single holidays of %s in %s', async (country, region, locale, date, name) => {
    const { client } = await aSchool(service(), { country, locale })
    const lists = async () => must(200, await client.get(`/holidays?from=${date}&to=${daysLater(date, 7)}`))
    const inCountry = await lists()
    expect(inCountry.map((one: { name: string }) => one.name)).not.toContain(name)
    must(200, await client.patch('/tenant', { region }))
    const named = (await lists()).filter((one: { name: string }) => one.name === name)
    expect(named).toEqual([{ date, name, region, is_public: true }])
  })

  it('returns pages that add up to the whole list', async () => {
    const path = '/holidays?from=2031-01-01&to=2031-12-31'
    const whole = (await school.client.get(path)).body
    const pages = []
    for (let next: string | undefined = `${path}&limit=4`; next; ) {
      const { body, headers } = await school.client.get(next)
      pages.push(body)
      next = headers.get('link')?.match(/^<\/api\/v1(.+)>; rel="next"$/)?.[1]
    }
    expect(pages.flat()).toEqual(whole)
    expect(pages.slice(0, -1).every(({ length }) => length === 4)).toBe(true)
    expect(pages.length).toBeGreaterThan(2)
  })

  it('spans years, and rejects invalid ranges with 400', async () => {
    const days = await named('2031-12-31', '2032-01-01')
    expect(days.map(({ date }: { date: string }) => date)).toContain('2032-01-01')
    for (const query of [
      'from=2031-01-02&to=2031-01-01',
      'from=2031-01-01&to=2035-01-01',
      'from=x',
      'year=1',
    ])
      expect((await school.client.get(`/holidays?${query}`)).status, query).toBe(400)
    expect((await school.client.get('/holidays')).status).toBe(200)
  })
})

describe('the holiday settings of a school', () => {
  it('reject any region not defined for the country with 400', async () => {
    for (const region of ['DE-XX', 'AT-9', 'BY', '']) {
      const { status, body } = await policy({ region })
      expect([status, body.errors?.[0].pointer], region).toEqual([400, '/region'])
    }
    expect((await policy({ holidays: 'never' })).status).toBe(400)
  })

  it('warn about public holidays by default, and can reject or ignore them', async () => {
    const fresh = await aSchool(service())
    expect((await fresh.client.get('/tenant')).body).toMatchObject({ region: null, holidays: 'warn' })
    await policy({ region: 'DE-BY', holidays: 'warn' })
    const params = { date: '2031-01-06', name: 'Heilige Drei Könige' }
    const warned = (await check('2031-01-06')).body
    expect([warned.allowed, warned.warnings]).toEqual([
      true,
      expect.arrayContaining([{ code: 'public_holiday', params }]),
    ])
    await policy({ holidays: 'ignore' })
    expect((await check('2031-01-06')).body.warnings).not.toContainEqual({ code: 'public_holiday', params })
    await policy({ holidays: 'refuse' })
    const refused = (await check('2031-01-06')).body
    expect(refused.refusals).toEqual([{ code: 'public_holiday', params }])
    expect(refused.warnings).not.toContainEqual({ code: 'public_holiday', params })
    expect(refusal(await book('2031-01-06'))).toEqual([409, 'public_holiday', params])
    expect(await slotDays('2031-01-05', '2031-01-07')).toEqual(['2031-01-05', '2031-01-07'])
    await policy({ holidays: 'warn' })
    expect((await book('2031-01-06')).status).toBe(201)
  })

  it('take effect again as soon as a change is undone', async () => {
    await policy({ region: null, holidays: 'ignore' })
    const refusing = await policy({ holidays: 'refuse' })
    expect((await book('2031-10-03')).status).toBe(409)
    await school.client.post(`/changes/sets/${refusing.headers.get('x-request-id')}/undo`)
    expect((await book('2031-10-03')).status).toBe(201)
  })
})

describe('the closures of a school', () => {
  it(`are at most ${MAX_CLOSURES}: another one, and the undo of a deletion, are refused`, async () => {
    const { client, tenantId } = await aSchool(service())
    const dates = { start_date: '2031-03-03', end_date: '2031-03-03' }
    const first = must(201, await client.post('/closures', dates))
    await sql`insert into closures (tenant_id, id, start_date, end_date)
      select ${tenantId}, gen_random_uuid(), '2020-01-01'::date + day, '2020-01-01'::date + day
      from generate_series(1, ${sql.lit(MAX_CLOSURES - 1)}) day`.execute(service().db)
    const refused = await client.post('/closures', dates)
    expect([refused.status, refused.body.errors]).toEqual([
      400,
      [
        {
          pointer: '',
          code: 'too_many',
          detail: expect.stringContaining(`at most ${MAX_CLOSURES} closures`),
        },
      ],
    ])
    const deleted = await client.delete(`/closures/${first.id}`)
    const set = deleted.headers.get('x-request-id')
    must(201, await client.post('/closures', dates))
    expect(must(200, await client.post(`/changes/sets/${set}/undo`))).toMatchObject({
      undone: [],
      refused: [{ resource: 'closure', resource_id: first.id, code: 'not_undoable' }],
    })
    expect(must(200, await client.get('/closures'))).toHaveLength(MAX_CLOSURES)
  })
})

describe('a closure', () => {
  it('blocks every lesson that overlaps one of its days, and no other', async () => {
    const { body: closure, headers } = await close('2031-08-04', '2031-08-06', { note: 'Betriebsferien' })
    expect(closure).toMatchObject({
      start_date: '2031-08-04',
      end_date: '2031-08-06',
      note: 'Betriebsferien',
    })
    expect(headers.get('etag')).toBe('"1"')
    const closed = (date: string) => [409, 'school_closed', { date, note: 'Betriebsferien' }]
    expect(refusal(await book('2031-08-04'))).toEqual(closed('2031-08-04'))
    expect(refusal(await book('2031-08-06'))).toEqual(closed('2031-08-06'))
    const night = { ...on('2031-08-03', '23:30'), end_at: '2031-08-04 00:15' }
    expect(refusal(await school.client.post('/appointments', night))).toEqual(closed('2031-08-04'))
    expect((await school.client.post('/appointments', { ...night, end_at: '2031-08-04 00:00' })).status).toBe(
      201,
    )
    expect((await book('2031-08-07')).status).toBe(201)
    expect(await slotDays('2031-08-03', '2031-08-07')).toEqual(['2031-08-03', '2031-08-07'])
    expect((await check('2031-08-05')).body.alternatives.length).toBeGreaterThan(0)
  })

  it('is reported after a public holiday and before a vacation', async () => {
    await policy({ holidays: 'refuse', region: null })
    const { id } = await school.instructor({
      vacations: [{ start_date: '2031-12-25', end_date: '2031-12-25' }],
    })
    await close('2031-12-25', '2031-12-26')
    const { body } = await school.client.post('/appointments/check', {
      ...on('2031-12-25'),
      instructor_id: id,
    })
    expect(body.refusals.map(({ code }: { code: string }) => code)).toEqual([
      'public_holiday',
      'school_closed',
      'instructor_on_vacation',
    ])
    await policy({ holidays: 'warn' })
  })

  it('does not affect booked lessons, but blocks moves and lessons of a series', async () => {
    const { body: lesson } = await book('2031-09-01')
    await close('2031-09-01', '2031-09-02')
    const noted = await school.client.patch(`/appointments/${lesson.id}`, { status: 'completed' })
    expect(noted.status).toBe(200)
    const moved = await school.client.patch(`/appointments/${lesson.id}`, {
      start_at: '2031-09-02 10:00',
      end_at: '2031-09-02 10:45',
    })
    expect(moved.body.code).toBe('school_closed')
    const { body } = await school.client.post('/appointments/series', {
      appointment: on('2031-08-25'),
      repeat: { every_weeks: 1, count: 3 },
    })
    expect(body.refused.map(({ start_at }: { start_at: string }) => start_at)).toEqual(['2031-09-01 10:00'])
    expect(body.booked).toHaveLength(2)
  })

  it('is sorted by its first day, deleted with If-Match, and restored by an undo', async () => {
    const own = await aSchool(service())
    const make = (start_date: string) => own.client.post('/closures', { start_date, end_date: start_date })
    const [late, early] = [await make('2031-05-05'), await make('2031-04-04')]
    expect(late.headers.get('location')).toContain(`/closures/${late.body.id}`)
    expect((await own.client.get('/closures')).body).toEqual([early.body, late.body])
    const path = `/closures/${late.body.id}`
    expect((await own.client.delete(path, { 'if-match': '"7"' })).status).toBe(412)
    const deleted = await own.client.delete(path, { 'if-match': '"1"' })
    expect(deleted.status).toBe(204)
    expect((await own.client.delete(path)).status).toBe(404)
    expect((await own.client.get('/closures')).body).toEqual([early.body])
    const undo = ({ headers }: Answer) => own.client.post(`/changes/sets/${headers.get('x-request-id')}/undo`)
    expect((await undo(deleted)).body.undone).toEqual([late.body.id])
    expect((await own.client.get('/closures')).body).toHaveLength(2)
    expect((await undo(early)).body.undone).toEqual([early.body.id])
    const { body: changes } = await own.client.get(`/changes?resource=closure&resource_id=${late.body.id}`)
    expect(changes.map(({ action }: { action: string }) => action)).toEqual([
      'restored',
      'deleted',
      'created',
    ])
  })

  it('must not end before its first day', async () => {
    const { status, body } = await close('2031-08-06', '2031-08-04')
    expect([status, body.errors[0].pointer]).toEqual([400, '/end_date'])
    expect((await close('2031-08-32', '2031-09-04')).status).toBe(400)
    expect((await school.client.delete(`/closures/${randomUUID()}`)).status).toBe(404)
  })

  it('can be read but not created by instructors', async () => {
    const user = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id })
    const { client } = await enter(service(), { tenantId: school.tenantId, user })
    expect((await client.get('/closures')).status).toBe(200)
    expect((await client.get('/holidays')).status).toBe(200)
    expect(
      (await client.post('/closures', { start_date: '2031-01-01', end_date: '2031-01-01' })).status,
    ).toBe(403)
  })
})

it('the holidays of schools that observe them are computed before the service listens', async () => {
  const { client } = await aSchool(service())
  must(200, await client.patch('/tenant', { region: 'DE-MV', holidays: 'ignore' }))
  const place = { country: 'DE', region: 'DE-MV', locale: 'de' }
  const year = new Date().getUTCFullYear()
  await prepareHolidays(service().db)
  expect(isComputed(place, year)).toBe(false)
  must(200, await client.patch('/tenant', { holidays: 'warn' }))
  await prepareHolidays(service().db)
  expect([-2, -1, 0, 1].map((distance) => isComputed(place, year + distance))).toEqual([
    true,
    true,
    true,
    true,
  ])
})
