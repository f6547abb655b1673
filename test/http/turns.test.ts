import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { TIMEOUTS } from '../../src/http/load/deadlines.ts'
import { boundsFor } from '../../src/http/load/fair-queue.ts'
import { startService, type TestService, useService } from '../support/app.ts'
import { type Answer, Client } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'
import { addStudents, beginReading } from '../support/long-list.ts'
import { times } from '../support/races.ts'
import { aLogin } from '../support/session.ts'
import { hostLine } from '../support/wire.ts'

const LINE = 5
const usual = useService()
let service: TestService
let impatient: TestService
let noisy: School
let quiet: School

beforeAll(async () => {
  const { db } = usual()
  // The limit of a school among others. Alone, it could have more.
  const bounds = { running: atOnce(), runningOfOne: atOnce(), waitingOfOne: LINE, waitingOfNetwork: LINE }
  service = await startService(db, {}, { ...TIMEOUTS, turn: 8_000 }, bounds)
  impatient = await startService(db, {}, { ...TIMEOUTS, turn: 10 }, bounds)
  noisy = await aSchool(service)
  quiet = await aSchool(service)
})
afterAll(() => Promise.all([service.close(), impatient.close()]))

const atOnce = () => boundsFor(usual().db.pool.options.max).runningOfOne
const read = (school: School) => school.client.get('/lesson-types')
const told = ({ status, headers, body }: Answer) => [status, headers.get('retry-after'), body.code]
const REFUSED = [503, '1', 'unavailable']

/** Takes all database connections until the returned function is called. */
async function holdDatabase(): Promise<() => void> {
  const { pool } = service.db
  const clients = await Promise.all(times(pool.options.max, () => pool.connect()))
  return () => {
    for (const client of clients) client.release()
  }
}

const untilWaiting = (count: number, { turns } = service) =>
  vi.waitFor(() => expect(turns().waiting).toBe(count), { timeout: 20_000 })

/** Waits until the school has all its turns again. This takes longer if its session has to be read first. */
async function requireAllTurns(): Promise<void> {
  await vi.waitFor(
    async () => {
      await read(noisy)
      expect([service.turns().running, service.turns().waiting]).toEqual([0, 0])
      const answers = await Promise.all(times(atOnce() + LINE, () => read(noisy)))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    },
    { timeout: 20_000 },
  )
}

describe('a school with more requests than its queue holds', () => {
  it('gets 503 for the rest immediately, and does not delay another school (S93, S95)', async () => {
    const letGo = await holdDatabase()
    const order: string[] = []
    const answered = times(atOnce() + LINE, async () => {
      const { status } = await read(noisy)
      order.push('noisy')
      return status
    })
    await untilWaiting(LINE)
    // All connections are taken, so these requests are rejected without a query.
    const refused = await Promise.all(times(3, () => read(noisy)))
    expect(refused.map(told)).toEqual(refused.map(() => REFUSED))
    const other = read(quiet).finally(() => order.push('quiet'))
    await untilWaiting(LINE + 1)
    letGo()
    expect((await other).status).toBe(200)
    expect(await Promise.all(answered)).toEqual(answered.map(() => 200))
    // The quiet school gets the first turn that is released, so a noisy request is last.
    expect(order.at(-1)).toBe('noisy')
    await requireAllTurns()
  })

  it('is logged in one load_shed line, not in one for each request', async () => {
    const school = await aSchool(service)
    const letGo = await holdDatabase()
    const answered = times(atOnce() + LINE, () => read(school))
    await untilWaiting(LINE)
    const ids = (await Promise.all(times(4, () => read(school)))).map(({ headers }) =>
      headers.get('x-request-id'),
    )
    letGo()
    await Promise.all(answered)
    const ofSchool = service.log().filter((line) => line.tenant_id === school.tenantId)
    expect(ofSchool.filter(({ event }) => event === 'load_shed')).toMatchObject([{ level: 40, requests: 1 }])
    const lines = service.log().filter((line) => ids.includes(String(line.request_id)))
    expect(lines.map(({ msg, status }) => [msg, status])).toEqual(ids.map(() => ['request', 503]))
  })

  it('gets 503 for a request that has waited too long (S93)', async () => {
    const own = new Client(impatient, noisy.client.headers)
    const readLate = () => own.get('/lesson-types')
    expect((await readLate()).status).toBe(200)
    const letGo = await holdDatabase()
    const running = times(atOnce(), readLate)
    await vi.waitFor(() => expect(impatient.turns().running).toBe(atOnce()), { timeout: 10_000 })
    expect(told(await readLate())).toEqual(REFUSED)
    expect(impatient.turns().waiting).toBe(0)
    letGo()
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual(running.map(() => 200))
  })
})

describe('a turn', () => {
  it('is released after a response of any status', async () => {
    const { id } = await noisy.student()
    const { headers } = await noisy.client.get('/instructors')
    const questions: Readonly<Record<number, () => Promise<Answer>>> = {
      200: () => noisy.client.get('/auth/me'),
      304: () => noisy.client.get('/instructors', { 'if-none-match': headers.get('etag') ?? '' }),
      400: () => noisy.client.get('/students?no=such'),
      404: () => noisy.client.get('/students/01890000-0000-7000-8000-000000000000'),
      412: () => noisy.client.patch(`/students/${id}`, { notes: 'x' }, { 'if-match': '"0"' }),
      204: async () => noisy.client.delete(`/students/${(await noisy.student()).id}`),
    }
    for (const [status, ask] of Object.entries(questions)) {
      for (const _ of times(atOnce() + 1, Number)) {
        expect((await ask()).status).toBe(Number(status))
      }
    }
    await requireAllTurns()
  })

  it('is released if the client disconnects while waiting or being served (F25)', async () => {
    // The requests of a new session need no database before their turn.
    const school = await aSchool(service)
    await read(school)
    const letGo = await holdDatabase()
    const sockets = times(atOnce() + LINE, () => ask(school, '/lesson-types'))
    await untilWaiting(LINE)
    for (const socket of sockets) socket.destroy()
    await untilWaiting(0)
    // Running requests continue without a client, but not for ever.
    expect(service.turns().running).toBe(atOnce())
    letGo()
    await requireAllTurns()
  })

  it('is not held while a long response is sent (S86)', async () => {
    await addStudents(service, noisy, 8_000)
    const readers = await Promise.all(times(atOnce() + 1, () => beginReading(service, noisy, '/students')))
    await requireAllTurns()
    const lists = await Promise.all(readers.map(({ rest }) => rest()))
    for (const list of lists) expect(JSON.parse(list).length).toBeGreaterThanOrEqual(8_000)
    await requireAllTurns()
  })
})

function ask({ client }: School, path: string): Socket {
  const { hostname, port } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  const lines = [
    `GET /api/v1${path} HTTP/1.1`,
    hostLine(service),
    `Authorization: ${client.headers.authorization}`,
  ]
  socket.write([...lines, '', ''].join('\r\n'))
  return socket
}

describe('a network that fills the queue of requests without a school', () => {
  const flood = new Client({
    get url() {
      return service.url
    },
  })
  const unknown = () => flood.post('/auth/refresh', { refresh_token: 'unknown' })

  it('gets 503 for the rest, but does not block passkey logins or valid refreshes (S95)', async () => {
    const { client, refreshToken } = await aLogin(service, quiet.tenantId)
    const behindTheSameProxy = new Client(service, flood.headers)
    const letGo = await holdDatabase()
    const answered = times(atOnce() + LINE, () => unknown())
    await untilWaiting(LINE)
    expect(told(await unknown())).toEqual(REFUSED)
    const options = await behindTheSameProxy.post('/auth/login/passkey/options')
    expect(options.status).toBe(200)
    const unauthenticated = client.post('/auth/refresh', { refresh_token: 'unknown' })
    const known = behindTheSameProxy.post('/auth/refresh', { refresh_token: refreshToken })
    await untilWaiting(LINE + 2)
    letGo()
    expect([(await unauthenticated).status, (await known).status]).toEqual([401, 200])
    expect((await Promise.all(answered)).map(({ status }) => status)).toEqual(answered.map(() => 401))
    await requireAllTurns()
  })

  it('gets 503 for a forged refresh token, too', async () => {
    const { refreshToken } = await aLogin(service, quiet.tenantId)
    const forged = refreshToken.slice(0, -22) + 'x'.repeat(22)
    const letGo = await holdDatabase()
    const answered = times(atOnce() + LINE, () => unknown())
    await untilWaiting(LINE)
    expect(told(await flood.post('/auth/refresh', { refresh_token: forged }))).toEqual(REFUSED)
    letGo()
    await Promise.all(answered)
    await requireAllTurns()
  })
})
