import { beforeAll, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type Ids, populate } from '../support/canary.ts'
import { Client } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'
import { anInvitation } from '../support/invitations.ts'
import { feedOf } from '../support/links.ts'
import { readableIn } from '../support/openapi.ts'
import { aLogin } from '../support/session.ts'

const service = useService()
let school: School
let ids: Ids

beforeAll(async () => {
  school = await aSchool(service())
  ids = await populate(school, 'cached')
})

const anonymous = () => new Client(service())

/** Reads an address, and again with its tag if it has one. Returns the statuses. No response may be cached. */
async function requireUncached(client: Client, path: string): Promise<readonly number[]> {
  const first = await client.get(path)
  expect(first.headers.get('cache-control'), path).toMatch(/^(private, )?no-store$/)
  const tag = first.headers.get('etag')
  if (tag === null) return [first.status]
  const again = await client.get(path, { 'if-none-match': tag })
  expect(again.headers.get('cache-control'), path).toMatch(/^(private, )?no-store$/)
  return [first.status, again.status]
}

it('API reads are sent with no-store and still return 304 for a known ETag (S107)', async () => {
  const statuses: number[] = []
  for (const path of readableIn(service(), ids)) {
    statuses.push(...(await requireUncached(school.client, path)))
  }
  expect(statuses).toEqual(expect.arrayContaining([200, 304, 404]))
})

it('feeds, student pages and invitations are sent with no-store (S107)', async () => {
  const feed = await feedOf(school, { id: ids.instructor }, 'lesson')
  const { body } = await school.client.post(`/students/${ids.student}/link`)
  const page = `/${new URL(body.url).pathname}`
  const { token } = await anInvitation(school)
  expect(await requireUncached(anonymous(), feed)).toEqual([200, 304])
  expect(await requireUncached(anonymous(), `${page}.ics`)).toEqual([200, 304])
  expect(await requireUncached(anonymous(), page)).toEqual([200])
  expect(await requireUncached(anonymous(), `/auth/invitations/${token}`)).toEqual([200, 304])
})

it('write responses are sent with no-store', async () => {
  const { headers } = await school.client.patch(`/students/${ids.student}`, {})
  expect(headers.get('etag')).toMatch(/^"/)
  expect(headers.get('cache-control')).toBe('no-store')
})

it('every logout response clears the browser cache, even a repeated or invalid one (S107)', async () => {
  const { client, refreshToken } = await aLogin(service(), school.tenantId)
  for (const [body, status] of [
    [{ refresh_token: refreshToken }, 204],
    [{ refresh_token: refreshToken }, 204],
    [{}, 400],
  ] as const) {
    const answer = await client.post('/auth/logout', body)
    expect([answer.status, answer.headers.get('clear-site-data')]).toEqual([status, '"cache"'])
  }
})
