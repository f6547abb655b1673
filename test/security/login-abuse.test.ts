import { beforeAll, describe, expect, it } from 'vitest'
import { inTurn } from '../../src/auth/password.ts'
import { useOwnService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { aSchool, logIn, PASSWORD, type School } from '../support/factory.ts'
import { aUserWithPassword, setUserDisabled } from '../support/session.ts'

const loginLimits = { perAccountAndAddress: 1_000, perAccount: 1_000, perAddress: 1_000 }
const service = useOwnService({ loginLimits })
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

/** Measures the processor time of a rejected login in microseconds. Unlike a clock, it excludes other processes. */
async function workFor(client: Client, email: string, password: string): Promise<number> {
  const before = process.cpuUsage()
  expect((await client.post('/auth/login', { email, password })).status).toBe(401)
  const { user, system } = process.cpuUsage(before)
  return user + system
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}

describe('a rejected login', () => {
  it('takes similar CPU time for an unknown address, a disabled user and a wrong password (S2, S3)', async () => {
    const client = new Client(service())
    const { email } = await aUserWithPassword(service(), school.tenantId, PASSWORD)
    const disabled = await aUserWithPassword(service(), school.tenantId, PASSWORD)
    await setUserDisabled(service(), school.tenantId, disabled.id, true)
    const work = { known: [] as number[], unknown: [] as number[], disabled: [] as number[] }
    for (let round = 0; round < 25; round += 1) {
      work.known.push(await workFor(client, email, 'wrong'))
      work.unknown.push(await workFor(client, 'nobody.here@school.example', 'wrong'))
      work.disabled.push(await workFor(client, disabled.email, PASSWORD))
    }
    for (const other of [median(work.unknown), median(work.disabled)]) {
      expect(other / median(work.known)).toBeGreaterThan(0.6)
      expect(other / median(work.known)).toBeLessThan(1.7)
    }
  })
})

describe('a login with query syntax', () => {
  it.each([
    [`' or 1=1--`],
    [`'; delete from users--`],
    [`" or ""="`],
    ['%'],
    ['\\'],
    ['$1'],
    ['*'],
    [`{"$ne":null}`],
    ['admin@example.com'],
  ])('gets 401 for %s as the address or the password (S14)', async (text) => {
    const client = new Client(service())
    expect((await client.post('/auth/login', { email: text, password: text })).status).toBe(401)
    const email = school.user.email.replace(/^.{8}/, text)
    expect((await client.post('/auth/login', { email, password: PASSWORD })).status).toBe(401)
    expect((await client.post('/auth/login', { email: school.user.email, password: text })).status).toBe(401)
    expect((await client.post('/auth/login', { email: school.user.email, password: PASSWORD })).status).toBe(
      200,
    )
  })
})

describe('a flood of logins', () => {
  it('does not block other requests (S11)', async () => {
    let answered = 0
    const flood = Array.from({ length: 60 }, async (_, index) => {
      const login = { email: `flood-${index}@school.example`, password: 'x' }
      const { status } = await new Client(service()).post('/auth/login', login)
      answered += 1
      return status
    })
    expect((await new Client(service()).get('//healthz')).status).toBe(200)
    expect((await school.client.get('/auth/me')).status).toBe(200)
    expect(answered).toBeLessThan(60)
    expect(new Set(await Promise.all(flood))).toEqual(new Set([401]))
  })

  it('has at most four passwords hashed concurrently, while further logins wait (S11)', async () => {
    const { free, running } = occupyPlaces(10)
    let isAnswered = false
    const login = logIn(new Client(service()), school.user.email).then(() => {
      isAnswered = true
    })
    for (let time = 0; time < 20; time += 1) await school.client.get('/auth/me')
    expect(running()).toBe(4)
    expect(isAnswered).toBe(false)
    free()
    await login
  })

  it('gets 503 with Retry-After when the queue is full, and 200 afterwards (S11)', async () => {
    const { free } = occupyPlaces(5_000)
    const login = { email: school.user.email, password: PASSWORD }
    const answer = await new Client(service()).post('/auth/login', login)
    free()
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable'])
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(answer.headers.getSetCookie()).toEqual([])
    expect((await new Client(service()).post('/auth/login', login)).status).toBe(200)
  })

  it('with passwords of 1 MB is rejected before anything is hashed (S9)', async () => {
    const client = new Client(service())
    const body = { email: school.user.email, password: 'x'.repeat(1_000_000) }
    const { free } = occupyPlaces(10)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        client.post('/auth/login', body).then(
          ({ status }) => status,
          () => 'closed',
        ),
      ),
    )
    free()
    for (const answer of answers) expect([413, 'closed']).toContain(answer)
  })
})

/** Takes the places for hashing and waits for more in the queue, as concurrent logins would. */
function occupyPlaces(count: number): { free: () => void; running: () => number } {
  const { promise, resolve } = Promise.withResolvers<void>()
  let running = 0
  const work = () => {
    running += 1
    return promise
  }
  for (let place = 0; place < count; place += 1) inTurn(work).catch(() => undefined)
  return { free: resolve, running: () => running }
}
