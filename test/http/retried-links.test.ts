import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type Answer, Client, must } from '../support/client.ts'
import { erase } from '../support/erasure.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

const pathOf = ({ body }: Answer) => body.url.slice(body.url.indexOf('/', 'https://'.length))
const statusOf = async (made: Answer) => (await new Client(service()).get(`/${pathOf(made)}`)).status
const replayed = ({ headers }: Answer) => headers.get('idempotency-replayed')
const keyed = () => ({ 'idempotency-key': randomUUID() })

/** Returns the paths and bodies of the requests that create a link. */
async function requestsForLinks(): Promise<readonly (readonly [path: string, body: object | undefined])[]> {
  const [{ id: student }, { id: instructor }] = [await school.student(), await school.instructor()]
  return [
    [`/students/${student}/link`, undefined],
    [`/instructors/${instructor}/calendar-feed`, { detail: 'busy' }],
  ]
}

describe('a link', () => {
  it('is the same for a retry with its Idempotency-Key, and still works', async () => {
    for (const [path, body] of await requestsForLinks()) {
      const key = keyed()
      const first = await school.client.post(path, body, key)
      const again = await school.client.post(path, body, key)
      expect([first.status, replayed(first)]).toEqual([200, null])
      expect([again.status, again.text, replayed(again)]).toEqual([200, first.text, 'true'])
      expect(await statusOf(again)).toBe(200)
      const other = await school.client.post(path, body, keyed())
      expect(other.body.url).not.toBe(first.body.url)
      expect(await statusOf(first)).toBe(404)
    }
  })

  it('is not created with a malformed key or the key of another request', async () => {
    const [page = '', feed = ''] = (await requestsForLinks()).map(([path]) => path)
    const key = keyed()
    must(200, await school.client.post(feed, { detail: 'full' }, key))
    expect((await school.client.post(feed, { detail: 'busy' }, key)).body.code).toBe('idempotency_key_reused')
    expect((await school.client.post(page, undefined, key)).status).toBe(422)
    expect((await school.client.post(page, undefined, { 'idempotency-key': 'a b' })).status).toBe(400)
  })

  it('is stored without its token, and a retry after the erasure of the student gets 404', async () => {
    const { id } = await school.student()
    const key = keyed()
    const first = await school.client.post(`/students/${id}/link`, undefined, key)
    const kept = await service()
      .db.selectFrom('idempotency_keys')
      .select('body')
      .where('key', '=', key['idempotency-key'])
      .executeTakeFirstOrThrow()
    expect(kept.body).toContain(id)
    expect(kept.body).not.toContain(first.body.url.split('/').at(-1))
    await school.client.delete(`/students/${id}`)
    await erase(service(), school.tenantId, id)
    expect((await school.client.post(`/students/${id}/link`, undefined, key)).status).toBe(404)
  })
})

describe('an invitation', () => {
  const invite = (body: object, key: Record<string, string>) => school.client.post('/users', body, key)

  it('is the same for 12 retries with its Idempotency-Key, which are not throttled', async () => {
    const body = { email: `${randomUUID()}@school.example`, name: 'Ute', role: 'office' }
    const key = keyed()
    const first = await invite(body, key)
    const location = first.headers.get('location')
    expect([first.status, location]).toEqual([201, `/api/v1/users/${first.body.user.id}`])
    for (let times = 0; times < 12; times += 1) {
      const again = await invite(body, key)
      expect([again.status, again.text, replayed(again)]).toEqual([201, first.text, 'true'])
      expect(again.headers.get('location')).toBe(location)
    }
    const token = first.body.invitation.url.split('#').at(-1)
    must(200, await new Client(service()).get(`/auth/invitations/${token}`))
    expect((await invite({ ...body, name: 'Eva' }, key)).body.code).toBe('idempotency_key_reused')
    expect((await invite(body, keyed())).body.code).toBe('email_taken')
  })
})
