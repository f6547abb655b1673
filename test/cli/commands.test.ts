import { describe, expect, it } from 'vitest'
import { Client } from '../support/client.ts'
import { enter, PASSWORD, type Row } from '../support/factory.ts'
import { ALL_OFF } from '../support/new-school.ts'
import { complaintsOf, type Environment, type Exit, once } from '../support/process.ts'
import { onPostgres } from './fresh-database.ts'
import { useSandbox } from './sandbox.ts'
import { anEmail, makeSchool, printed, tenantCreate, userCreate } from './school.ts'

const sandbox = useSandbox()
const UNKNOWN_ID = '018f0000-0000-7000-8000-000000000000'
const MISSING = 'missing@school.example'

// In the gate, `serve` creates a school and its user.
describe.concurrent.each([
  ['PostgreSQL', async () => onPostgres()],
  ['the embedded database', async () => ({ DATA_DIR: await sandbox.dataDir() })],
] as const)('on %s, without a JWT_SECRET', (_, environmentOf) => {
  it('tenant create stores every option, and user create rejects a taken address', async () => {
    const environment = await environmentOf()
    const settings = {
      'unit-minutes': 50,
      'max-daily-units': 7,
      'max-weekly-units': 31,
      'required-break-minutes': 10,
      'max-continuous-minutes': 240,
    }
    const name = `Fahrschule Überholt – ${anEmail()}`
    const flags = Object.entries(settings).flatMap(([flag, value]) => [`--${flag}`, String(value)])
    const identity = [
      '--name',
      `\u202e ${name}\u0007 `,
      '--country',
      'ch',
      '--timezone',
      'Europe/Zurich',
      '--locale',
      'fr-CH',
    ]
    const line = ['tenant', 'create', ...identity, ...flags, '--json']
    const { id: tenantId } = await printed<Row>(sandbox, line, environment)
    expect((await tenants(environment)).find(({ id }) => id === tenantId)).toEqual({
      id: tenantId,
      name,
      country: 'CH',
      timezone: 'Europe/Zurich',
      locale: 'fr-CH',
      unit_minutes: 50,
      phone: null,
      email: null,
      office_email: null,
      availability_round: null,
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
      latitude: 47.38,
      longitude: 8.53,
      default_max_daily_units: 7,
      default_max_weekly_units: 31,
      default_required_break_minutes: 10,
      default_max_continuous_minutes: 240,
      default_availability_windows: [],
      version: 1,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
    })

    const email = anEmail()
    const inAnyCase = ` ${email.toUpperCase()} `
    const user = await printed<Row>(
      sandbox,
      userCreate(tenantId.toUpperCase(), inAnyCase),
      environment,
      PASSWORD,
    )
    expectFailure(await sandbox.run(userCreate(tenantId, inAnyCase), environment, PASSWORD), email)
    const asNobody = [...userCreate(tenantId, anEmail()), '--role', 'instructor', '--instructor', UNKNOWN_ID]
    expectFailure(await sandbox.run(asNobody, environment, PASSWORD), UNKNOWN_ID)
    const listUsers = ['user', 'list', '--tenant', tenantId, '--json']
    const listed = await printed<Row[]>(sandbox, listUsers, environment)
    expect(listed).toEqual([
      expect.objectContaining({
        id: user.id,
        tenant_id: tenantId,
        email,
        name: 'Anna Office',
        role: 'owner',
        disabled: false,
        state: 'active',
      }),
    ])
    expect(JSON.stringify(listed)).not.toContain('argon2')
  })
})

describe.concurrent.each([
  ['PostgreSQL', async () => onPostgres()],
  ['the embedded database', async () => ({ DATA_DIR: await sandbox.dataDir() })],
])('on %s', (_, environmentOf) => {
  it('a command exits once it has printed its result', async () => {
    const command = sandbox.start(tenantCreate(), await environmentOf())
    await command.says(/"id"/)
    expect(await command.exited).toMatchObject({ code: 0 })
  })
})

describe.concurrent('a failing command', () => {
  it.each([
    [['user', 'disable', '--email', MISSING], MISSING],
    [['user', 'enable', '--email', MISSING], MISSING],
    [['user', 'reset-second-factor', '--email', MISSING], MISSING],
    [['user', 'set-password', '--email', MISSING, '--password-stdin'], MISSING],
    [['user', 'list', '--tenant', UNKNOWN_ID], UNKNOWN_ID],
    [userCreate(UNKNOWN_ID, MISSING), UNKNOWN_ID],
    [['student', 'erase', '--tenant', UNKNOWN_ID, '--id', UNKNOWN_ID], UNKNOWN_ID],
  ])('%j exits with 1 and one line that names the unknown id or address', async (line, unknown) => {
    expectFailure(await sandbox.run(line, onPostgres(), PASSWORD), unknown)
  })

  it('exits with 1 and one line without the password if the database is unreachable', async () => {
    const nowhere = { DATABASE_URL: 'postgres://app:canary-1234@127.0.0.1:1/fahrplan' }
    const exit = await sandbox.run(['tenant', 'list'], nowhere)
    expectFailure(exit, '127.0.0.1')
    expect(exit.err).not.toContain('canary')
  })
})

describe.concurrent('data created by commands', () => {
  const service = once(() => sandbox.serve(onPostgres()))
  const school = once(() => makeSchool(sandbox, onPostgres()))

  it.each([
    ['AT', 'Europe/Vienna', 'de', 50, 9, 45, 'Übungsfahrt (Grundausbildung)'],
    ['FR', 'Europe/Paris', 'fr', 60, 8, 40, 'Leçon de conduite (formation de base)'],
    ['DE', 'Europe/Berlin', 'de', 45, 11, 55, 'Übungsfahrt (Grundausbildung)'],
  ])(
    'a school in %s has the unit length, limits and language of its country',
    async (country, timezone, locale, unit, day, week, practice) => {
      const { url } = await service()
      const more = ['--country', country, '--timezone', timezone, '--locale', locale]
      const { client, tenantId } = await enter({ url }, await makeSchool(sandbox, onPostgres(), ...more))
      expect((await tenants(onPostgres())).find(({ id }) => id === tenantId)).toMatchObject({
        country,
        unit_minutes: unit,
        default_max_daily_units: day,
        default_max_weekly_units: week,
        default_required_break_minutes: 0,
        default_max_continuous_minutes: 360,
      })
      const lessonTypes: readonly Row[] = (await client.get('/lesson-types')).body
      expect(lessonTypes.find(({ code }) => code === 'PRACTICE')).toMatchObject({ name: practice })
      expect(lessonTypes.some(({ code }) => code === 'MANUAL_CHECK')).toBe(country === 'DE')
      expect((await client.get('/license-class-templates')).body.length).toBeGreaterThan(0)
    },
  )

  it.each([
    ['a final newline is removed', 'correct horse\n', 'correct horse', 'correct horse\n'],
    ['a final Windows newline is removed', 'correct horse\r\n', 'correct horse', 'correct horse\r\n'],
    ['only one of two newlines is removed', 'correct horse\n\n', 'correct horse\n', 'correct horse'],
    ['spaces are kept', '  correct horse ', '  correct horse ', 'correct horse'],
  ])('a password from standard input: %s', async (__, input, right, wrong) => {
    const { url } = await service()
    const { tenantId } = await school()
    const email = anEmail()
    await printed(sandbox, userCreate(tenantId, email), onPostgres(), input)
    const visitor = new Client({ url })
    const logins = await Promise.all(
      [right, wrong].map((password) => visitor.post('/auth/login', { email, password })),
    )
    expect(logins.map(({ status }) => status)).toEqual([200, 401])
  })

  it('a common password is rejected in one line and changes nothing', async () => {
    const school = await makeSchool(sandbox, onPostgres())
    const { tenantId, user } = school
    const { email } = user
    const create = userCreate(tenantId, `new.${email}`)
    const set = ['user', 'set-password', '--email', email, '--password-stdin']
    for (const [line, password] of [
      [create, 'Password'],
      [create, '        '],
      [create, 'Fahrschule Test'],
      [set, 'Passwort1\n'],
      [set, email.split('@')[0]],
    ] as const) {
      const exit = await sandbox.run(line, onPostgres(), password)
      expect(complaintsOf(exit)).toEqual([expect.stringMatching(/^password is too common: .+ Try --help\.$/)])
      expect(exit).toMatchObject({ code: 2, out: '' })
    }
    const listUsers = ['user', 'list', '--tenant', tenantId, '--json']
    const users = await printed<Row[]>(sandbox, listUsers, onPostgres())
    expect(users.map((one) => one.email)).toEqual([email])
    await enter(await service(), school)
  })

  it('a user can log in unless disabled, and only with the latest password', async () => {
    const visitor = new Client(await service())
    const { email } = (await school()).user
    const change = async (name: string, ...more: string[]) =>
      printed<Row>(
        sandbox,
        ['user', name, '--email', email, ...more, '--json'],
        onPostgres(),
        'another horse',
      )
    const statusWith = async (password: string) =>
      (await visitor.post('/auth/login', { email, password })).status
    expect(await change('disable')).toEqual({ id: expect.any(String), disabled: true })
    expect(await statusWith(PASSWORD)).toBe(401)
    expect(await change('enable')).toEqual({ id: expect.any(String), disabled: false })
    expect(await statusWith(PASSWORD)).toBe(200)
    expect(await change('set-password', '--password-stdin')).toEqual({ id: expect.any(String) })
    expect([await statusWith(PASSWORD), await statusWith('another horse')]).toEqual([401, 200])
  })

  it('only a deleted student can be erased, and the lesson is kept without the student', async () => {
    const made = await enter(await service(), await makeSchool(sandbox, onPostgres()))
    const student = await made.student({ notes: 'canary' })
    const lesson = await made.lesson({
      instructor_id: (await made.instructor()).id,
      student_id: student.id,
      start_at: '2026-05-04 08:00',
      end_at: '2026-05-04 09:30',
      notes: 'canary of Lena',
    })
    const erase = ['student', 'erase', '--tenant', made.tenantId, '--id', student.id, '--json']
    expectFailure(await sandbox.run(erase, onPostgres()), student.id)
    expect((await made.client.delete(`/students/${student.id}`)).status).toBe(204)
    expect(await printed(sandbox, erase, onPostgres())).toEqual({ id: student.id })
    expect((await made.client.get(`/appointments/${lesson.id}`)).body).toMatchObject({
      student_id: null,
      start_at: '2026-05-04 08:00',
      notes: null,
    })
    expectFailure(await sandbox.run(erase, onPostgres()), student.id)
  })
})

async function tenants(environment: Environment): Promise<Row[]> {
  return printed(sandbox, ['tenant', 'list', '--json'], environment)
}

function expectFailure(exit: Exit, named: string): void {
  expect(complaintsOf(exit)).toEqual([expect.stringContaining(named)])
  expect(exit).toMatchObject({ code: 1, out: '' })
}
