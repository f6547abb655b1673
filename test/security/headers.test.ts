import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type Answer, Client } from '../support/client.ts'
import { ALLOWED_ORIGIN } from '../support/environment.ts'
import { aSchool, PASSWORD, type School } from '../support/factory.ts'

const service = useService()
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

const anonymous = () => new Client(service())
const ANSWERS: readonly (readonly [string, number, () => Promise<Answer>])[] = [
  ['a list', 200, () => school.client.get('/students')],
  ['the bootstrap', 200, () => school.client.get('/bootstrap')],
  ['the user', 200, () => school.client.get('/auth/me')],
  ['a login', 200, () => anonymous().post('/auth/login', { email: school.user.email, password: PASSWORD })],
  [
    'a created student',
    201,
    () => school.client.post('/students', { first_name: 'Lena', last_name: 'Vogt' }),
  ],
  ['a logout', 204, () => anonymous().post('/auth/logout', { refresh_token: 'x' })],
  [
    'a preflight',
    204,
    () =>
      anonymous().send('OPTIONS', '/students', undefined, {
        origin: ALLOWED_ORIGIN,
        'access-control-request-method': 'POST',
      }),
  ],
  ['an invalid body', 400, () => school.client.post('/students', {})],
  ['broken JSON', 400, () => school.client.post('/students', '{', { 'content-type': 'application/json' })],
  ['a malformed address', 400, () => school.client.get('/students/%zz')],
  ['a request without a token', 401, () => anonymous().get('/students')],
  ['a rejected login', 401, () => anonymous().post('/auth/login', { email: 'x@y.example', password: 'x' })],
  ['an unknown student', 404, () => school.client.get('/students/5')],
  ['an unknown address', 404, () => school.client.get('/nothing')],
  ['an unknown address outside the API', 404, () => anonymous().get('//nothing')],
  ['an unknown method', 405, () => school.client.send('PUT', '/students')],
  ['a large body', 413, () => anonymous().post('/auth/login', { email: 'x'.repeat(5000), password: 'x' })],
  ['a text body', 415, () => school.client.post('/students', 'x', { 'content-type': 'text/plain' })],
  ['the liveness check', 200, () => anonymous().get('//healthz')],
  ['the readiness check', 200, () => anonymous().get('//readyz')],
]

describe.each(ANSWERS)('%s (%i)', (_, status, ask) => {
  it('has the security headers of every response (S75)', async () => {
    const { status: answered, headers } = await ask()
    expect(answered).toBe(status)
    expect(headers.get('x-request-id')).toMatch(UUID)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe("default-src 'none';frame-ancestors 'none'")
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=\d{7,}/)
    expect(headers.get('cache-control')).toBe('no-store')
  })

  it('has a JSON content type if there is a body, and does not name the server software (S74, S75)', async () => {
    const { text, headers } = await ask()
    if (text !== '') expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.has('x-powered-by')).toBe(false)
    expect(headers.has('server')).toBe(false)
    expect(`${[...headers.values()].join()}${text}`).not.toMatch(/fastify|node\.?js|postgres|pglite|kysely/i)
  })
})

describe('a request id', () => {
  it('is unique per response and included in the body of an error', async () => {
    const answers = [await anonymous().get('/students'), await anonymous().get('/students')]
    for (const { headers, body } of answers) expect(body.request_id).toBe(headers.get('x-request-id'))
    expect(answers[0]?.body.request_id).not.toBe(answers[1]?.body.request_id)
  })

  it('is never taken from the client', async () => {
    const headers = { 'x-request-id': 'mine', 'request-id': 'mine', 'x-correlation-id': 'mine' }
    const answer = await anonymous().get('/students', headers)
    expect(answer.headers.get('x-request-id')).toMatch(UUID)
    expect(JSON.stringify(service().log())).not.toContain('"mine"')
  })
})

it('the documentation pages forbid framing and unsafe-eval in their content security policy', async () => {
  for (const path of ['//docs/', '//docs/problems']) {
    const { status, headers } = await anonymous().get(path)
    expect(status).toBe(200)
    expect(headers.get('content-security-policy')).toMatch(/^default-src '(self|none)'/)
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(headers.get('content-security-policy')).not.toContain('unsafe-eval')
    expect(headers.get('x-request-id')).toMatch(UUID)
  }
})
