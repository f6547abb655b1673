import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService, type TestService, useOwnService } from '../support/app.ts'
import { type Answer, anAddress, Client } from '../support/client.ts'
import { aSchool, aUser, PASSWORD, type School } from '../support/factory.ts'

const loginLimits = { perAccountAndAddress: 3, perAccount: 5, perAddress: 8 }
const service = useOwnService({ loginLimits })
let replica: TestService
let school: School

beforeAll(async () => {
  school = await aSchool(service())
  replica = await startService(service().db, { loginLimits })
})
afterAll(() => replica.close())

function attempt(email: string, password: string, address: string, to = service()): Promise<Answer> {
  return new Client(to, { 'x-forwarded-for': address }).post('/auth/login', { email, password })
}

async function fail(times: number, email: string, address: string): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    expect((await attempt(email, 'wrong', address)).status).toBe(401)
  }
}

async function aMail(): Promise<string> {
  return (await aUser(service(), school.tenantId)).email
}

/** Moves the failures of an account into the past. */
async function age(email: string, minutes: number): Promise<void> {
  await sql`update login_failures set failed_at = failed_at - make_interval(mins => ${minutes})
    where account = ${email}`.execute(service().db)
}

function expectThrottled(answer: Answer): void {
  expect([answer.status, answer.body.code]).toEqual([429, 'too_many_requests'])
  const seconds = Number(answer.headers.get('retry-after'))
  expect(Number.isInteger(seconds)).toBe(true)
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(900)
  expect(answer.headers.getSetCookie()).toEqual([])
  expect(answer.headers.has('www-authenticate')).toBe(false)
}

describe('failed logins to an account from one address', () => {
  it('lead to 429 after the limit, even for the right password (S4)', async () => {
    const [email, address] = [await aMail(), anAddress()]
    await fail(3, email, address)
    expectThrottled(await attempt(email, 'wrong', address))
    expectThrottled(await attempt(email, PASSWORD, address))
  })

  it('are also counted for an unknown account', async () => {
    const address = anAddress()
    await fail(3, 'nobody.at.all@school.example', address)
    expectThrottled(await attempt('nobody.at.all@school.example', 'wrong', address))
  })

  it('are counted together for any spelling of the email address', async () => {
    const [email, address] = [await aMail(), anAddress()]
    await fail(1, email, address)
    await fail(1, email.toUpperCase(), address)
    await fail(1, ` ${email} `, address)
    expectThrottled(await attempt(email, PASSWORD, address))
  })

  it('do not lock out other networks or other accounts', async () => {
    const [email, address] = [await aMail(), anAddress()]
    await fail(3, email, address)
    expect((await attempt(email, PASSWORD, anAddress())).status).toBe(200)
    expect((await attempt(await aMail(), PASSWORD, address)).status).toBe(200)
  })

  it('expire after 15 minutes (S4)', async () => {
    const [email, address] = [await aMail(), anAddress()]
    await fail(3, email, address)
    await age(email, 14)
    const refused = await attempt(email, PASSWORD, address)
    expectThrottled(refused)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    await age(email, 1)
    expect((await attempt(email, PASSWORD, address)).status).toBe(200)
  })

  it('expire one by one', async () => {
    const [email, address] = [await aMail(), anAddress()]
    await fail(1, email, address)
    await age(email, 10)
    await fail(2, email, address)
    expect(Number((await attempt(email, 'wrong', address)).headers.get('retry-after'))).toBeLessThanOrEqual(
      300,
    )
    await age(email, 5)
    await fail(1, email, address)
    expectThrottled(await attempt(email, PASSWORD, address))
  })

  it('are not extended by attempts that get 429', async () => {
    const [email, address] = [await aMail(), anAddress()]
    await fail(3, email, address)
    await age(email, 14)
    for (let time = 0; time < 5; time += 1) expectThrottled(await attempt(email, 'wrong', address))
    await age(email, 1)
    expect((await attempt(email, PASSWORD, address)).status).toBe(200)
  })

  it('are counted across all replicas', async () => {
    const [email, address] = [await aMail(), anAddress()]
    await fail(2, email, address)
    expect((await attempt(email, 'wrong', address, replica)).status).toBe(401)
    expectThrottled(await attempt(email, PASSWORD, address))
    expectThrottled(await attempt(email, PASSWORD, address, replica))
  })

  it('exceed the limit by at most three in 30 concurrent attempts', async () => {
    const [email, address] = [await aMail(), anAddress()]
    const guesses = Array.from({ length: 30 }, () => attempt(email, 'wrong', address))
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(3 + 3)
  })
})

describe('the limit of failed logins', () => {
  it('does not count successful logins (S4)', async () => {
    const [email, address] = [await aMail(), anAddress()]
    await fail(2, email, address)
    for (let time = 0; time < 10; time += 1) {
      expect((await attempt(email, PASSWORD, address)).status).toBe(200)
    }
    await fail(1, email, address)
    expectThrottled(await attempt(email, PASSWORD, address))
  })

  it('does not count invalid requests', async () => {
    const [email, address] = [await aMail(), anAddress()]
    const client = new Client(service(), { 'x-forwarded-for': address })
    for (let time = 0; time < 4; time += 1) {
      expect((await client.post('/auth/login', { email, password: 5 })).status).toBe(400)
    }
    expect((await attempt(email, PASSWORD, address)).status).toBe(200)
  })
})

describe('failed logins to an account from many addresses', () => {
  async function attack(email: string): Promise<void> {
    for (let time = 0; time < 5; time += 1) await fail(1, email, anAddress())
  }

  it('lead to 429 after the limit, from any address', async () => {
    const email = await aMail()
    await attack(email)
    expectThrottled(await attempt(email, PASSWORD, anAddress()))
    expect((await attempt(await aMail(), PASSWORD, anAddress())).status).toBe(200)
  })

  it('do not lock out its user on a network of an earlier login (S7)', async () => {
    const [email, home] = [await aMail(), anAddress()]
    expect((await attempt(email, PASSWORD, home)).status).toBe(200)
    await attack(email)
    expect((await attempt(email, PASSWORD, home)).status).toBe(200)
    for (let time = 0; time < 3; time += 1) expectThrottled(await attempt(email, 'wrong', home))
    expectThrottled(await attempt(email, PASSWORD, home))
  })

  it('do not reveal on a familiar network whether the account exists (S1)', async () => {
    const [email, home] = [await aMail(), anAddress()]
    await attempt(email, PASSWORD, home)
    const answersFor = async (account: string) => {
      await attack(account)
      const answers: unknown[] = []
      for (let time = 0; time < 5; time += 1) {
        const { status, body, headers } = await attempt(account, 'wrong', home)
        answers.push([status, body.code, headers.has('retry-after')])
      }
      return answers
    }
    expect(await answersFor(email)).toEqual(await answersFor(`${randomUUID()}@school.example`))
  })

  it('lock out a network whose last login was over 30 days ago or by another user', async () => {
    const [email, home] = [await aMail(), anAddress()]
    await attempt(email, PASSWORD, home)
    await attempt(await aMail(), PASSWORD, home)
    await sql`update login_addresses set last_login_at = now() - interval '30 days 1 minute'
      where address = ${home} and user_id = (select id from users where email = ${email})`.execute(
      service().db,
    )
    await attack(email)
    expectThrottled(await attempt(email, PASSWORD, home))
  })
})

it.each(['reset of ', 'link ', 'invitation by '])(
  'a login name with the prefix "%s" does not count toward another limit',
  async (kind) => {
    const [email, address] = [await aMail(), anAddress()]
    await fail(3, `${kind}${email}`, address)
    const client = new Client(service(), { 'x-forwarded-for': address })
    for (let time = 0; time < 3; time += 1)
      expect((await client.post('/auth/password-resets', { email })).status).toBe(202)
  },
)

describe('failed logins from one address', () => {
  it('lead to 429 after the limit, for any account (S6)', async () => {
    const [email, address] = [await aMail(), anAddress()]
    await attempt(email, PASSWORD, address)
    for (let time = 0; time < 8; time += 1) await fail(1, `guess-${time}-${address}@school.example`, address)
    expectThrottled(await attempt(await aMail(), PASSWORD, address))
    expectThrottled(await attempt(email, PASSWORD, address))
    expect((await attempt(email, PASSWORD, anAddress())).status).toBe(200)
  })
})
