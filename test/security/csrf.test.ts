import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService, type TestService, useOwnService } from '../support/app.ts'
import { checkTable } from '../support/check-each.ts'
import { Client, type Headings } from '../support/client.ts'
import { ALLOWED_ORIGIN } from '../support/environment.ts'
import { aSchool, type School } from '../support/factory.ts'
import { accessCookie, aLogin, bearer, type LoggedIn, refreshCookie, statusWith } from '../support/session.ts'
import { sendLines } from '../support/wire.ts'

const service = useOwnService({ cookieDomain: 'school.example' })
const PUBLIC_URL = 'https://fahrplan.school.example'
let published: TestService
let school: School
let session: LoggedIn

beforeAll(async () => {
  published = await startService(service().db, { publicUrl: PUBLIC_URL })
  school = await aSchool(service())
  session = await aLogin(service(), school.tenantId)
})
afterAll(() => published.close())

const own = () => service().url
const otherPort = () => own().replace(/\d+$/, (port) => String(Number(port) === 1 ? 2 : Number(port) - 1))

type Case = readonly [string, () => Headings]
const TRUSTED: readonly Case[] = [
  ['its own host', () => ({ origin: own() })],
  ['its own host over https', () => ({ origin: own().replace('http:', 'https:') })],
  ['a listed origin', () => ({ origin: ALLOWED_ORIGIN })],
  ['a listed origin on a sibling host', () => ({ origin: ALLOWED_ORIGIN, 'sec-fetch-site': 'same-site' })],
  ['a listed origin on another site', () => ({ origin: ALLOWED_ORIGIN, 'sec-fetch-site': 'cross-site' })],
  ['no origin, Sec-Fetch-Site: same-origin', () => ({ 'sec-fetch-site': 'same-origin' })],
  ['no origin, Sec-Fetch-Site: none', () => ({ 'sec-fetch-site': 'none' })],
  ['neither header: no browser', () => ({})],
]
const FOREIGN: readonly Case[] = [
  ['another site', () => ({ origin: 'https://evil.test' })],
  [
    'another site that claims to be same-origin',
    () => ({ origin: 'https://evil.test', 'sec-fetch-site': 'same-origin' }),
  ],
  ['null', () => ({ origin: 'null' })],
  ['an empty origin', () => ({ origin: '' })],
  ['another host under the cookie domain', () => ({ origin: 'https://evil.school.example' })],
  ['the cookie domain itself', () => ({ origin: 'https://school.example' })],
  ['a listed host over http', () => ({ origin: ALLOWED_ORIGIN.replace('https', 'http') })],
  ['a listed host on another port', () => ({ origin: `${ALLOWED_ORIGIN}:8443` })],
  ['a listed host as a prefix', () => ({ origin: `${ALLOWED_ORIGIN}.evil.test` })],
  ['its own host on another port', () => ({ origin: otherPort() })],
  ['its own host as a user name', () => ({ origin: `${own()}@evil.test` })],
  ['a PUBLIC_URL that is not set', () => ({ origin: PUBLIC_URL })],
  ['no origin, Sec-Fetch-Site: cross-site', () => ({ 'sec-fetch-site': 'cross-site' })],
  ['no origin, Sec-Fetch-Site: same-site', () => ({ 'sec-fetch-site': 'same-site' })],
]

let counter = 0
/** Enrols a student by cookie. Returns the status and whether the student is stored. */
async function enrol(headers: Headings): Promise<{ status: number; isStored: boolean }> {
  counter += 1
  const last_name = `Vogt ${counter}`
  const { status } = await session.client.post('/students', { first_name: 'Lena', last_name }, headers)
  const { body } = await school.client.get('/students')
  return { status, isStored: body.some((student: { last_name: string }) => student.last_name === last_name) }
}

describe('a write authenticated by cookie', () => {
  it('succeeds for every trusted origin', () =>
    checkTable(TRUSTED, async (_, headers) => {
      const outcome = await enrol({ ...accessCookie(session.token), ...headers() })
      expect(outcome).toEqual({ status: 201, isStored: true })
    }))

  it('is rejected with 401 for every foreign origin (S48)', () =>
    checkTable(FOREIGN, async (_, headers) => {
      const outcome = await enrol({ ...accessCookie(session.token), ...headers() })
      expect(outcome).toEqual({ status: 401, isStored: false })
    }))

  it('succeeds for a foreign origin if the header also has a token', () =>
    checkTable(FOREIGN, async (_, headers) => {
      const outcome = await enrol({ ...accessCookie(session.token), ...bearer(session.token), ...headers() })
      expect(outcome).toEqual({ status: 201, isStored: true })
    }))

  it('is rejected for every foreign origin as PATCH, DELETE, PUT, restore and booking', () =>
    checkTable(FOREIGN, async (_, headers) => {
      const { id } = await school.student()
      const path = `/students/${id}`
      const foreign = new Client(service(), { ...accessCookie(session.token), ...headers() })
      const refused = [
        await foreign.patch(path, { first_name: 'Eva' }),
        await foreign.delete(path),
        await foreign.post(`${path}/restore`),
        await foreign.post('/appointments', {}),
        await foreign.post('/auth/password', {}),
        await foreign.send('PUT', path, {}),
      ]
      expect(refused.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401])
      expect((await school.client.get(path)).body.first_name).toBe('Lena')
    }))

  it('succeeds for PUBLIC_URL if it is set', async () => {
    const client = new Client(published, accessCookie(session.token))
    const student = { first_name: 'Lena', last_name: 'Vogt' }
    expect((await client.post('/students', student, { origin: PUBLIC_URL })).status).toBe(201)
    expect((await client.post('/students', student, { origin: `${PUBLIC_URL}.evil.test` })).status).toBe(401)
  })

  it('succeeds if the origin matches the Host header, as behind a proxy (S48)', async () => {
    const body = JSON.stringify({ first_name: 'Lena', last_name: 'Vogt' })
    const statusFor = async (origin: string) => {
      const lines = ['POST /api/v1/students HTTP/1.1', 'Host: api.School.example', `Origin: ${origin}`]
      const cookie = `Cookie: svc_jwt=${session.token}`
      const type = ['Content-Type: application/json', `Content-Length: ${body.length}`]
      return (await sendLines(service(), [...lines, cookie, ...type], body)).status
    }
    expect(await statusFor('https://api.school.example')).toBe(201)
    expect(await statusFor('https://api.school.example:8443')).toBe(401)
    expect(await statusFor('https://school.example')).toBe(401)
  })
})

describe('a read authenticated by cookie', () => {
  it('succeeds for a foreign origin, but without Access-Control-Allow-Origin', () =>
    checkTable(FOREIGN, async (_, headers) => {
      const answer = await session.client.get('/auth/me', { ...accessCookie(session.token), ...headers() })
      expect(answer.status).toBe(200)
      expect(answer.headers.has('access-control-allow-origin')).toBe(false)
      const head = await session.client.send('HEAD', '/students', undefined, {
        ...accessCookie(session.token),
        ...headers(),
      })
      expect(head.status).toBe(200)
    }))
})

describe('the refresh cookie', () => {
  it('is rejected for a foreign origin without ending the session', () =>
    checkTable(FOREIGN, async (_, headers) => {
      const { client, token, refreshToken } = await aLogin(service(), school.tenantId)
      const foreign = { ...refreshCookie(refreshToken), ...headers() }
      expect((await client.post('/auth/refresh', undefined, foreign)).status).toBe(401)
      expect((await client.post('/auth/logout', undefined, foreign)).status).toBe(401)
      expect(await statusWith(client, token)).toBe(200)
      expect((await client.post('/auth/refresh', { refresh_token: refreshToken }, foreign)).status).toBe(200)
    }))

  it('refreshes and logs out for a trusted origin', () =>
    checkTable(TRUSTED, async (_, headers) => {
      const { client, token, refreshToken } = await aLogin(service(), school.tenantId)
      const refreshed = await client.post('/auth/refresh', undefined, {
        ...refreshCookie(refreshToken),
        ...headers(),
      })
      expect(refreshed.status).toBe(200)
      const next = { ...refreshCookie(refreshed.body.refresh_token), ...headers() }
      expect((await client.post('/auth/logout', undefined, next)).status).toBe(204)
      expect(await statusWith(client, token)).toBe(401)
    }))
})
