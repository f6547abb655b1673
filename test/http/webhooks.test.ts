import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type Answer, Client, must } from '../support/client.ts'
import { aSchool, aUser, logIn, type Row, type School } from '../support/factory.ts'
import { bearer } from '../support/session.ts'

const service = useService()
let school: School

const URL = 'https://203.0.113.7/hooks/kanarienvogel?key=kanarienvogel'
const add = async (fields: object = {}): Promise<Row> =>
  must(201, await school.client.post('/webhooks', { url: URL, ...fields }))
const list = async (): Promise<Row[]> => must(200, await school.client.get('/webhooks'))

beforeEach(async () => {
  school = await aSchool(service())
})

describe('webhooks', () => {
  it('can be added, changed and deleted, and show their secret only once', async () => {
    const { secret, ...made } = await add({ events: ['appointment.*', 'student.created'] })
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(made).toMatchObject({
      url: URL,
      events: ['appointment.*', 'student.created'],
      disabled: false,
      disabled_reason: null,
      version: 1,
    })
    const all = await add()
    expect(all.events).toEqual(['*'])
    const { secret: _, ...second } = all
    expect(await list()).toEqual([made, second])
    const path = `/webhooks/${made.id}`
    const changed = await school.client.patch(path, { disabled: true }, { 'if-match': '"1"' })
    expect(must(200, changed)).toMatchObject({ disabled: true, version: 2 })
    expect(changed.headers.get('etag')).toBe('"2"')
    expect((await school.client.patch(path, { disabled: false }, { 'if-match': '"1"' })).status).toBe(412)
    expect(must(200, await school.client.patch(path, { disabled: true })).version).toBe(2)
    expect(must(200, await school.client.get(`${path}/deliveries`))).toEqual([])
    expect((await school.client.delete(path)).status).toBe(204)
    for (const answer of [
      await school.client.delete(path),
      await school.client.patch(path, { disabled: true }),
      await school.client.get(`${path}/deliveries`),
    ])
      expect(answer.status).toBe(404)
    expect(await list()).toEqual([second])
  })

  it('are added once per Idempotency-Key, whose stored response omits the secret', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const first = await school.client.post('/webhooks', { url: URL }, key)
    const again = await school.client.post('/webhooks', { url: URL }, key)
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text])
    const headersOf = ({ headers }: Answer) => [headers.get('location'), headers.get('etag')]
    expect([...headersOf(again), again.headers.get('idempotency-replayed')]).toEqual([
      ...headersOf(first),
      'true',
    ])
    expect(await list()).toHaveLength(1)
    const kept = await service()
      .db.selectFrom('idempotency_keys')
      .select('body')
      .where('tenant_id', '=', school.tenantId)
      .execute()
    expect(kept).toHaveLength(1)
    expect(kept[0]?.body).not.toContain('secret')
    const other = await school.client.post('/webhooks', { url: `${URL}2` }, key)
    expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused'])
    expect((await school.client.delete(`/webhooks/${first.body.id}`)).status).toBe(204)
    expect((await school.client.post('/webhooks', { url: URL }, key)).status).toBe(404)
  })

  it('are logged without the secret and the path of the URL', async () => {
    const made = await add()
    must(200, await school.client.patch(`/webhooks/${made.id}`, { url: `${URL}2`, disabled: true }))
    expect((await school.client.delete(`/webhooks/${made.id}`)).status).toBe(204)
    const answer = await school.client.get(`/changes?resource_id=${made.id}`)
    expect(must(200, answer)).toMatchObject([
      { action: 'deleted', before: { url: 'https://203.0.113.7', disabled: true }, after: null },
      { action: 'changed', before: { disabled: false }, after: { disabled: true } },
      { action: 'created', after: { url: 'https://203.0.113.7', events: ['*'] } },
    ])
    expect(answer.text).not.toMatch(/kanarienvogel|whsec|secret/)
    expect(
      service()
        .log()
        .map((line) => JSON.stringify(line))
        .join(),
    ).not.toMatch(/kanarienvogel|whsec/)
  })

  it('are stored without a readable secret', async () => {
    const { id, secret } = await add()
    const row = await service()
      .db.selectFrom('webhooks')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(row.secret.toString('latin1')).not.toContain(String(secret).slice(6, 20))
    expect(row.secret).not.toContain(Buffer.from(String(secret).slice(6), 'base64'))
  })

  it('return 403 forbidden to the office on every route', async () => {
    const { id } = await add()
    const { email } = await aUser(service(), school.tenantId, { role: 'office' })
    const office = new Client(service(), bearer((await logIn(new Client(service()), email)).token))
    for (const answer of [
      await office.get('/webhooks'),
      await office.post('/webhooks', { url: URL }),
      await office.patch(`/webhooks/${id}`, { disabled: true }),
      await office.delete(`/webhooks/${id}`),
      await office.get(`/webhooks/${id}/deliveries`),
      await office.post(`/webhooks/${id}/replay`, { since: 'x' }),
    ])
      expect([answer.status, answer.body.code]).toEqual([403, 'forbidden'])
  })

  it('are limited to 20 per school', async () => {
    for (let count = 0; count < 20; count += 1) await add()
    const { status, body } = await school.client.post('/webhooks', { url: URL })
    expect([status, body.errors[0].code]).toEqual([400, 'too_many'])
    const other = await aSchool(service())
    must(201, await other.client.post('/webhooks', { url: URL }))
  })

  it('are replayed only from a valid cursor', async () => {
    const { id } = await add()
    for (const since of ['', 'x', 'WyJhIl0', 5, null]) {
      const { status, body } = await school.client.post(`/webhooks/${id}/replay`, { since })
      expect([status, body.errors?.[0].pointer], String(since)).toEqual([400, '/since'])
    }
    const { cursor } = must(200, await school.client.get('/changes/since'))
    expect((await school.client.post(`/webhooks/${randomUUID()}/replay`, { since: cursor })).status).toBe(404)
    expect((await school.client.post(`/webhooks/${id}/replay`, { since: cursor })).status).toBe(200)
  })
})

const REFUSED = {
  'malformed and non-HTTPS URLs': [
    'http://203.0.113.7/',
    'ftp://203.0.113.7/',
    'file:///etc/passwd',
    'gopher://203.0.113.7/',
    'javascript:alert(1)',
    '//203.0.113.7/',
    'https:203.0.113.7',
    'https://',
    'x',
    '',
    'https://203.0.113.7/\nhost: x',
    'https://203.0.113.7/a b',
    'https://1.2.3.4.5/',
    'https://999.1.1.1/',
  ],
  credentials: [
    'https://user@203.0.113.7/',
    'https://user:password@203.0.113.7/',
    'https://:password@203.0.113.7/',
    'https://@203.0.113.7/',
    'https://203.0.113.7@127.0.0.1/',
    'https://203.0.113.7%40@1.1.1.1/',
  ],
  'private addresses': [
    'https://127.0.0.1/',
    'https://127.0.0.1:8443/hook',
    'https://127.1/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0177.0.0.1/',
    'https://127.0.0.1./',
    'https://１２７.0.0.1/',
    'https://0/',
    'https://0.0.0.0/',
    'https://10.0.0.1/',
    'https://100.64.0.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://172.16.0.1/',
    'https://172.31.255.255/',
    'https://192.168.1.1/',
    'https://198.18.0.1/',
    'https://224.0.0.1/',
    'https://255.255.255.255/',
    'https://[::]/',
    'https://[::1]/',
    'https://[0:0:0:0:0:0:0:1]/',
    'https://[::127.0.0.1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::127.0.0.1]/',
    'https://[2002:7f00:1::]/',
    'https://[fc00::1]/',
    'https://[fd00:ec2::254]/',
    'https://[fe80::1]/',
    'https://[ff02::1]/',
  ],
  'unknown host names': [
    'https://localhost/',
    'https://localhost./',
    'https://receiver.invalid/',
    'https://fahrplan/',
  ],
}

describe('the URL of a webhook', () => {
  it.each(Object.entries(REFUSED))('is rejected with 400 for %s, on creation and change', async (_, urls) => {
    const { id } = await add()
    for (const url of urls) {
      for (const answer of [
        await school.client.post('/webhooks', { url }),
        await school.client.patch(`/webhooks/${id}`, { url }),
      ]) {
        expect([answer.status, answer.body.code], url).toEqual([400, 'invalid_request'])
        expect(answer.body.errors, url).toMatchObject([{ pointer: '/url' }])
      }
    }
    expect((await list()).map(({ url }) => url)).toEqual([URL])
  })

  it('is rejected with the same error for a private address and an unknown host name', async () => {
    const [here, nowhere] = [
      await school.client.post('/webhooks', { url: 'https://127.0.0.1/' }),
      await school.client.post('/webhooks', { url: 'https://receiver.invalid/' }),
    ]
    expect(here.body.errors).toMatchObject([{ pointer: '/url', code: 'no_public_address' }])
    expect(nowhere.body.errors).toEqual(here.body.errors)
  })

  it('is required, and the events must be those of the log', async () => {
    const faults = async (body: object) =>
      (await school.client.post('/webhooks', body)).body.errors?.map(({ pointer }: Row) => pointer)
    expect(await faults({})).toEqual(['/url'])
    for (const events of [[], ['appointment'], ['lesson.*'], ['appointment.moved'], ['*', '*'], 'x', null])
      expect((await faults({ url: URL, events }))?.[0], JSON.stringify(events)).toMatch(/^\/events/)
    expect(await faults({ url: URL, secret: 'mine' })).toEqual(['/secret'])
    const every = ['appointment.created', 'student.erased', 'webhook.*', 'tenant.changed']
    expect((await add({ events: every })).events).toEqual(every)
  })
})
