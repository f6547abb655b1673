import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { checkTable } from '../support/check-each.ts'
import { Client } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'
import { operationsOf } from '../support/openapi.ts'
import { aLogin, type LoggedIn } from '../support/session.ts'
import { hostLine, sendLines } from '../support/wire.ts'

const ID = '01890000-0000-7000-8000-000000000000'

type Pair = { readonly method: string; readonly path: string; readonly isTaken: boolean }

const service = useService()
let school: School
let session: LoggedIn
/** Every address of the API and its methods. */
let addresses: ReadonlyMap<string, readonly string[]>
let pairs: readonly Pair[]

beforeAll(async () => {
  const all = operationsOf(service())
  addresses = new Map(
    all.map(({ path }) => {
      const address = path.replace(/\{\w+\}/g, ID)
      const methods = all.filter((one) => isAt(address, one.path)).map(({ method }) => method)
      return [address, [...new Set(methods)]]
    }),
  )
  pairs = [...addresses].flatMap(([path, taken]) =>
    METHODS.map((method) => ({ method, path, isTaken: taken.includes(method) })),
  )
  school = await aSchool(service())
  session = await aLogin(service(), school.tenantId)
})

const OPEN = [
  '/auth/login',
  '/auth/login/passkey/options',
  '/auth/login/passkey',
  '/auth/login/second-factor',
  '/auth/refresh',
  '/auth/logout',
  `/auth/invitations/${ID}`,
  '/auth/password-resets',
  `/auth/password-resets/${ID}`,
  `/auth/email-changes/${ID}`,
  '/auth/sso',
  `/auth/sso/${ID}`,
  '/auth/sso/callback',
  '/setup',
  `/offers/accept/${ID}`,
  `/calendars/${ID}.ics`,
]
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

const isOpen = ({ path }: Pair) => OPEN.includes(path)

/** Returns whether a path leads to an address. One with an id does so to a name beside it, too, and finds nothing there. */
function isAt(address: string, path: string): boolean {
  const [given, parts] = [address.split('/'), path.split('/')]
  return given.length === parts.length && parts.every((part, at) => part.includes('{') || part === given[at])
}

describe('a request without a token (S27)', () => {
  it(
    'gets 401 for every method of every protected path',
    () =>
      checkTable(
        pairs.filter((pair) => !isOpen(pair)),
        async ({ method, path }) => {
          for (const authorization of [undefined, 'Bearer rubbish']) {
            const client = new Client(service(), authorization ? { authorization } : {})
            const answer = await client.send(method, path)
            expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated'])
            expect(answer.headers.get('www-authenticate')).toBe('Bearer')
          }
        },
      ),
    120_000,
  )

  it('needs none at the public paths only, all of which exist', () => {
    expect([...addresses.keys()]).toEqual(expect.arrayContaining(OPEN))
  })

  it('gets 405 for a method that a public path does not support', () =>
    checkTable(
      pairs.filter((pair) => isOpen(pair) && !pair.isTaken),
      async ({ method, path }) => {
        const answer = await new Client(service()).send(method, path)
        const allowed = (answer.headers.get('allow') ?? '').split(', ').filter((one) => one !== 'HEAD')
        expect([answer.status, allowed.sort()]).toEqual([405, [...(addresses.get(path) ?? [])].sort()])
      },
    ))

  it('gets 401 for an unknown path below the API, and 404 elsewhere', async () => {
    const client = new Client(service())
    for (const path of ['/nothing', '/', '/students/1/2/3', '/auth', '//api/v1']) {
      expect((await client.get(path)).status, path).toBe(401)
    }
    for (const path of [
      '//nothing',
      '//api',
      '//api/v2/students',
      '//.git/HEAD',
      '//.env',
      '//metrics',
      '//debug',
    ]) {
      const answer = await client.get(path)
      expect([answer.status, answer.body.code], path).toEqual([404, 'not_found'])
    }
  })

  it('gets 401 before the type, size, syntax and fields of a body are checked', async () => {
    const client = new Client(service())
    const json = { 'content-type': 'application/json' }
    expect((await client.post('/students', 'x', { 'content-type': 'text/plain' })).status).toBe(401)
    expect((await client.post('/students', '{', json)).status).toBe(401)
    expect((await client.post('/students', {})).status).toBe(401)
    expect((await client.post('/students', JSON.stringify('x'.repeat(300_000)), json)).status).toBe(401)
    expect((await client.get('/students?unknown=1')).status).toBe(401)
    expect((await client.patch('/students/5', {})).status).toBe(401)
  })
})

describe('a request with a token', () => {
  it('gets 405 and the allowed methods for an unsupported method (S73)', () =>
    checkTable(
      pairs.filter((pair) => !pair.isTaken),
      async (pair) => {
        const answer = await school.client.send(pair.method, pair.path)
        expect([answer.status, answer.body.code]).toEqual([405, 'method_not_allowed'])
        const allowed = (answer.headers.get('allow') ?? '').split(', ').filter((one) => one !== 'HEAD')
        expect(allowed.sort()).toEqual([...(addresses.get(pair.path) ?? [])].sort())
      },
    ))

  it('does not get 405 for a supported method', () =>
    checkTable(
      pairs.filter((pair) => pair.isTaken),
      async ({ method, path }) => {
        expect((await school.client.send(method, path)).status).not.toBe(405)
      },
    ))

  it('gets 404 for an unknown path', () =>
    checkTable(['/nothing', '/', '/students/1/2/3', '/auth', '/student'], async (path) => {
      for (const method of METHODS) {
        const answer = await school.client.send(method, path)
        expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
      }
    }))

  it('gets 200 without a body for HEAD (S49)', async () => {
    const answer = await school.client.send('HEAD', '/students')
    expect([answer.status, answer.text]).toEqual([200, ''])
  })

  it('gets 405 for TRACE, QUERY, PROPFIND and LOCK, without an echo (S73)', () =>
    checkTable(['TRACE', 'QUERY', 'PROPFIND', 'LOCK'], async (method) => {
      const lines = [`${method} /api/v1/students HTTP/1.1`, hostLine(service()), 'X-Echo: canary']
      const answer = await sendLines(service(), [...lines, `Authorization: Bearer ${session.token}`])
      expect([answer.status, answer.body.code]).toEqual([405, 'method_not_allowed'])
      expect(answer.text).not.toMatch(/canary|Bearer/)
      expect((await sendLines(service(), lines)).status).toBe(401)
    }))

  it('gets 405 for an unsupported method before the body is checked', async () => {
    const answer = await school.client.send('PUT', '/students', 'x', { 'content-type': 'text/plain' })
    expect(answer.status).toBe(405)
  })
})

describe('an unknown id of any length', () => {
  it('gets 401 without a token and 404 with one', () =>
    checkTable([100, 101, 500, 8_000], async (length) => {
      const path = `/students/${'a'.repeat(length)}`
      const [refused, unknown] = [await new Client(service()).get(path), await school.client.get(path)]
      expect([refused.status, refused.body.code]).toEqual([401, 'unauthenticated'])
      expect([unknown.status, unknown.body.code]).toEqual([404, 'not_found'])
    }))
})
