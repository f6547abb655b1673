import { randomBytes, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { useOwnService } from '../support/app.ts'
import { type Answer, anAddress, Client } from '../support/client.ts'
import { aSchool, aUser, logIn, PASSWORD, type School } from '../support/factory.ts'
import { bearer } from '../support/session.ts'

const service = useOwnService({ loginLimits: { perAccountAndAddress: 3, perAccount: 5, perAddress: 8 } })
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

function attempt(email: string, password: string, address: string): Promise<Answer> {
  return from(address).post('/auth/login', { email, password })
}

function from(address: string): Client {
  return new Client(service(), { 'x-forwarded-for': address })
}

async function aMail(): Promise<string> {
  return (await aUser(service(), school.tenantId)).email
}

/** Returns the prefix of a /64 that no other test uses. */
function aPrefix(): string {
  return `2001:db8:${randomBytes(2).toString('hex')}:${randomBytes(2).toString('hex')}`
}

function within(prefix: string): string {
  return `${prefix}:${['a', 'b', 'c', 'd'].map(() => randomBytes(2).toString('hex')).join(':')}`
}

/** Uses up an account's limit over all networks, each attempt from a new one. */
async function attack(email: string): Promise<void> {
  for (let time = 0; time < 5; time += 1) {
    expect((await attempt(email, 'wrong', within(aPrefix()))).status).toBe(401)
  }
  expect((await attempt(email, PASSWORD, within(aPrefix()))).status).toBe(429)
}

/** Moves the user's last login from each network into the past. */
async function age(email: string, days: number): Promise<void> {
  await sql`update login_addresses set last_login_at = last_login_at - make_interval(days => ${days})
    where user_id = (select id from users where email = ${email})`.execute(service().db)
}

describe('the addresses of one IPv6 /64', () => {
  it('share the limit per account and address', async () => {
    const [email, prefix] = [await aMail(), aPrefix()]
    for (let time = 0; time < 3; time += 1) {
      expect((await attempt(email, 'wrong', within(prefix))).status).toBe(401)
    }
    expect((await attempt(email, PASSWORD, within(prefix))).status).toBe(429)
    expect((await attempt(email, PASSWORD, within(aPrefix()))).status).toBe(200)
  })

  it('share the limit per address', async () => {
    const prefix = aPrefix()
    for (let time = 0; time < 8; time += 1) {
      expect((await attempt(`${randomUUID()}@school.example`, 'wrong', within(prefix))).status).toBe(401)
    }
    expect((await attempt(await aMail(), PASSWORD, within(prefix))).status).toBe(429)
  })

  it('cannot exhaust the limit per account', async () => {
    const [email, prefix] = [await aMail(), aPrefix()]
    for (let time = 0; time < 20; time += 1) await attempt(email, 'wrong', within(prefix))
    expect((await attempt(email, PASSWORD, anAddress())).status).toBe(200)
  })

  it('share a limit in any notation, as do IPv4 and IPv4-mapped addresses', async () => {
    const [email, prefix, address] = [await aMail(), aPrefix(), anAddress()]
    const spellings = [`${prefix.toUpperCase()}::1`, `${prefix}::2%eth0`, `${prefix}:0:0:0:3`]
    for (const spelling of spellings) expect((await attempt(email, 'wrong', spelling)).status).toBe(401)
    expect((await attempt(email, PASSWORD, within(prefix))).status).toBe(429)

    const other = await aMail()
    for (const spelling of [address, `::ffff:${address}`, `::FFFF:${address}`]) {
      expect((await attempt(other, 'wrong', spelling)).status).toBe(401)
    }
    expect((await attempt(other, PASSWORD, address)).status).toBe(429)
  })
})

describe('the victim of an attack from many networks (S7)', () => {
  it('can log in from another address of the /64 of an earlier login', async () => {
    const [email, home] = [await aMail(), aPrefix()]
    expect((await attempt(email, PASSWORD, within(home))).status).toBe(200)
    await attack(email)
    expect((await attempt(email, PASSWORD, within(home))).status).toBe(200)
  })

  it('can log in from the network of the last refresh, even 40 days after the login', async () => {
    const [email, office, hotel] = [await aMail(), within(aPrefix()), anAddress()]
    const { refresh_token } = await logIn(from(office), email)
    await age(email, 40)
    const { body, status } = await from(hotel).post('/auth/refresh', { refresh_token })
    expect(status).toBe(200)
    await attack(email)
    expect((await attempt(email, PASSWORD, office)).status).toBe(429)
    expect((await attempt(email, PASSWORD, hotel)).status).toBe(200)
    expect((await from(anAddress()).get('/auth/me', bearer(body.token))).status).toBe(200)
  })

  it('cannot log in from a network where a used refresh token was rejected', async () => {
    const [email, thief] = [await aMail(), anAddress()]
    const { refresh_token } = await logIn(from(anAddress()), email)
    await from(anAddress()).post('/auth/refresh', { refresh_token })
    expect((await from(thief).post('/auth/refresh', { refresh_token })).status).toBe(401)
    await attack(email)
    expect((await attempt(email, PASSWORD, thief)).status).toBe(429)
  })
})
