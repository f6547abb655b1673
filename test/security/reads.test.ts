import { beforeAll, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { type Ids, populate } from '../support/canary.ts'
import { fingerprint } from '../support/corpus.ts'
import { aSchool, type School } from '../support/factory.ts'
import { operationsOf, readableIn } from '../support/openapi.ts'

const service = useService()
let school: School
let ids: Ids

beforeAll(async () => {
  school = await aSchool(service())
  ids = await populate(school, 'read')
})

it('GET and HEAD requests never write (S49)', async () => {
  const before = await fingerprint(service(), school.tenantId)
  const statuses = new Set<number>()
  for (const path of readableIn(service(), ids)) {
    for (const method of ['GET', 'HEAD']) {
      const { status } = await school.client.send(method, path)
      expect(status, `${method} ${path}`).toBeLessThan(500)
      statuses.add(status)
    }
  }
  expect(statuses).toContain(200)
  expect(await fingerprint(service(), school.tenantId)).toBe(before)
}, 120_000)

it('GET on the path of a write operation writes nothing (S49)', async () => {
  const before = await fingerprint(service(), school.tenantId)
  const writes = operationsOf(service()).filter(({ method }) => method !== 'GET')
  for (const { path } of writes) {
    const { status } = await school.client.get(path.replace('{id}', ids.appointment))
    expect(status, path).not.toBe(201)
  }
  expect(await fingerprint(service(), school.tenantId)).toBe(before)
})

it('the API never redirects, whatever a proxy reports about TLS (S106)', async () => {
  const insecure = { 'x-forwarded-proto': 'http', 'x-forwarded-ssl': 'off', forwarded: 'proto=http' }
  for (const { method, path } of operationsOf(service())) {
    for (const end of ['', '/']) {
      const at = path.replace('{id}', ids.student) + end
      const { status, headers } = await school.client.send(
        method,
        at,
        method === 'GET' ? undefined : {},
        insecure,
      )
      expect([status < 300 || status >= 400, headers.get('location')], `${method} ${at}`).toEqual([
        true,
        null,
      ])
    }
  }
})
