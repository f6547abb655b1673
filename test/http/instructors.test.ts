import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
let school: School

beforeEach(async () => {
  school = await aSchool(service())
})

const NAME = { first_name: 'Jonas', last_name: 'Brandt' }
const MORNING = { weekday: 1, start: '08:00', end: '12:00' }
const SUMMER = { start_date: '2026-08-03', end_date: '2026-08-14', note: 'Sommer' }

async function age(id: string): Promise<void> {
  await service()
    .db.updateTable('instructors')
    .set({ updated_at: new Date(0) })
    .where('id', '=', id)
    .execute()
}

describe('a new instructor', () => {
  it('requires only a name, and gets the German default limits 11, 55, 0 and 360', async () => {
    const { status, headers, body } = await school.client.post('/instructors', NAME)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      ...NAME,
      email: null,
      phone: null,
      phone_2: null,
      color: expect.stringMatching(/^#[0-9A-F]{6}$/),
      license_classes: [],
      active: true,
      number: null,
      employment: 'employee',
      is_trainee: false,
      max_daily_units: 11,
      max_daily_override: null,
      max_weekly_units: 55,
      max_weekly_override: null,
      required_break_minutes: 0,
      max_continuous_minutes: 360,
      availability_windows: [],
      absences: [],
      vacations: [],
      usual_vehicle_id: null,
      location_id: null,
      version: 1,
      created_at: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/),
      updated_at: body.created_at,
    })
    expect(headers.get('location')).toBe(`/api/v1/instructors/${body.id}`)
    expect((await school.client.get(`/instructors/${body.id}`)).body).toEqual(body)
    expect((await school.client.get('/instructors')).body).toEqual([body])
  })

  it.each([
    ['AT', 50, 9],
    ['CH', 50, 9],
    ['NL', 50, 9],
    ['FR', 60, 8],
    ['GB', 60, 8],
    ['PL', 60, 8],
  ])('in %s starts with ⌊495 / %i⌋ units a day and five times that a week', async (country, unit, daily) => {
    const abroad = await aSchool(service(), { country, locale: 'en' })
    const { body } = await abroad.client.post('/instructors', NAME)
    const { tenant } = (await abroad.client.get('/auth/me')).body
    expect([tenant.unit_minutes, body.max_daily_units, body.max_weekly_units]).toEqual([
      unit,
      daily,
      5 * daily,
    ])
    expect([body.required_break_minutes, body.max_continuous_minutes]).toEqual([0, 360])
  })

  it("gets the school's own defaults, including unlimited ones", async () => {
    const strict = await aSchool(service(), {
      default_max_daily_units: 6,
      default_max_weekly_units: 29,
      default_required_break_minutes: 10,
      default_max_continuous_minutes: 180,
    })
    const lax = await aSchool(service(), {
      default_max_daily_units: null,
      default_max_weekly_units: null,
      default_max_continuous_minutes: null,
    })
    expect((await strict.client.post('/instructors', NAME)).body).toMatchObject({
      max_daily_units: 6,
      max_weekly_units: 29,
      required_break_minutes: 10,
      max_continuous_minutes: 180,
    })
    expect((await lax.client.post('/instructors', NAME)).body).toMatchObject({
      max_daily_units: null,
      max_weekly_units: null,
      required_break_minutes: 0,
      max_continuous_minutes: null,
    })
  })

  it('keeps every given field, including limits of null and 0', async () => {
    const given = {
      ...NAME,
      email: 'jonas@school.example',
      phone: '112',
      phone_2: '113',
      color: '#d55e00',
      license_classes: ['BE', 'B'],
      active: false,
      max_daily_units: null,
      max_daily_override: 0,
      max_weekly_units: 0,
      max_weekly_override: 60,
      required_break_minutes: 15,
      max_continuous_minutes: null,
      availability_windows: [{ weekday: 7, start: '20:00', end: '24:00' }, MORNING],
      vacations: [SUMMER, { start_date: '2026-01-01', end_date: '2026-01-01', note: null }],
    }
    const { body } = await school.client.post('/instructors', given)
    expect(body).toMatchObject(given)
    expect((await school.client.get(`/instructors/${body.id}`)).body).toEqual(body)
  })
})

describe('a change of an instructor', () => {
  it('changes only the fields in the PATCH', async () => {
    const before = await school.instructor({
      availability_windows: [MORNING],
      vacations: [SUMMER],
      phone: '1',
      phone_2: '2',
    })
    await age(before.id)
    const change = { phone: null, phone_2: '3', active: false, max_daily_units: 3 }
    const { status, body } = await school.client.patch(`/instructors/${before.id}`, change)
    expect([status, body]).toEqual([
      200,
      { ...before, ...change, version: Number(before.version) + 1, updated_at: body.updated_at },
    ])
    expect(body.updated_at > '2026').toBe(true)
    expect((await school.client.get(`/instructors/${before.id}`)).body).toEqual(body)
  })

  it('with {} keeps every field, updated_at and the entity tag', async () => {
    const { id } = await school.instructor({ availability_windows: [MORNING], vacations: [SUMMER] })
    await age(id)
    const before = await school.client.get(`/instructors/${id}`)
    const { status, body, headers } = await school.client.patch(`/instructors/${id}`, {})
    expect([status, body, headers.get('etag')]).toEqual([200, before.body, before.headers.get('etag')])
    expect((await school.client.get(`/instructors/${id}`)).body).toEqual(before.body)
    expect(body.updated_at).toBe('1970-01-01T00:00:00.000Z')
  })

  it('replaces a list as a whole, keeps order and duplicates, and leaves other lists unchanged', async () => {
    const { id } = await school.instructor({
      availability_windows: [MORNING],
      vacations: [SUMMER],
      license_classes: ['B'],
    })
    await age(id)
    const windows = [
      { weekday: 5, start: '13:00', end: '17:00' },
      MORNING,
      { ...MORNING, end: '11:00' },
      MORNING,
    ]
    const changed = await school.client.patch(`/instructors/${id}`, { availability_windows: windows })
    expect(changed.body).toMatchObject({ availability_windows: windows, vacations: [SUMMER] })
    expect(changed.body.updated_at > '2026').toBe(true)
    const days = [SUMMER, { start_date: '2026-08-10', end_date: '2026-09-01', note: null }, SUMMER]
    await school.client.patch(`/instructors/${id}`, { vacations: days, license_classes: ['BE', 'A'] })
    const read = (await school.client.get(`/instructors/${id}`)).body
    expect(read).toMatchObject({
      availability_windows: windows,
      vacations: days,
      license_classes: ['BE', 'A'],
    })
    const cleared = { availability_windows: [], vacations: [], license_classes: [] }
    expect((await school.client.patch(`/instructors/${id}`, cleared)).body).toMatchObject(cleared)
    expect((await school.client.get('/instructors')).body[0]).toMatchObject(cleared)
  })

  it('is accepted even if a lesson then breaks rules, and leaves the lesson unchanged', async () => {
    const { id } = await school.instructor()
    const lesson = await school.lesson({
      instructor_id: id,
      start_at: '2026-05-04 08:00',
      end_at: '2026-05-04 09:30',
    })
    const { status } = await school.client.patch(`/instructors/${id}`, {
      active: false,
      vacations: [{ start_date: '2026-05-01', end_date: '2026-05-31' }],
      availability_windows: [{ weekday: 2, start: '08:00', end: '09:00' }],
      max_daily_units: 0,
      max_weekly_units: 0,
      required_break_minutes: 1440,
      max_continuous_minutes: 1,
    })
    expect(status).toBe(200)
    expect((await school.client.get(`/appointments/${lesson.id}`)).body).toEqual(lesson)
  })
})

it('an instructor cannot be deleted: 405 with the supported methods in Allow', async () => {
  const { id } = await school.instructor()
  for (const [method, path, allow] of [
    ['DELETE', `/instructors/${id}`, 'GET, HEAD, PATCH'],
    ['PUT', `/instructors/${id}`, 'GET, HEAD, PATCH'],
    ['POST', `/instructors/${id}`, 'GET, HEAD, PATCH'],
    ['DELETE', '/instructors', 'GET, HEAD, POST'],
    ['PATCH', '/instructors', 'GET, HEAD, POST'],
  ] as const) {
    const { status, headers, body } = await school.client.send(method, path)
    expect([status, body.code, headers.get('allow')], `${method} ${path}`).toEqual([
      405,
      'method_not_allowed',
      allow,
    ])
  }
  const restored = await school.client.post(`/instructors/${id}/restore`)
  expect([restored.status, restored.body.code]).toEqual([404, 'not_found'])
  expect((await school.client.get(`/instructors/${id}`)).status).toBe(200)
})
