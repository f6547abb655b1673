import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { Client, type Headings } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'
import { aLogin, type LoggedIn } from '../support/session.ts'
import { hostLine, sendLines } from '../support/wire.ts'

const service = useService()
let school: School
let one: LoggedIn
let other: LoggedIn

beforeAll(async () => {
  school = await aSchool(service())
  one = await aLogin(service(), school.tenantId)
  other = await aLogin(service(), school.tenantId)
})

/** Returns the user of the request, as the service sees it. */
async function whoIs(headers: Headings): Promise<string | number> {
  const answer = await new Client(service()).get('/auth/me', headers)
  return answer.status === 200 ? answer.body.id : answer.status
}

describe('the Authorization header', () => {
  it('takes precedence over the cookie (S45)', async () => {
    const headers = { authorization: `Bearer ${one.token}`, cookie: `svc_jwt=${other.token}` }
    expect(await whoIs(headers)).toBe(one.user.id)
  })

  it('takes precedence over two different cookies', async () => {
    const cookie = `svc_jwt=${other.token}; svc_jwt=rubbish`
    expect(await whoIs({ authorization: `Bearer ${one.token}`, cookie })).toBe(one.user.id)
  })

  it.each([
    ['an empty value', () => ''],
    ['no token', () => 'Bearer'],
    ['a blank token', () => 'Bearer '],
    ['rubbish', () => 'Bearer rubbish'],
    ['a broken token', () => `Bearer ${one.token}x`],
    ['another scheme', () => `Basic ${Buffer.from('a:b').toString('base64')}`],
    ['a token under another scheme', () => `Token ${one.token}`],
    ['a token without a scheme', () => one.token],
    ['a token and a tail', () => `Bearer ${one.token} tail`],
    ['a token with a comma', () => `Bearer ${one.token},`],
    ['two tokens', () => `Bearer ${one.token}, Bearer ${other.token}`],
    ['a quoted token', () => `Bearer "${one.token}"`],
    ['a refresh token', () => `Bearer ${one.refreshToken}`],
  ])('with %s gets 401 even if the cookie is valid (S45)', async (_, value) => {
    expect(await whoIs({ authorization: value(), cookie: `svc_jwt=${other.token}` })).toBe(401)
  })
})

describe('the access cookie', () => {
  it('authenticates without a header', async () => {
    expect(await whoIs({ cookie: `svc_jwt=${one.token}` })).toBe(one.user.id)
  })

  it('is found among other cookies', async () => {
    const cookie = `a=b; xsvc_jwt=rubbish; svc_jwt=${one.token}; svc_jwt2=rubbish; SVC_JWT=rubbish`
    expect(await whoIs({ cookie })).toBe(one.user.id)
  })

  it('is accepted twice with the same value', async () => {
    expect(await whoIs({ cookie: `svc_jwt=${one.token}; svc_jwt=${one.token}` })).toBe(one.user.id)
  })

  it.each([
    ['two different valid values', () => `svc_jwt=${one.token}; svc_jwt=${other.token}`],
    ['a valid value before an invalid one', () => `svc_jwt=${one.token}; svc_jwt=rubbish`],
    ['an invalid value before a valid one', () => `svc_jwt=rubbish; svc_jwt=${one.token}`],
    ['a valid value and an empty one', () => `svc_jwt=${one.token}; svc_jwt=`],
    ['an empty value', () => 'svc_jwt='],
    ['a name without a value', () => 'svc_jwt'],
    ['a refresh token', () => `svc_jwt=${one.refreshToken}`],
    ['a token under another name', () => `jwt=${one.token}; __Host-svc_jwt=${one.token}`],
    ['a token in the refresh cookie', () => `svc_refresh=${one.token}`],
    ['only a valid refresh cookie', () => `svc_refresh=${one.refreshToken}`],
  ])('gets 401 for %s', async (_, cookie) => {
    expect(await whoIs({ cookie: cookie() })).toBe(401)
  })

  it('gets 401 if two header lines carry different values (S46)', async () => {
    const lines = ['GET /api/v1/auth/me HTTP/1.1', hostLine(service()), `Cookie: svc_jwt=${one.token}`]
    expect((await sendLines(service(), lines)).status).toBe(200)
    const answer = await sendLines(service(), [...lines, `Cookie: svc_jwt=${other.token}`])
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated'])
  })
})

it('a token in the query or the body does not authenticate (S15)', async () => {
  const client = new Client(service())
  expect((await client.get(`/students?access_token=${one.token}`)).status).toBe(401)
  expect((await client.get(`/students?token=${one.token}`)).status).toBe(401)
  const body = { first_name: 'Lena', last_name: 'Vogt', access_token: one.token }
  expect((await client.post('/students', body)).status).toBe(401)
})

it('the tenant is taken only from the token (S57)', async () => {
  const elsewhere = await aSchool(service())
  const headers = { 'x-tenant-id': elsewhere.tenantId, authorization: `Bearer ${one.token}` }
  const answer = await new Client(service()).get('/auth/me', headers)
  expect(answer.body.tenant.id).toBe(school.tenantId)
  const asked = await school.client.get(`/students?tenant_id=${elsewhere.tenantId}`)
  expect(asked.status).toBe(400)
})
