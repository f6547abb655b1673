import { describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool } from '../support/factory.ts'
import { addStudents } from '../support/long-list.ts'
import { ALL_OFF } from '../support/new-school.ts'

const service = useService()

/** The six keys and the route that returns each of them. */
const SOURCES = {
  user: '/auth/me',
  tenant: '/auth/me',
  students: '/students',
  instructors: '/instructors',
  lessonTypes: '/lesson-types',
  templates: '/license-class-templates',
}

describe('GET /bootstrap', () => {
  it('returns exactly six keys, each equal to the response of its own route (S65, I16)', async () => {
    const school = await aSchool(service())
    await school.student({ last_name: 'Öz', notes: '"quoted"' })
    await school.student({ last_name: 'Ast' })
    await school.client.delete(`/students/${(await school.student({ last_name: 'Gone' })).id}`)
    await school.instructor({
      active: false,
      availability_windows: [{ weekday: 1, start: '08:00', end: '24:00' }],
    })
    const { status, headers, body } = await school.client.get('/bootstrap')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(Object.keys(body)).toEqual(Object.keys(SOURCES))
    const { tenant, ...user } = (await school.client.get('/auth/me')).body
    expect([body.user, body.tenant]).toEqual([user, tenant])
    for (const key of ['students', 'instructors', 'lessonTypes', 'templates'] as const) {
      expect(body[key].length, key).toBeGreaterThan(0)
      expect(body[key], key).toEqual((await school.client.get(SOURCES[key])).body)
    }
    expect(body.students.map(({ last_name }: { last_name: string }) => last_name)).toEqual(['Ast', 'Öz'])
  })

  it('returns empty lists, the user and the tenant for a new school', async () => {
    const school = await aSchool(service(), {
      name: 'École Élan',
      timezone: 'Europe/Paris',
      country: 'FR',
      locale: 'fr',
    })
    const { body } = await school.client.get('/bootstrap')
    expect([body.students, body.instructors]).toEqual([[], []])
    expect(body.user).toEqual({
      id: school.user.id,
      tenant_id: school.tenantId,
      email: school.user.email,
      name: 'Anna Office',
      role: 'owner',
      instructor_id: null,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    })
    expect(body.tenant).toEqual({
      availability_round: null,
      id: school.tenantId,
      name: 'École Élan',
      timezone: 'Europe/Paris',
      locale: 'fr',
      country: 'FR',
      unit_minutes: 60,
      phone: null,
      email: null,
      office_email: null,
      cancellation_terms: null,
      map_url: null,
      hidden_license_classes: [],
      cancellation_policy: [],
      holidays: 'warn',
      busy_calendars: 'warn',
      instructors_may: 'nothing',
      second_factor: 'optional',
      ...ALL_OFF,
      region: null,
      address: null,
      responsible: null,
      record: { signatures: [], content: 'note' },
      latitude: 48.87,
      longitude: 2.33,
      default_max_daily_units: 8,
      default_max_weekly_units: 40,
      default_required_break_minutes: 0,
      default_max_continuous_minutes: 360,
      default_availability_windows: [],
      version: 1,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    })
    expect(body.lessonTypes[0].name).toBe('Leçon de conduite (formation de base)')
  })

  it('returns a list of 2,500 students in full', async () => {
    const school = await aSchool(service())
    await addStudents(service(), school, 2500)
    const { body } = await school.client.get('/bootstrap')
    expect(body.students).toHaveLength(2500)
    expect(body.students).toEqual((await school.client.get('/students')).body)
    expect(body.templates).toHaveLength(37)
  })

  it('supports HEAD, and rejects query parameters with 400 and POST with 405', async () => {
    const { client } = await aSchool(service())
    const head = await client.send('HEAD', '/bootstrap')
    expect([head.status, head.text]).toEqual([200, ''])
    const unknown = await client.get('/bootstrap?limit=5')
    expect([unknown.status, unknown.body.errors[0].pointer]).toEqual([400, '?limit'])
    const written = await client.post('/bootstrap', {})
    expect([written.status, written.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})
