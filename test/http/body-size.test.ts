import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { checkTable } from '../support/check-each.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
let school: School
let student: string

beforeAll(async () => {
  school = await aSchool(service())
  student = (await school.student()).id
})

const JSON_TYPE = { 'content-type': 'application/json' }

describe('the size limit of a request body', () => {
  const padded = (json: object, length: number) => JSON.stringify(json).padEnd(length, ' ')

  it('is 256 KB for a resource, with 413 above it (S69)', () =>
    checkTable(['students', 'instructors', 'appointments'], async (resource) => {
      const fits = await school.client.post(`/${resource}`, padded({}, 256 * 1024), JSON_TYPE)
      expect([fits.status, fits.body.code]).toEqual([400, 'invalid_request'])
      for (const method of ['POST', 'PATCH']) {
        const path = method === 'POST' ? `/${resource}` : `/${resource}/${student}`
        const over = await school.client.send(method, path, padded({}, 256 * 1024 + 1), JSON_TYPE)
        expect([over.status, over.body.code]).toEqual([413, 'body_too_large'])
      }
    }))

  it('is 4 KB for a login, refresh, logout or password change, with 413 above it', () =>
    checkTable(['login', 'refresh', 'logout', 'password'], async (name) => {
      const fits = await school.client.post(`/auth/${name}`, padded({ x: 1 }, 4096), JSON_TYPE)
      expect([fits.status, fits.body.code]).toEqual([400, 'invalid_request'])
      const over = await school.client.post(`/auth/${name}`, padded({ x: 1 }, 4097), JSON_TYPE)
      expect([over.status, over.body.code]).toEqual([413, 'body_too_large'])
    }))

  it('is measured in bytes, not in characters (S69)', async () => {
    const text = JSON.stringify({ notes: 'ü'.repeat(130 * 1024) })
    expect(text.length).toBeLessThan(256 * 1024)
    expect((await school.client.post('/students', text, JSON_TYPE)).status).toBe(413)
  })

  it('applies without a Content-Length too (S69)', async () => {
    const body = new Blob([padded({ x: 1 }, 4097)]).stream()
    const request = { method: 'POST', headers: JSON_TYPE, body, duplex: 'half' } as const
    const answer = await fetch(`${service().url}/api/v1/auth/login`, request)
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([413, 'body_too_large'])
  })
})
