import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService, type TestService, useService } from '../support/app.ts'
import { anAddress, Client, type Headings } from '../support/client.ts'
import { aSchool, aUser, PASSWORD, type School } from '../support/factory.ts'

const service = useService()
let unproxied: TestService
let school: School

beforeAll(async () => {
  school = await aSchool(service())
  const loginLimits = { perAccountAndAddress: 3, perAccount: 50, perAddress: 1_000_000 }
  unproxied = await startService(service().db, { trustProxy: [], loginLimits })
})
afterAll(() => unproxied.close())

async function aMail(): Promise<string> {
  return (await aUser(service(), school.tenantId)).email
}

async function status(to: TestService, email: string, password: string, headers: Headings): Promise<number> {
  return (await new Client(to, headers).post('/auth/login', { email, password })).status
}

/** Stores failures of this moment, as other requests would have. */
async function seedFailures(count: number, row: () => { account: string; address: string }): Promise<void> {
  await service()
    .db.insertInto('login_failures')
    .values(Array.from({ length: count }, row))
    .execute()
}

const SPOOFS: readonly (readonly [string, () => Headings])[] = [
  ['X-Forwarded-For', () => ({ 'x-forwarded-for': anAddress() })],
  ['a chain of X-Forwarded-For', () => ({ 'x-forwarded-for': `${anAddress()}, ${anAddress()}, 127.0.0.1` })],
  ['X-Real-IP', () => ({ 'x-real-ip': anAddress() })],
  ['Forwarded', () => ({ forwarded: `for=${anAddress()}` })],
  [
    'X-Client-IP and more',
    () => ({ 'x-client-ip': anAddress(), 'cf-connecting-ip': anAddress(), via: anAddress() }),
  ],
]

describe('a service without a trusted proxy', () => {
  it.each(SPOOFS)('throttles an attacker who spoofs %s (S5)', async (_, spoof) => {
    const email = await aMail()
    const statuses: number[] = []
    for (let time = 0; time < 5; time += 1) statuses.push(await status(unproxied, email, 'wrong', spoof()))
    expect(statuses).toEqual([401, 401, 401, 429, 429])
    expect(await status(unproxied, email, PASSWORD, spoof())).toBe(429)
  })
})

describe('a service behind a trusted proxy', () => {
  it('uses the address that the proxy saw, not one that the client sent (S5)', async () => {
    const [email, address] = [await aMail(), anAddress()]
    const spoof = () => ({ 'x-forwarded-for': `${anAddress()}, ${address}` })
    for (let time = 0; time < 10; time += 1)
      expect(await status(service(), email, 'wrong', spoof())).toBe(401)
    expect(await status(service(), email, PASSWORD, spoof())).toBe(429)
    expect(await status(service(), email, PASSWORD, { 'x-forwarded-for': anAddress() })).toBe(200)
  })

  it.each(SPOOFS.slice(2))('throttles an attacker who spoofs %s (S5)', async (_, spoof) => {
    const [email, address] = [await aMail(), anAddress()]
    await seedFailures(9, () => ({ account: email, address }))
    const headers = () => ({ ...spoof(), 'x-forwarded-for': address })
    expect(await status(service(), email, 'wrong', headers())).toBe(401)
    expect(await status(service(), email, PASSWORD, headers())).toBe(429)
  })
})

describe('an invalid client address', () => {
  it.each([
    ['rubbish', () => 'rubbish'],
    ['a quote', () => "'"],
    ['commas', () => ',,'],
    ['8000 random letters', () => randomBytes(4000).toString('hex')],
  ])('does not break the login: %s', async (_, address) => {
    const headers = { 'x-forwarded-for': address() }
    expect(await status(service(), await aMail(), 'wrong', headers)).toBe(401)
    expect(await status(service(), await aMail(), PASSWORD, headers)).toBe(200)
  })
})

describe('the default limit of failed logins', () => {
  it('is 10 per account and address', async () => {
    const [email, address] = [await aMail(), anAddress()]
    const headers = { 'x-forwarded-for': address }
    for (let time = 0; time < 10; time += 1)
      expect(await status(service(), email, 'wrong', headers)).toBe(401)
    expect(await status(service(), email, PASSWORD, headers)).toBe(429)
  })

  it('is 50 per account', async () => {
    const email = await aMail()
    await seedFailures(49, () => ({ account: email, address: anAddress() }))
    expect(await status(service(), email, 'wrong', { 'x-forwarded-for': anAddress() })).toBe(401)
    expect(await status(service(), email, PASSWORD, { 'x-forwarded-for': anAddress() })).toBe(429)
  })

  it('is 100 per address', async () => {
    const headers = { 'x-forwarded-for': anAddress() }
    await seedFailures(99, () => ({ account: randomUUID(), address: headers['x-forwarded-for'] }))
    expect(await status(service(), await aMail(), 'wrong', headers)).toBe(401)
    expect(await status(service(), await aMail(), PASSWORD, headers)).toBe(429)
  })
})
