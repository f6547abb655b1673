import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { checkTable } from '../support/check-each.ts'
import { aSchool } from '../support/factory.ts'
import { aLogin, type LoggedIn } from '../support/session.ts'
import { hostLine, sendLines } from '../support/wire.ts'

const service = useService()
let session: LoggedIn

beforeAll(async () => {
  session = await aLogin(service(), (await aSchool(service())).tenantId)
})

describe('an alternative spelling of a path (S27)', () => {
  const SPELLINGS = [
    '//students',
    '/students/',
    '/Students',
    '/STUDENTS',
    '/students;x',
    '/students%2F',
    '/students%00',
    '/%73tudents',
    '/./students',
    '/x/../students',
    '/students/.',
    '/students/..%2fstudents',
    '/students//',
    '\\students',
    '/students%3F',
    '/students#x',
  ]
  const get = (path: string, extra: readonly string[] = []) =>
    sendLines(service(), [`GET /api/v1${path} HTTP/1.1`, hostLine(service()), ...extra])

  it('gets 400, 401 or 404 without a token', () =>
    checkTable(SPELLINGS, async (path) => {
      expect([400, 401, 404]).toContain((await get(path)).status)
    }))

  it('does not return the list with a token', () =>
    checkTable(
      SPELLINGS.filter((path) => !['/%73tudents', '/students#x'].includes(path)),
      async (path) => {
        expect([400, 404]).toContain((await get(path, [`Authorization: Bearer ${session.token}`])).status)
      },
    ))

  it('of the prefix gets 401 or 404 without a token', () =>
    checkTable(
      [
        '//api/v1/students',
        '/API/v1/students',
        '/api//v1/students',
        '/api/V1/students',
        '/%61pi/v1/students',
      ],
      async (target) => {
        const answer = await sendLines(service(), [`GET ${target} HTTP/1.1`, hostLine(service())])
        expect([401, 404]).toContain(answer.status)
      },
    ))
})
