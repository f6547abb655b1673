import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { purgeKeptAnswers } from '../../src/db/idempotency-keys.ts'
import { useService } from '../support/app.ts'
import { type Answer, Client } from '../support/client.ts'
import { RESOURCES, type Resource, validBodies } from '../support/corpus.ts'
import { aSchool, aUser, logIn, type School } from '../support/factory.ts'
import { bearer } from '../support/session.ts'

const service = useService()
const DAY_MS = 24 * 60 * 60 * 1000
const LONGEST = '~'.repeat(255)

let school: School
let bodies: Awaited<ReturnType<typeof validBodies>>

beforeEach(async () => {
  service().setClock(undefined)
  school = await aSchool(service())
  bodies = await validBodies(school)
})

const keyed = (key: string) => ({ 'idempotency-key': key })
const headersOf = ({ headers }: Answer) =>
  ['location', 'etag', 'content-type', 'idempotency-replayed'].map((name) => headers.get(name))

async function countOf(resource: Resource): Promise<number> {
  return (await school.client.get(`/${resource}`)).body.length
}

/** Creates another user of the school and logs in. */
async function aColleague(): Promise<Client> {
  const visitor = new Client(service())
  const { email } = await aUser(service(), school.tenantId)
  return visitor.with(bearer((await logIn(visitor, email)).token))
}

describe.each(RESOURCES)('POST /%s with an idempotency key', (resource) => {
  // A key is stored by the transaction of its request.
  it('returns the same status, bytes and headers when repeated, and creates nothing (S84)', {
    tags: 'embedded',
  }, async () => {
    const key = keyed(randomUUID())
    const body = bodies[resource]()
    const before = await countOf(resource)
    const first = await school.client.post(`/${resource}`, body, key)
    const again = await school.client.post(`/${resource}`, body, key)
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text])
    const [location, etag, type] = headersOf(first)
    expect(headersOf(first)).toEqual([`/api/v1/${resource}/${first.body.id}`, '"1"', type, null])
    expect(headersOf(again)).toEqual([location, etag, type, 'true'])
    expect(await countOf(resource)).toBe(before + 1)
  })

  it('returns the original response even if the resource has changed since', async () => {
    const key = keyed(randomUUID())
    const body = bodies[resource]()
    const first = await school.client.post(`/${resource}`, body, key)
    const path = `/${resource}/${first.body.id}`
    await school.client.patch(path, resource === 'appointments' ? { status: 'cancelled' } : { phone: '112' })
    const again = await school.client.post(`/${resource}`, body, key)
    expect([again.text, ...headersOf(again)]).toEqual([first.text, ...headersOf(first).slice(0, 3), 'true'])
  })

  it('ignores the order of fields and surrounding whitespace when it compares bodies', async () => {
    const key = keyed(randomUUID())
    const body = { ...bodies[resource](), notes: 'once' }
    if (resource === 'instructors') Reflect.deleteProperty(body, 'notes')
    const first = await school.client.post(`/${resource}`, body, key)
    const entries = Object.entries(body).toReversed()
    const other = Object.fromEntries(
      entries.map(([name, value]) => [name, name === 'notes' ? ' once ' : value]),
    )
    const again = await school.client.post(`/${resource}`, other, key)
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text])
  })

  it('rejects another body with 422 idempotency_key_reused (S84)', async () => {
    const key = keyed(randomUUID())
    await school.client.post(`/${resource}`, bodies[resource](), key)
    const before = await countOf(resource)
    const body = resource === 'appointments' ? bodies[resource]() : { ...bodies[resource](), phone: '112' }
    const other = await school.client.post(`/${resource}`, body, key)
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused'])
    expect(await countOf(resource)).toBe(before)
    expect((await school.client.post(`/${resource}`, body)).status).toBe(201)
  })

  it('creates another resource for another user, with another key, and without a key', async () => {
    const key = keyed(randomUUID())
    const before = await countOf(resource)
    const post = (client: Client, headers?: Record<string, string>) =>
      client.post(`/${resource}`, bodies[resource](), headers)
    const answers = [
      await post(school.client, key),
      await post(await aColleague(), key),
      await post(school.client, keyed(randomUUID())),
      await post(school.client),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(4)
    expect(await countOf(resource)).toBe(before + 4)
  })

  it.each([
    ['', 'too_short'],
    ['x'.repeat(256), 'too_long'],
    ['two words', 'invalid_format'],
    ['Schlüssel', 'invalid_format'],
    ['a\tb', 'invalid_format'],
  ])('rejects the key %j with 400', async (key, code) => {
    const answer = await school.client.post(`/${resource}`, bodies[resource](), keyed(key))
    expect([answer.status, answer.body.errors]).toEqual([
      400,
      [{ pointer: 'idempotency-key', code, detail: expect.any(String) }],
    ])
  })

  it.each([LONGEST, '!', '"8e03978e-40d5-43e8-bc93-6894a57f9324"'])('accepts the key %s', async (key) => {
    const body = bodies[resource]()
    const answers = [
      await school.client.post(`/${resource}`, body, keyed(key)),
      await school.client.post(`/${resource}`, body, keyed(key)),
    ]
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(answers[1]?.text).toBe(answers[0]?.text)
  })
})

describe('an idempotency key', () => {
  it('is bound to its route: another gets 422 idempotency_key_reused', async () => {
    const body = { first_name: 'Lena', last_name: 'Vogt' }
    const key = keyed(randomUUID())
    expect((await school.client.post('/students', body, key)).status).toBe(201)
    const other = await school.client.post('/instructors', body, key)
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused'])
  })

  it('can be reused after 400, 404 and 409', async () => {
    const key = keyed(randomUUID())
    const lesson = bodies.appointments()
    const blocking = await school.client.post('/appointments', lesson)
    const refused = [
      await school.client.post('/appointments', { ...lesson, end_at: lesson.start_at }, key),
      await school.client.post('/appointments', { ...lesson, instructor_id: randomUUID() }, key),
      await school.client.post('/appointments', lesson, key),
      await school.client.post('/appointments', lesson, key),
    ]
    expect(refused.map(({ status }) => status)).toEqual([400, 404, 409, 409])
    await school.client.delete(`/appointments/${blocking.body.id}`)
    expect((await school.client.post('/appointments', lesson, key)).status).toBe(201)
  })

  it('is validated together with the body', async () => {
    const { body } = await school.client.post('/students', { first_name: 'Lena' }, keyed('two words'))
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      'idempotency-key',
      '/last_name',
    ])
  })

  it('that is sent twice in one request gets 400', async () => {
    const headers = new Headers([
      ...Object.entries(school.client.headers),
      ['content-type', 'application/json'],
    ])
    headers.append('idempotency-key', 'one')
    headers.append('idempotency-key', 'two')
    const request = { method: 'POST', headers, body: JSON.stringify(bodies.students()) }
    expect((await fetch(`${service().url}/api/v1/students`, request)).status).toBe(400)
  })

  it('is ignored on other routes', async () => {
    const { body } = await school.client.post('/students', bodies.students())
    const key = keyed('any words at all')
    const path = `/students/${body.id}`
    expect((await school.client.get(path, key)).status).toBe(200)
    expect((await school.client.patch(path, { phone: '112' }, key)).status).toBe(200)
    expect((await school.client.delete(path, key)).status).toBe(204)
    expect((await school.client.post(`${path}/restore`, undefined, key)).status).toBe(200)
  })

  it('is shared by all sessions of a user', async () => {
    const key = keyed(randomUUID())
    const body = bodies.appointments()
    const first = await school.client.post('/appointments', body, key)
    const { token } = await logIn(new Client(service()), school.user.email)
    const again = await new Client(service()).with(bearer(token)).post('/appointments', body, key)
    expect([again.status, again.text]).toEqual([201, first.text])
  })

  it('expires after 24 hours, even before it is purged', async () => {
    const key = keyed(randomUUID())
    const body = bodies.students()
    const at = Date.now() - 3 * DAY_MS
    const postAfter = async (ms: number) => {
      service().setClock(new Date(at + ms))
      const { token } = await logIn(new Client(service()), school.user.email)
      return (await new Client(service()).with(bearer(token)).post('/students', body, key)).body.id
    }
    const first = await postAfter(0)
    expect(await postAfter(DAY_MS - 1000)).toBe(first)
    const second = await postAfter(DAY_MS)
    expect(second).not.toBe(first)
    expect(await postAfter(DAY_MS + 1000)).toBe(second)
    const count = () =>
      service()
        .db.selectFrom('idempotency_keys')
        .where('tenant_id', '=', school.tenantId)
        .select('key')
        .execute()
    expect(await count()).toHaveLength(1)
    await school.client.post('/students', body, keyed(randomUUID()))
    service().setClock(undefined)
    await school.client.post('/students', body, keyed(LONGEST))
    await purgeKeptAnswers(service().db)
    expect(await count()).toEqual([{ key: LONGEST }])
  })

  it('is never written to the log, and neither is its response', async () => {
    const body = { first_name: 'Kanarienvogel', last_name: 'Vogt' }
    await school.client.post('/students', body, keyed('geheimer-schluessel'))
    await school.client.post('/students', body, keyed('geheimer-schluessel'))
    await school.client.post('/students', { ...body, notes: 'x' }, keyed('geheimer-schluessel'))
    expect(JSON.stringify(service().log())).not.toMatch(/Kanarienvogel|geheimer-schluessel/)
  })
})
