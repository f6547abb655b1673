import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService, type TestService, useService } from '../support/app.ts'
import { type Answer, Client, type Headings } from '../support/client.ts'
import { ALLOWED_ORIGIN } from '../support/environment.ts'
import { aSchool, type School } from '../support/factory.ts'
import { hostLine, sendLines } from '../support/wire.ts'

const service = useService()
let noOrigins: TestService
let school: School

beforeAll(async () => {
  school = await aSchool(service())
  noOrigins = await startService(service().db, { corsOrigins: [] })
})
afterAll(() => noOrigins.close())

const LOOK_ALIKES = [
  'https://evil.test',
  'null',
  'http://app.school.example',
  'https://app.school.example:8443',
  'https://app.school.example:443',
  'https://app.school.example.',
  'https://app.school.example/',
  'https://APP.school.example',
  'https://school.example',
  'https://other.school.example',
  'https://evil.app.school.example',
  'https://evilapp.school.example',
  'https://app.school.example.evil.test',
  'https://app.school.example@evil.test',
  'https://app-school.example',
  `${ALLOWED_ORIGIN}, https://evil.test`,
]

function preflight(to: TestService, origin: string, path = '/students'): Promise<Answer> {
  return new Client(to).send('OPTIONS', path, undefined, {
    origin,
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'authorization,content-type',
  })
}

/** Returns the names in a list header, in lower case and alphabetical order. */
function list(answer: Answer, name: string): readonly string[] {
  return (answer.headers.get(name) ?? '')
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .sort()
}

function corsHeaders(answer: Answer): readonly string[] {
  return [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'))
}

function expectCors(answer: Answer): void {
  expect(answer.headers.get('access-control-allow-origin')).toBe(ALLOWED_ORIGIN)
  expect(answer.headers.get('access-control-allow-credentials')).toBe('true')
  expect(list(answer, 'vary')).toContain('origin')
}

describe('a preflight', () => {
  it('from a listed origin gets 204 and CORS headers without a token (S50)', async () => {
    for (const path of ['/students', '/students/5', '/auth/login', '/auth/refresh', '/bootstrap']) {
      const answer = await preflight(service(), ALLOWED_ORIGIN, path)
      expect([answer.status, answer.text], path).toEqual([204, ''])
      expectCors(answer)
      expect(list(answer, 'access-control-allow-methods'), path).toEqual([
        'delete',
        'get',
        'patch',
        'post',
        'put',
      ])
      expect(list(answer, 'access-control-allow-headers'), path).toEqual([
        'authorization',
        'content-type',
        'idempotency-key',
        'if-match',
        'if-none-match',
      ])
      expect(Number(answer.headers.get('access-control-max-age')), path).toBeGreaterThan(0)
    }
  })

  it('from another origin gets no CORS headers (S51)', async () => {
    for (const origin of LOOK_ALIKES) {
      const answer = await preflight(service(), origin)
      expect(corsHeaders(answer), origin).toEqual([])
      expect(list(answer, 'vary'), origin).toContain('origin')
    }
  })

  it('gets no CORS headers if no origin is listed', async () => {
    expect(corsHeaders(await preflight(noOrigins, ALLOWED_ORIGIN))).toEqual([])
  })
})

describe('a response', () => {
  it('to a listed origin names that origin, never *, and exposes headers to clients (S50)', async () => {
    const answer = await school.client.get('/students', { origin: ALLOWED_ORIGIN })
    expect(answer.status).toBe(200)
    expectCors(answer)
    expect(list(answer, 'access-control-expose-headers')).toEqual([
      'etag',
      'idempotency-replayed',
      'link',
      'location',
      'retry-after',
      'x-request-id',
    ])
  })

  it('to another origin has no Access-Control header (S51)', async () => {
    for (const origin of LOOK_ALIKES) {
      const answer = await school.client.get('/auth/me', { origin })
      expect([answer.status, corsHeaders(answer)], origin).toEqual([200, []])
      expect(list(answer, 'vary'), origin).toContain('origin')
    }
  })

  it('to a request without an origin varies by Origin, too', async () => {
    const answer = await school.client.get('/auth/me')
    expect(corsHeaders(answer).filter((name) => name.includes('allow'))).toEqual([])
    expect(list(answer, 'vary')).toContain('origin')
  })
})

describe('error responses that a listed origin can read (S52)', () => {
  const json = { 'content-type': 'application/json' }
  const failures: readonly [number, string, string, string, unknown, Headings][] = [
    [400, 'an invalid body', 'POST', '/students', {}, {}],
    [400, 'malformed JSON', 'POST', '/students', '{', json],
    [401, 'no token', 'GET', '/students', undefined, { authorization: 'none' }],
    [404, 'an unknown student', 'GET', '/students/5', undefined, {}],
    [404, 'an unknown path', 'GET', '/nothing', undefined, {}],
    [405, 'an unsupported method', 'PUT', '/students', undefined, {}],
    [413, 'a large body', 'POST', '/auth/login', JSON.stringify({ email: 'x'.repeat(5000) }), json],
    [415, 'a text body', 'POST', '/students', 'x', { 'content-type': 'text/plain' }],
  ]
  it.each(failures)('%i: %s', async (status, _, method, path, body, headers) => {
    const answer = await school.client.send(method, path, body, { origin: ALLOWED_ORIGIN, ...headers })
    expect(answer.status).toBe(status)
    expectCors(answer)
    expect(list(answer, 'access-control-expose-headers')).toContain('x-request-id')
  })

  it('409: a busy instructor', async () => {
    const { id: instructor_id } = await school.instructor()
    const lesson = { instructor_id, start_at: '2026-05-04 08:00', end_at: '2026-05-04 09:30' }
    await school.lesson(lesson)
    const body = { lesson_type_id: school.lessonTypes.PRACTICE, ...lesson }
    const answer = await school.client.post('/appointments', body, { origin: ALLOWED_ORIGIN })
    expect(answer.status).toBe(409)
    expectCors(answer)
  })

  it.each([
    [431, 'headers too long', ['GET /healthz HTTP/1.1'], [`X-Long: ${'x'.repeat(20_000)}`]],
    [400, 'malformed HTTP', ['GET /healthz HTTP/1.1'], ['X Y: z']],
  ])('%i: %s', async (status, _, [line = ''], broken) => {
    const ask = (origin: string) =>
      sendLines(service(), [line, hostLine(service()), `Origin: ${origin}`, ...broken])
    const answer = await ask(ALLOWED_ORIGIN)
    expect(answer.status).toBe(status)
    expectCors(answer)
    expect(list(answer, 'access-control-expose-headers')).toContain('x-request-id')
    for (const origin of LOOK_ALIKES) {
      const other = await ask(origin)
      expect([other.status, corsHeaders(other)]).toEqual([status, []])
    }
  })

  it('401: a rejected login and a rejected refresh', async () => {
    const client = new Client(service(), { origin: ALLOWED_ORIGIN })
    const login = await client.post('/auth/login', { email: 'nobody@school.example', password: 'x' })
    const refresh = await client.post('/auth/refresh', { refresh_token: 'x' })
    for (const answer of [login, refresh]) {
      expect(answer.status).toBe(401)
      expectCors(answer)
    }
  })
})

it.each([
  ['GET', '/nothing', 401],
  ['PUT', '/auth/login', 405],
  ['GET', '//healthz', 200],
  ['GET', '//nowhere', 404],
  ['GET', '//docs/openapi.json', 200],
])('the response to %s %s varies by Origin (S52)', async (method, path, status) => {
  const answer = await new Client(service()).send(method, path)
  expect(answer.status).toBe(status)
  expect(list(answer, 'vary')).toContain('origin')
})
