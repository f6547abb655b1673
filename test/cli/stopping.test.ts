import { once as event } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { statusOf } from '../support/client.ts'
import { enter, PASSWORD, type Row } from '../support/factory.ts'
import { complaintsOf, isListening, JWT_SECRET, once, until } from '../support/process.ts'
import { execute, onPostgres, sharedDatabase } from './fresh-database.ts'
import { useSandbox } from './sandbox.ts'
import { makeSchool } from './school.ts'

const sandbox = useSandbox()
const school = once(() => makeSchool(sandbox, onPostgres()))

describe.concurrent('a stopping service', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'on %s closes its port, finishes running requests and exits with 0 (S101, F16)',
    async (signal) => {
      const { user } = await school()
      const { service, url } = await sandbox.serve(onPostgres())
      const login = await halfLogin(url, user.email, PASSWORD)
      const readiness = await halfGet(url, '/readyz')
      expect(await statusOf(url, '/healthz')).toBe(200)
      service.signal(signal)
      await stopsListening(url)
      expect(service.isRunning).toBe(true)
      expect(await readiness.finish()).toMatch(/^HTTP\/1\.1 503 [\s\S]*"code":"unavailable"/)
      const answer = await login.finish()
      expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\n.*"token"/m)
      expect(await service.exited).toMatchObject({ code: 0, out: expect.stringContaining(`"${signal}"`) })
      expect(answer).toMatch(/^connection: close\r$/im)
    },
  )

  it('first returns 503 on /readyz, without an alarm, and Connection: close on open connections', async () => {
    const { service, url } = await sandbox.serve(onPostgres())
    const clients = Array.from({ length: 8 }, () => new KeepAlive(url))
    for (const client of clients) expect(await client.get('/healthz')).toMatchObject({ status: 200 })
    service.signal('SIGTERM')
    await until(async () => (await statusOf(url, '/readyz')) === 503)
    const answers = await Promise.all(clients.map((client) => client.get('/healthz')))
    expect(answers).toEqual(clients.map(() => ({ status: 200, connection: 'close', isReused: true })))
    expect(await service.exited).toMatchObject({ code: 0, out: expect.not.stringMatching(/"level":[56]0/) })
  })

  it('exits earlier without clients than with a connected one', async () => {
    const [{ service: idle }, { service: connected, url }] = [
      await sandbox.serve(onPostgres()),
      await sandbox.serve(onPostgres()),
    ]
    expect(await new KeepAlive(url).get('/healthz')).toMatchObject({ status: 200 })
    connected.signal('SIGTERM')
    await until(async () => (await statusOf(url, '/readyz')) === 503)
    idle.signal('SIGTERM')
    expect(await Promise.race([idle.exited, connected.exited.then(() => 'the other one')])).toMatchObject({
      code: 0,
    })
    expect(await connected.exited).toMatchObject({ code: 0 })
  })

  it('under load responds to every booking that it stores (F16, I11)', async () => {
    const { service, url } = await sandbox.serve(onPostgres())
    const loaded = await enter({ url }, await makeSchool(sandbox, onPostgres()))
    const instructors = await Promise.all(Array.from({ length: 8 }, () => loaded.instructor()))
    const answered: string[] = []
    const book = async (instructor_id: string) => {
      for (let day = 1; day <= 28; day += 1) {
        const date = `2031-02-${String(day).padStart(2, '0')}`
        const lesson = { instructor_id, start_at: `${date} 08:00`, end_at: `${date} 08:45` }
        const answer = await loaded.book(lesson).catch(() => undefined)
        if (!answer) return
        expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 201 })
        answered.push(answer.body.id)
        if (answered.length === 20) service.signal('SIGTERM')
      }
    }
    await Promise.all(instructors.map(({ id }) => book(id)))
    expect(await service.exited).toMatchObject({ code: 0 })
    const { url: next } = await sandbox.serve(onPostgres())
    const stored = await (await enter({ url: next }, loaded)).client.get('/appointments')
    expect(stored.body.map(({ id }: Row) => id).toSorted()).toEqual(answered.toSorted())
  })

  it('exits with 1 on a second signal (F17)', async () => {
    const { service, url } = await sandbox.serve(onPostgres())
    const hung = await halfLogin(url, 'anna@school.example', PASSWORD)
    service.signal('SIGTERM')
    await stopsListening(url)
    expect(service.isRunning).toBe(true)
    service.signal('SIGINT')
    expect(await service.exited).toMatchObject({ code: 1 })
    hung.abandon()
  })

  it('does not wait for a request that hangs (F17)', async () => {
    const { service, url } = await sandbox.serve(onPostgres())
    const hung = await halfLogin(url, 'anna@school.example', PASSWORD)
    service.signal('SIGTERM')
    await stopsListening(url)
    expect(await service.exited).toMatchObject({ code: 0 })
    hung.abandon()
  })

  it('does not wait for a client that does not read its response (S89)', async () => {
    const { service, url } = await sandbox.serve(onPostgres())
    const { client, tenantId } = await enter({ url }, await makeSchool(sandbox, onPostgres()))
    await execute(sharedDatabase().owner, studentsWithLongNotes(tenantId))
    const headers = { ...client.headers, 'accept-encoding': 'identity' }
    const unread = await fetch(`${url}/api/v1/students`, { headers })
    service.signal('SIGTERM')
    expect(await service.exited).toMatchObject({ code: 0, signal: null })
    expect(
      await unread
        .text()
        .then(JSON.parse)
        .catch(() => 'cut off'),
    ).toBe('cut off')
  })

  it('prints no error if it is stopped during startup, and the next start succeeds (F17)', async () => {
    const DATA_DIR = await sandbox.dataDir()
    // A service that got far enough prints how to set it up, which is not an error.
    const isComplaint = (line: string) => !line.startsWith('There is no driving school yet')
    for (const moment of [350, 400, 800, 1200]) {
      const service = sandbox.start(['serve'], { DATA_DIR, JWT_SECRET, PORT: '0' })
      await new Promise((resolve) => setTimeout(resolve, moment))
      service.signal('SIGTERM')
      expect(complaintsOf(await service.exited).filter(isComplaint)).toEqual([])
    }
    const { service, url } = await sandbox.serve({ DATA_DIR })
    expect(await statusOf(url, '/readyz')).toBe(200)
    expect((await service.stop()).code).toBe(0)
  })

  it('prints no error if it is stopped as soon as it listens', async () => {
    const { service } = await sandbox.serve(onPostgres())
    const exit = await service.stop()
    expect(complaintsOf(exit)).toEqual([])
    expect(exit.code).toBe(0)
  })
})

/** Returns SQL for students whose list is larger than the kernel's buffers. */
function studentsWithLongNotes(tenantId: string): string {
  return `with calendar as (
      insert into calendars (tenant_id, id, kind)
      select '${tenantId}', gen_random_uuid(), 'student' from generate_series(1, 6000) returning id)
    insert into students (tenant_id, id, first_name, last_name, notes)
    select '${tenantId}', id, 'x', 'x', repeat('x', 5000) from calendar`
}

async function stopsListening(url: string): Promise<void> {
  await until(async () => !(await isListening(Number(new URL(url).port))))
}

/** A request whose last bytes are not sent yet: it stays in flight as long as a test needs. */
class HalfSent {
  readonly #socket: Socket
  readonly #rest: string
  #answer = ''

  constructor(socket: Socket, rest: string) {
    this.#socket = socket
    this.#rest = rest
    socket.on('data', (chunk) => {
      this.#answer += chunk
    })
    socket.on('error', () => undefined)
  }

  /** Waits until the response contains `words`. */
  async hears(words: string): Promise<void> {
    while (!this.#answer.includes(words)) {
      if (this.#socket.destroyed) throw new Error(`the connection was closed after "${this.#answer}"`)
      await Promise.race([event(this.#socket, 'data'), event(this.#socket, 'close')])
    }
  }

  /** Sends the rest. Returns everything received until the connection was closed. */
  async finish(): Promise<string> {
    if (this.#socket.destroyed) return this.#answer
    const closed = event(this.#socket, 'close')
    this.#socket.write(this.#rest)
    await closed
    return this.#answer
  }

  abandon(): void {
    this.#socket.destroy()
  }
}

/** Sends a GET without the end of its headers. */
function halfGet(url: string, page: string): Promise<HalfSent> {
  return halfSent(url, `GET ${page} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n`, '\r\n')
}

/** Sends a login without its body. The service has accepted it and waits for the rest. */
async function halfLogin(url: string, email: string, password: string): Promise<HalfSent> {
  const body = JSON.stringify({ email, password })
  const head = [
    'POST /api/v1/auth/login HTTP/1.1',
    `Host: ${new URL(url).host}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Expect: 100-continue',
  ]
  const login = await halfSent(url, `${head.join('\r\n')}\r\n\r\n`, body)
  await login.hears('100 Continue')
  return login
}

async function halfSent(url: string, first: string, rest: string): Promise<HalfSent> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  await event(socket, 'connect')
  socket.write(first)
  return new HalfSent(socket, rest)
}

/** The response on a client's only connection, and whether the request reused it. */
type PageAnswer = {
  readonly status: number | undefined
  readonly connection: string | undefined
  readonly isReused: boolean
}

/** A client that keeps its one connection open between requests, as proxies do. */
class KeepAlive {
  readonly #url: string
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 })

  constructor(url: string) {
    this.#url = url
  }

  /** Gets a page. Throws if the connection is reset. */
  async get(page: string): Promise<PageAnswer> {
    return new Promise((resolve, reject) => {
      const request = get(`${this.#url}${page}`, { agent: this.#agent }, (answer: IncomingMessage) => {
        const { statusCode: status, headers } = answer
        answer.resume()
        answer.once('end', () =>
          resolve({ status, connection: headers.connection, isReused: request.reusedSocket }),
        )
      })
      request.once('error', reject)
    })
  }
}
