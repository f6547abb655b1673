import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool, type School } from '../support/factory.ts'
import { operationsOf } from '../support/openapi.ts'

const service = useService()
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

/** The test client fails on a response whose status or headers the document does not name. */
describe('the OpenAPI document and the responses', () => {
  it('agree on 415 for writing operations', async () => {
    // A link is looked up before the body.
    const isWriting = ({ method, path }: { method: string; path: string }) =>
      method !== 'GET' && !path.startsWith('/offers/accept')
    const writing = operationsOf(service()).filter(isWriting)
    expect(writing.length).toBeGreaterThan(50)
    for (const { method, path, operation } of writing) {
      const url = path.replace(/\{\w+\}/, randomUUID())
      const { status, body } = await school.client.send(method, url, 'x', { 'content-type': 'text/plain' })
      const { operationId } = operation
      expect([operationId, status, body.code]).toEqual([operationId, 415, 'unsupported_media_type'])
    }
  })

  it('agree on the headers of creations, changes, lists and replays', async () => {
    const key = { 'idempotency-key': randomUUID() }
    const student = { first_name: 'Lena', last_name: 'Vogt' }
    const made = await school.client.post('/students', student, key)
    expect(made.headers.get('location')).toBe(`/api/v1/students/${made.body.id}`)
    expect(made.headers.get('etag')).toBe('"1"')
    const again = await school.client.post('/students', student, key)
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
    const changed = await school.client.patch(`/students/${made.body.id}`, { phone: '+49 30 1' })
    expect(changed.headers.get('etag')).toBe('"2"')
    await school.student()
    const page = await school.client.get('/students?limit=1')
    expect(page.headers.get('link')).toMatch(/^<\/api\/v1\/students\?limit=1&cursor=.+>; rel="next"$/)
    const last = await school.client.get('/students')
    expect([last.headers.has('link'), last.headers.has('etag')]).toEqual([false, true])
  })

  it('agree on ranges of numbers: a limit outside gets 400 invalid_format', async () => {
    for (const limit of ['0', '1.5', '1001', '']) {
      const { status, body } = await school.client.get(`/students?limit=${limit}`)
      const [fault] = body.errors
      expect([status, fault.pointer, fault.code]).toEqual([400, '?limit', 'invalid_format'])
    }
    expect((await school.client.get('/students?limit=1000')).status).toBe(200)
  })
})
