import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { Client, type Headings } from '../support/client.ts'
import { aSchool, PASSWORD, type School } from '../support/factory.ts'
import { operationsOf } from '../support/openapi.ts'
import { accessCookie, aLogin, bearer, type LoggedIn, refreshCookie, statusWith } from '../support/session.ts'

const service = useService()
const BOUNDARY = '----x'
let school: School
let session: LoggedIn

beforeAll(async () => {
  school = await aSchool(service())
  session = await aLogin(service(), school.tenantId)
})

/** Content types that a foreign page can send without a preflight, and similar ones. `null` stands for no Content-Type. */
const TYPES: readonly (readonly [string, string | null])[] = [
  ['text/plain', 'text/plain'],
  ['text/plain with a charset', 'text/plain;charset=UTF-8'],
  ['text/plain that names JSON', 'text/plain; application/json'],
  ['a form', 'application/x-www-form-urlencoded'],
  ['a multipart form', `multipart/form-data; boundary=${BOUNDARY}`],
  ['no type', null],
  ['an empty type', ''],
  ['a type that only begins like JSON', 'application/jsonx'],
  ['a +json type', 'application/merge-patch+json'],
  ['text/json', 'text/json'],
  ['two types', 'text/plain, application/json'],
  ['an invalid type', 'json'],
]

/** Sends JSON with another content type, as bytes, so that `fetch` adds no type of its own. */
async function statusOf(method: string, path: string, body: unknown, type: string | null, headers: Headings) {
  const bytes = new TextEncoder().encode(JSON.stringify(body))
  const named = type === null ? headers : { ...headers, 'content-type': type }
  const answer = await new Client(service()).send(method, path, bytes, named)
  if (answer.status === 415) expect(answer.body.code).toBe('unsupported_media_type')
  return answer.status
}

async function everything(): Promise<string> {
  const answers = await Promise.all(
    ['/students', '/instructors', '/appointments'].map((path) => school.client.get(path)),
  )
  return answers.map(({ text }) => text).join('\n')
}

it('every operation with a body rejects form content types with 415 (S47)', async () => {
  const taking = operationsOf(service()).filter(({ body }) => body)
  expect(taking.length).toBeGreaterThan(50)
  for (const { method, path } of taking) {
    const at = path.replaceAll(/\{\w+\}/g, school.tenantId)
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', `multipart/form-data; boundary=x`])
      expect(await statusOf(method, at, {}, type, bearer(session.token)), `${method} ${path}`).toBe(415)
  }
})

describe.each(TYPES)('JSON sent as %s', (_, type) => {
  it('is rejected with 415 by writes, with cookie or header, and nothing is stored (S47)', async () => {
    const student = await school.student()
    const instructor = await school.instructor()
    const times = { start_at: '2026-05-04 08:00', end_at: '2026-05-04 09:00' }
    const lesson = { instructor_id: instructor.id, lesson_type_id: school.lessonTypes.PRACTICE, ...times }
    const appointment = await school.lesson(lesson)
    const writes: readonly (readonly [string, string, unknown])[] = [
      ['POST', '/students', { first_name: 'Lena', last_name: 'Vogt' }],
      ['PATCH', `/students/${student.id}`, { first_name: 'Eva' }],
      ['POST', '/instructors', { first_name: 'Jonas', last_name: 'Brandt' }],
      ['PATCH', `/instructors/${instructor.id}`, { first_name: 'Eva' }],
      ['POST', '/appointments', { ...lesson, start_at: '2026-05-05 08:00', end_at: '2026-05-05 09:00' }],
      ['PATCH', `/appointments/${appointment.id}`, { title: 'Moved' }],
      ['POST', '/auth/password', { current_password: PASSWORD, new_password: 'a better horse battery' }],
    ]
    const before = await everything()
    for (const credentials of [accessCookie(session.token), bearer(session.token)]) {
      for (const [method, path, body] of writes) {
        expect(await statusOf(method, path, body, type, credentials), `${method} ${path}`).toBe(415)
      }
    }
    expect(await everything()).toBe(before)
    await school.client.delete(`/appointments/${appointment.id}`)
  })

  it('is rejected with 415 by login, refresh and logout without changing any session', async () => {
    const { client, user, token, refreshToken } = await aLogin(service(), school.tenantId)
    const credentials = { email: user.email, password: PASSWORD }
    expect(await statusOf('POST', '/auth/login', credentials, type, {})).toBe(415)
    for (const path of ['/auth/refresh', '/auth/logout']) {
      expect(await statusOf('POST', path, { refresh_token: refreshToken }, type, {})).toBe(415)
      expect(await statusOf('POST', path, {}, type, refreshCookie(refreshToken))).toBe(415)
    }
    expect(await statusWith(client, token)).toBe(200)
    expect((await client.post('/auth/refresh', { refresh_token: refreshToken })).status).toBe(200)
  })

  it('is rejected with 401 rather than 415 if the token is missing', async () => {
    expect(await statusOf('POST', '/students', {}, type, {})).toBe(401)
  })
})

it.each(['application/json', 'application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;x=y'])(
  '%s is accepted as JSON',
  async (type) => {
    const student = { first_name: 'Lena', last_name: 'Vogt' }
    expect(await statusOf('POST', '/students', student, type, bearer(session.token))).toBe(201)
  },
)

it('a form cannot restore a deleted student', async () => {
  const { id } = await school.student()
  await school.client.delete(`/students/${id}`)
  const form = { 'content-type': 'application/x-www-form-urlencoded', ...accessCookie(session.token) }
  const answer = await session.client.post(`/students/${id}/restore`, 'a=b', form)
  expect(answer.status).toBe(415)
  expect((await school.client.get(`/students/${id}`)).status).toBe(404)
})
