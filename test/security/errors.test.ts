import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { asOwner } from '../support/as-owner.ts'
import { type Answer, Client, type Headings } from '../support/client.ts'
import { ALLOWED_ORIGIN } from '../support/environment.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

const anonymous = (headers: Headings) => new Client(service(), headers)
type Ask = (headers: Headings) => Promise<Answer>
const text = { 'content-type': 'text/plain' }
const json = { 'content-type': 'application/json' }
const FAILURES: readonly (readonly [number, string, Ask])[] = [
  [400, 'invalid_request', (headers) => school.client.post('/students', {}, headers)],
  [400, 'malformed_json', (headers) => school.client.post('/students', '{', { ...json, ...headers })],
  [401, 'unauthenticated', (headers) => anonymous(headers).get('/students')],
  [
    401,
    'invalid_credentials',
    (headers) => anonymous(headers).post('/auth/login', { email: 'x@y.example', password: 'x' }),
  ],
  [
    401,
    'invalid_refresh_token',
    (headers) => anonymous(headers).post('/auth/refresh', { refresh_token: 'x' }),
  ],
  [404, 'not_found', (headers) => school.client.get('/students/5', headers)],
  [404, 'not_found', (headers) => school.client.get('/nothing', headers)],
  [405, 'method_not_allowed', (headers) => school.client.send('PUT', '/students', undefined, headers)],
  [
    413,
    'body_too_large',
    (headers) => anonymous(headers).post('/auth/login', { email: 'x'.repeat(5000), password: 'x' }),
  ],
  [415, 'unsupported_media_type', (headers) => school.client.post('/students', 'x', { ...text, ...headers })],
]

function expectShape(answer: Answer, status: number, code: string): void {
  const { errors, ...members } = answer.body
  expect(members).toEqual({
    type: `/docs/problems#${code}`,
    title: expect.stringMatching(/^[A-Z]/),
    status,
    code,
    detail: expect.stringMatching(/\.$/),
    params: expect.any(Object),
    request_id: answer.headers.get('x-request-id'),
  })
  if (errors) {
    for (const fault of errors) {
      expect(fault).toEqual({
        pointer: expect.any(String),
        code: expect.stringMatching(/^[a-z_]+$/),
        detail: expect.any(String),
      })
    }
  }
}

describe.each(FAILURES)('an error response with %i %s', (status, code, ask) => {
  it('has the common problem format (S74, S76)', async () => {
    const answer = await ask({})
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expectShape(answer, status, code)
  })

  it('is application/problem+json if Accept prefers it', async () => {
    const answer = await ask({ accept: 'application/problem+json' })
    expect(answer.headers.get('content-type')).toMatch(/^application\/problem\+json/)
    expectShape(answer, status, code)
  })

  it('is documented on the page that its type links to', async () => {
    const page = (await anonymous({}).get('//docs/problems')).text
    expect(page).toContain(`id="${code}"`)
  })
})

describe('the content type of an error response (S74)', () => {
  it.each([
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['text/html', 'application/json'],
    ['application/json, application/problem+json;q=0.5', 'application/json'],
    ['application/problem+json;q=0', 'application/json'],
    ['application/problem+json, application/json;q=0.9', 'application/problem+json'],
    ['application/json;q=0.2, application/problem+json;q=0.8', 'application/problem+json'],
    ['text/html, Application/Problem+JSON', 'application/problem+json'],
    ['', 'application/json'],
    [';q=,,;;', 'application/json'],
  ])('for "Accept: %s" is %s', async (accept, type) => {
    const answer = await anonymous({ accept }).get('/students')
    expect(answer.status).toBe(401)
    expect(answer.headers.get('content-type')?.split(';')[0]).toBe(type)
  })
})

it('only a missing or invalid access token gets a WWW-Authenticate challenge (S25)', async () => {
  for (const [status, code, ask] of FAILURES) {
    const challenge = (await ask({})).headers.get('www-authenticate')
    expect(challenge, `${status} ${code}`).toBe(code === 'unauthenticated' ? 'Bearer' : null)
  }
})

describe('an unexpected failure', () => {
  const SECRET = 'canary-password-in-a-failure'
  const refused = { email: 'nobody@school.example', password: SECRET }
  const onSchema = (statement: string) => asOwner(service(), (owner) => sql.raw(statement).execute(owner))

  /** No failed login can be stored while the test runs. */
  beforeEach(async () => {
    await onSchema(`create function fail() returns trigger language plpgsql as $$
      begin raise exception 'no argon2 hash in node_modules'; end $$`)
    await onSchema('create trigger fail before insert on login_failures for each row execute function fail()')
    return async () => void (await onSchema('drop function fail cascade'))
  })

  it('returns 500 without internals, and is logged under the same request id (S76)', async () => {
    const answer = await anonymous({ origin: ALLOWED_ORIGIN }).post('/auth/login', refused)
    expect(answer.status).toBe(500)
    expectShape(answer, 500, 'internal_error')
    expect(answer.body.params).toEqual({})
    expect(answer.text).not.toMatch(/argon|hash|at .*\.ts|node_modules|select|Error:/i)
    expect(answer.headers.get('access-control-allow-origin')).toBe(ALLOWED_ORIGIN)
    expect(answer.headers.getSetCookie()).toEqual([])
    const lines = service()
      .log()
      .filter(({ request_id, level }) => request_id === answer.body.request_id && Number(level) >= 50)
    expect(lines).toMatchObject([{ err: { message: expect.any(String), stack: expect.any(String) } }])
    expect(JSON.stringify(service().log())).not.toContain(SECRET)
  })

  it('does not stop the service (S99)', async () => {
    for (let time = 0; time < 3; time += 1) {
      expect((await anonymous({}).post('/auth/login', refused)).status).toBe(500)
    }
    expect((await school.client.get('/auth/me')).status).toBe(200)
  })
})
