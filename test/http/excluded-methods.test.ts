import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { fingerprint } from '../support/corpus.ts'
import { aSchool, type School } from '../support/factory.ts'
import { operationsOf } from '../support/openapi.ts'

const service = useService()
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

const WRITES = ['POST', 'PUT', 'PATCH', 'DELETE']

/** The methods that the interface has for its resources. It excludes all others: whatever they would do is not for clients. */
const INTERFACE: Readonly<Record<string, readonly string[]>> = {
  '/auth/login': ['POST'],
  '/auth/refresh': ['POST'],
  '/auth/logout': ['POST'],
  '/auth/me': ['GET'],
  '/bootstrap': ['GET'],
  '/students': ['GET', 'POST'],
  '/students/{id}': ['GET', 'PATCH', 'DELETE'],
  '/instructors': ['GET', 'POST'],
  '/instructors/{id}': ['GET', 'PATCH'],
  '/appointments': ['GET', 'POST'],
  '/appointments/{id}': ['GET', 'PATCH', 'DELETE'],
  '/lesson-types': ['GET'],
  '/lesson-types/{id}': ['GET'],
  '/license-class-templates': ['GET'],
}

describe('the resources of the interface', () => {
  it.each(Object.entries(INTERFACE))('%s has the methods %j and no others', (path, methods) => {
    const described = operationsOf(service()).filter((one) => one.path === path)
    expect(described.map(({ method }) => method).toSorted()).toEqual(methods.toSorted())
  })

  it.each([
    ['an instructor', '/instructors', ['DELETE', 'PUT'], 'GET, HEAD, PATCH'],
    ['a lesson type', '/lesson-types', WRITES, 'GET, HEAD'],
  ])('%s is not changed by excluded methods: 405 with `Allow`', async (_, list, methods, allow) => {
    await school.instructor()
    const [{ id }] = (await school.client.get(list)).body
    const before = await fingerprint(service(), school.tenantId)
    for (const method of methods) {
      const { status, body, headers } = await school.client.send(method, `${list}/${id}`, { name: 'X' })
      expect([method, status, body.code, headers.get('allow')]).toEqual([
        method,
        405,
        'method_not_allowed',
        allow,
      ])
    }
    expect(await fingerprint(service(), school.tenantId)).toBe(before)
  })

  it.each([
    ['/lesson-types', 405],
    ['/license-class-templates', 404],
  ])('%s cannot be created, changed or deleted', async (path, ofEntry) => {
    const [{ id }] = (await school.client.get(path)).body
    const before = await fingerprint(service(), school.tenantId)
    for (const method of WRITES) {
      const list = await school.client.send(method, path, { code: 'X', name: 'X' })
      expect([list.status, list.body.code, list.headers.get('allow')]).toEqual([
        405,
        'method_not_allowed',
        'GET, HEAD',
      ])
      expect((await school.client.send(method, `${path}/${id}`, { name: 'X' })).status).toBe(ofEntry)
    }
    expect(await fingerprint(service(), school.tenantId)).toBe(before)
  })
})
