import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startService, type TestService, useService } from '../support/app.ts'
import { ALLOWED_ORIGIN } from '../support/environment.ts'
import { aSchool, type School } from '../support/factory.ts'
import { addStudents } from '../support/long-list.ts'
import { hostLine, sendBytes } from '../support/wire.ts'

const PATIENCE = { turn: 1_000, answer: 1_500, reader: 2_500 }
const STUDENTS = 6_000
const NOTES = 5_000
/** More than the kernel buffers between service and client. */
const LIST_BYTES = STUDENTS * NOTES

const usual = useService()
let service: TestService
let school: School

beforeAll(async () => {
  service = await startService(usual().db, {}, PATIENCE)
  school = await aSchool(usual())
  await addStudents(usual(), school, STUDENTS)
  await sql`update students set notes = repeat('x', ${sql.lit(NOTES)})
    where tenant_id = ${school.tenantId}`.execute(usual().db)
})
afterAll(() => service.close())

const own = () => [hostLine(service), `Authorization: ${school.client.headers.authorization}`]
const linesOf = (path: string) => service.log().filter((line) => line.path === path)

const countOf = (msg: string) => linesOf('/api/v1/students').filter((line) => line.msg === msg).length

/** Requests all students and waits for the first bytes. */
async function askForTheList(connection = 'close'): Promise<Socket> {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  socket.write(['GET /api/v1/students HTTP/1.1', ...own(), `Connection: ${connection}`, '', ''].join('\r\n'))
  await once(socket, 'readable')
  return socket
}

describe('a request body that does not arrive', () => {
  const post = () => ['POST /api/v1/students HTTP/1.1', ...own(), `Origin: ${ALLOWED_ORIGIN}`]
  const half = [
    'Content-Type: application/json',
    'Content-Length: 100',
    'Expect: 100-continue',
    '',
    '{"first_name":',
  ]

  it('gets 408 with CORS headers and is logged at info level (S88)', async () => {
    const question = [...post(), ...half.filter((line) => !line.startsWith('Expect'))]
    const answer = await sendBytes(service, question.join('\r\n'))
    expect([answer.status, answer.body.code]).toEqual([408, 'request_timeout'])
    expect(answer.headers.get('connection')).toBe('close')
    expect(answer.headers.get('access-control-allow-origin')).toBe(ALLOWED_ORIGIN)
    const id = answer.headers.get('x-request-id')
    const lines = service.log().filter(({ request_id }) => request_id === id)
    expect(lines).toMatchObject([
      { level: 30, path: '/api/v1/students', status: 408, tenant_id: school.tenantId },
    ])
  })

  it('is logged as broken off if its client has disconnected', async () => {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    socket.write([...post(), ...half].join('\r\n'))
    // The service has sent 100 Continue, so it has begun to read.
    await once(socket, 'data')
    socket.destroy()
    const left = { msg: 'request broken off: the client has left', method: 'POST' }
    await vi.waitFor(
      () => expect(linesOf('/api/v1/students')).toContainEqual(expect.objectContaining(left)),
      { timeout: 10_000 },
    )
  })
})

describe('a client that reads a long list', () => {
  it('gets all of it even if reading takes longer than the response timeout', async () => {
    const begun = performance.now()
    const socket = await askForTheList()
    let [bytes, last] = [0, '']
    socket.on('data', (chunk) => {
      bytes += chunk.length
      last = chunk.toString('latin1').slice(-5)
      // A pause after each chunk simulates a slow line.
      socket.pause()
      setTimeout(() => socket.resume(), Math.ceil((chunk.length / LIST_BYTES) * 2 * PATIENCE.answer))
    })
    await once(socket, 'close')
    expect(performance.now() - begun).toBeGreaterThan(PATIENCE.answer)
    expect(bytes).toBeGreaterThan(LIST_BYTES)
    expect(last).toBe('0\r\n\r\n')
  })

  it('is disconnected if it reads nothing, and logged with tenant and user (S89)', async () => {
    const socket = await askForTheList()
    await vi.waitFor(
      () =>
        expect(linesOf('/api/v1/students')).toContainEqual(
          expect.objectContaining({
            level: 30,
            msg: 'request broken off: the client takes nothing',
            method: 'GET',
            tenant_id: school.tenantId,
            user_id: school.user.id,
          }),
        ),
      { timeout: 10_000 },
    )
    socket.destroy()
  })

  it('is disconnected if it reads nothing but keeps sending bytes of another request (S89)', async () => {
    const before = countOf('request broken off: the client takes nothing')
    const socket = await askForTheList('keep-alive')
    const next = `GET / HTTP/1.1\r\nX-A: ${'a'.repeat(200)}`[Symbol.iterator]()
    const sending = setInterval(() => socket.write(next.next().value ?? 'a'), 200)
    await vi.waitFor(() => expect(countOf('request broken off: the client takes nothing')).toBe(before + 1), {
      timeout: 10_000,
    })
    clearInterval(sending)
    socket.destroy()
  })

  it.each([
    ['', ''],
    [' from a listed origin', `Origin: ${ALLOWED_ORIGIN}\r\n`],
  ])(
    'is disconnected if it pipelines 600 requests%s, of which fewer than 100 are handled',
    async (_, origin) => {
      const { hostname, port } = new URL(service.url)
      const begun = vi.fn()
      service.app.server.on('request', begun)
      const socket = connect(Number(port), hostname).on('error', () => undefined)
      socket.write(`GET /healthz HTTP/1.1\r\n${hostLine(service)}\r\n${origin}\r\n`.repeat(600))
      await once(socket.resume(), 'close')
      service.app.server.off('request', begun)
      expect(begun.mock.calls.length).toBeLessThan(100)
    },
  )

  it('is logged as having left if it disconnects', async () => {
    const socket = await askForTheList()
    socket.destroy()
    const left = { msg: 'request broken off: the client has left', method: 'GET', tenant_id: school.tenantId }
    await vi.waitFor(
      () => expect(linesOf('/api/v1/students')).toContainEqual(expect.objectContaining(left)),
      { timeout: 10_000 },
    )
  })
})

it('slow and disconnected clients are logged no higher than info level', () => {
  expect(service.log().filter(({ level }) => Number(level) > 30)).toEqual([])
})
