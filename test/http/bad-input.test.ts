import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { checkTable } from '../support/check-each.ts'
import { type Answer, Client } from '../support/client.ts'
import { fingerprint } from '../support/corpus.ts'
import { aSchool, type School } from '../support/factory.ts'
import { operationsOf } from '../support/openapi.ts'
import { nested, WRONG_BYTES, WRONG_KEYS_OR_DEPTH, WRONG_SIGNS } from './malformed-bodies.ts'

const service = useService()
let school: School
let student: string
let before: string

beforeAll(async () => {
  school = await aSchool(service())
  student = (await school.student()).id
  before = await fingerprint(service(), school.tenantId)
})

// No input may write anything, cause an internal error or change later responses.
afterEach(async () => {
  expect(await fingerprint(service(), school.tenantId)).toBe(before)
  expect(
    service()
      .log()
      .filter(({ level }) => Number(level) >= 50),
  ).toEqual([])
  const health = await new Client(service()).get('//healthz')
  const me = await school.client.get('/auth/me')
  expect([health.status, me.status, me.body.id]).toEqual([200, 200, school.user.id])
  expect(Object.keys({})).toEqual([])
})

const JSON_TYPE = { 'content-type': 'application/json' }

type Write = { readonly method: string; readonly path: string; readonly takesBody: boolean }

/** Every operation that reads a body, at the address of an existing row, except links, which are looked up before the body. */
let writes: readonly Write[]

beforeAll(() => {
  writes = operationsOf(service())
    .filter(({ method, path }) => method !== 'GET' && !path.startsWith('/offers/accept'))
    .map(({ method, path, body }) => ({
      method,
      path: path.replace('{id}', student),
      takesBody: body !== undefined,
    }))
})

/** The addresses whose body is a list. */
const LIST = /\/(opening-balance|credits)$/

async function expectOfWrites(
  some: readonly Write[],
  body: string | Uint8Array,
  code: string,
): Promise<void> {
  const asked = some.filter(
    ({ path, takesBody }) => (takesBody || code === 'malformed_json') && !(body === '[]' && LIST.test(path)),
  )
  await Promise.all(
    asked.map(async ({ method, path }) => {
      const answer = await school.client.send(method, path, body, JSON_TYPE)
      expect([answer.status, answer.body.code], `${method} ${path}`).toEqual([400, code])
    }),
  )
}

describe('a body that is not valid JSON (S66, S68, S70, S71, S72, F27)', () => {
  let turn = 0
  const isRefused = async (_: string, body: string | Uint8Array) => {
    turn += 1
    // All operations have one parser, so each body is sent to a third of them, and several bodies to each.
    const third = writes.filter((_, index) => (index + turn) % 3 === 0)
    // A larger body would get 413 at the addresses for logins.
    if (Buffer.byteLength(body) <= 4096) return expectOfWrites(third, body, 'malformed_json')
    const { status, body: problem } = await school.client.post('/students', body, JSON_TYPE)
    expect([status, problem.code]).toEqual([400, 'malformed_json'])
  }

  it('is rejected with 400 malformed_json for wrong syntax', () => checkTable(WRONG_SIGNS, isRefused))

  it('is rejected with 400 malformed_json for wrong keys or excessive depth', () =>
    checkTable(WRONG_KEYS_OR_DEPTH, isRefused))

  it('is rejected with 400 malformed_json for invalid bytes', () => checkTable(WRONG_BYTES, isRefused))
})

describe('a body that is missing or not a JSON object', () => {
  it('is rejected with 400 invalid_request, whatever its type', () =>
    checkTable(
      [
        ['null', 'null'],
        ['a list', '[]'],
        ['a list of an object', '[{"first_name":"x","last_name":"y"}]'],
        ['a string', '"x"'],
        ['a number', '5'],
        ['true', 'true'],
        ['32 levels', nested(32, '[', ']')],
      ],
      async (_, body) => {
        await expectOfWrites(writes, body, 'invalid_request')
      },
    ))

  it('is reported as required if it is missing', () =>
    checkTable([undefined, ''], async (body) => {
      for (const { method, path, takesBody } of writes) {
        // Without an address, an invitation is sent again to the same one.
        if (!takesBody || path.endsWith('/invitation')) continue
        const { status, body: problem } = await school.client.send(method, path, body, JSON_TYPE)
        const pointer = /refresh|logout/.test(path) ? '/refresh_token' : ''
        expect([status, problem.errors], `${method} ${path}`).toEqual([
          400,
          [{ pointer, code: 'required', detail: expect.any(String) }],
        ])
      }
    }))
})

describe('unknown query parameters', () => {
  it('are rejected with 400 on every route except those with a token in the path', () =>
    checkTable(
      [
        ['x=1', '?x'],
        ['tenant_id=x', '?tenant_id'],
        ['__proto__=x', '?__proto__'],
        ['constructor=x', '?constructor'],
        ['from[]=2026-05-04', '?from[]'],
        ['limit[gt]=5', '?limit[gt]'],
        ['%ZZ=1', '?%ZZ'],
        ['%C3%28=1', '?%C3%28'],
        ['%00=1', '?\0'],
        ['LIMIT=5', '?LIMIT'],
      ],
      async (query, pointer) => {
        for (const { method, path, body } of operationsOf(service())) {
          if (path.includes('{token}')) continue // Calendar apps add parameters of their own.
          const at = `${path.replace('{id}', student)}?${query}`
          const answer = await school.client.send(method, at, body ? {} : undefined)
          const pointers = answer.body.errors.map((fault: { pointer: string }) => fault.pointer)
          expect([answer.status, pointers], `${method} ${at}`).toEqual([
            400,
            expect.arrayContaining([pointer]),
          ])
        }
      },
    ))

  it('are not reported for a bare question mark', async () => {
    expect((await school.client.get('/students?')).status).toBe(200)
    expect((await school.client.get(`/students/${student}?`)).status).toBe(200)
  })
})

describe('a path (S71)', () => {
  it('with invalid percent-encoding or UTF-8 returns 400', () =>
    checkTable(['%', '%ZZ', '%C3%28', '%FF', '%ED%A0%80', '%C0%AF'], async (id) => {
      const { status, body } = await school.client.get(`/students/${id}`)
      expect([status, body.code]).toEqual([400, 'invalid_request'])
    }))

  it('with an id that is not a UUID returns 404', () =>
    checkTable(
      ['%00', 'x%00', '..%2f..', '%2e%2e%2fauth', "'%20or%201=1", '%F0%9F%98%80', '-1', 'null', '%20'],
      async (id) => {
        for (const method of ['GET', 'DELETE']) {
          const { status, body } = await school.client.send(method, `/students/${id}`)
          expect([status, body.code]).toEqual([404, 'not_found'])
        }
      },
    ))

  it('with the nil or max UUID returns 404, as does a body with one', async () => {
    for (const id of ['00000000-0000-0000-0000-000000000000', 'ffffffff-FFFF-ffff-FFFF-ffffffffffff']) {
      expect((await school.client.get(`/students/${id}`)).status).toBe(404)
      const change = { preferred_instructor_id: id }
      expect((await school.client.patch(`/students/${student}`, change)).status).toBe(404)
    }
  })
})

describe('a 400 response', () => {
  it('lists its faults, whether in fields, query, JSON or path', () =>
    checkTable<[string, () => Promise<Answer>]>(
      [
        ['of fields', () => school.client.post('/students', {})],
        ['of the query', () => school.client.get('/students?x=1')],
        ['of JSON', () => school.client.post('/students', '{', JSON_TYPE)],
        ['of the address', () => school.client.get('/students/%ZZ')],
      ],
      async (_, ask) => {
        const { status, body } = await ask()
        expect(status).toBe(400)
        expect(body.errors).toEqual(
          expect.arrayContaining([
            { pointer: expect.any(String), code: expect.any(String), detail: expect.stringMatching(/./) },
          ]),
        )
      },
    ))
})
