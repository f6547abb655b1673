import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { Client } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'
import { aLogin, type LoggedIn } from '../support/session.ts'
import { hostLine, sendBytes, sendLines } from '../support/wire.ts'

const service = useService()
let school: School
let session: LoggedIn

beforeAll(async () => {
  school = await aSchool(service())
  session = await aLogin(service(), school.tenantId)
})

/** Expects the one shape of errors, even if no route was reached. */
function expectProblem(answer: Answer, status: number, code: string): void {
  expect(answer.status).toBe(status)
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(answer.body).toMatchObject({ type: `/docs/problems#${code}`, status, code })
  expect(answer.body.request_id).toBe(answer.headers.get('x-request-id'))
  expect(answer.headers.get('x-request-id')).toBeTruthy()
  expect(answer.headers.get('cache-control')).toBe('no-store')
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
}

describe('a request that is not valid HTTP/1.1 (S91)', () => {
  const host = () => hostLine(service())
  const post = 'POST /api/v1/auth/login HTTP/1.1'
  const type = 'Content-Type: application/json'
  const lines = (...all: string[]) => `${all.join('\r\n')}\r\n\r\n`
  const BROKEN: readonly (readonly [string, () => string])[] = [
    ['rubbish', () => 'rubbish\r\n\r\n'],
    ['binary rubbish', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['an HTTP/2 preface', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown version', () => lines('GET / HTTP/9.9', host())],
    ['an unknown method', () => lines('STEAL /api/v1/students HTTP/1.1', host())],
    ['a blank in a header name', () => lines('GET / HTTP/1.1', host(), 'X Y: z')],
    ['a blank before the colon', () => lines('GET / HTTP/1.1', host(), 'X-Y : z')],
    ['a folded header', () => lines('GET / HTTP/1.1', ' folded: x', host())],
    ['a NUL in a header', () => lines('GET / HTTP/1.1', host(), 'X-Y: a\0b')],
    ['two lengths', () => lines(post, host(), type, 'Content-Length: 2', 'Content-Length: 3')],
    ['a negative length', () => lines(post, host(), type, 'Content-Length: -1')],
    ['a length that is no number', () => lines(post, host(), type, 'Content-Length: 2x')],
    [
      'a length and chunks',
      () => `${lines(post, host(), type, 'Content-Length: 2', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    ],
    ['an unknown transfer encoding', () => lines(post, host(), type, 'Transfer-Encoding: chunked, identity')],
    [
      'a chunk without a size',
      () => `${lines(post, host(), type, 'Transfer-Encoding: chunked')}zz\r\n{}\r\n`,
    ],
  ]
  it.each(BROKEN)('gets 400 invalid_request and a closed connection: %s', async (_, bytes) => {
    expectProblem(await sendBytes(service(), bytes()), 400, 'invalid_request')
  })

  it('gets 400 without a Host header', async () => {
    expectProblem(
      await sendBytes(service(), 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'),
      400,
      'invalid_request',
    )
  })

  it.each([
    ['the same twice', ['Host: school.example', 'Host: school.example']],
    ['in another spelling', ['Host: school.example', 'hOST: evil.test']],
    ['one of them empty', ['Host: school.example', 'Host:']],
  ])('gets 400 with two Host headers, %s', async (_, hosts) => {
    for (const path of ['/healthz', '/api/v1/students', '/nothing', '/docs/static/'])
      expectProblem(await sendLines(service(), [`GET ${path} HTTP/1.1`, ...hosts]), 400, 'invalid_request')
  })

  it('gets 400 for invalid percent-encoding in the path', async () => {
    const answer = await sendLines(service(), ['GET /api/v1/students/%zz HTTP/1.1', hostLine(service())])
    expectProblem(answer, 400, 'invalid_request')
  })
})

describe('request headers', () => {
  it('of 20,000 characters get 431 headers_too_large (S92)', async () => {
    const lines = ['GET /api/v1/students HTTP/1.1', hostLine(service()), `X-Long: ${'x'.repeat(20_000)}`]
    expectProblem(await sendLines(service(), lines), 431, 'headers_too_large')
  })

  it('with a URL of 20,000 characters get 431 headers_too_large', async () => {
    const lines = [`GET /api/v1/students?a=${'x'.repeat(20_000)} HTTP/1.1`, hostLine(service())]
    expectProblem(await sendLines(service(), lines), 431, 'headers_too_large')
  })

  it('of 90 short lines are accepted (S92)', async () => {
    const many = Array.from({ length: 90 }, (_, index) => `X-${index}: 1`)
    const lines = ['GET /api/v1/auth/me HTTP/1.1', hostLine(service()), ...many]
    const answer = await sendLines(service(), [...lines, `Authorization: Bearer ${session.token}`])
    expect(answer.status).toBe(200)
  })

  it('with an unknown Expect value get a 4xx in the problem format', async () => {
    const lines = ['GET /api/v1/students HTTP/1.1', hostLine(service()), 'Expect: a miracle']
    const answer = await sendLines(service(), lines)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(answer.body).toMatchObject({
      status: answer.status,
      request_id: answer.headers.get('x-request-id'),
    })
  })

  it('with a foreign host do not affect the response (S94)', async () => {
    const { id } = await school.student()
    const lines = ['Host: evil.test', 'X-Forwarded-Host: evil.test', `Authorization: Bearer ${session.token}`]
    const answer = await sendLines(service(), [`GET /api/v1/students/${id} HTTP/1.1`, ...lines])
    expect(answer.status).toBe(200)
    expect(JSON.stringify([...answer.headers]) + answer.text).not.toContain('evil')
  })
})

describe('a smuggled request (S91)', () => {
  it('after an ambiguous body length gets no response', async () => {
    const smuggled = `GET /healthz HTTP/1.1\r\n${hostLine(service())}\r\n\r\n`
    const head = ['POST /api/v1/auth/login HTTP/1.1', hostLine(service()), 'Content-Type: application/json']
    const both = [...head, 'Content-Length: 5', 'Transfer-Encoding: chunked', '', `0\r\n\r\n${smuggled}`]
    const answer = await sendBytes(service(), both.join('\r\n'))
    expectProblem(answer, 400, 'invalid_request')
    expect(answer.text).not.toContain('alive')
  })
})

it('the service still responds after these requests', async () => {
  expect((await new Client(service()).get('//healthz')).status).toBe(200)
  expect((await school.client.get('/auth/me')).status).toBe(200)
})
