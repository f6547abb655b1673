import { afterEach, describe, expect, it } from 'vitest'
import { Addresses } from '../../src/webhooks/addresses.ts'
import { useService } from '../support/app.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { aSchool, type Row } from '../support/factory.ts'
import { deliveriesOf, hook, useWebhookDispatchers } from './dispatchers.ts'

const service = useService()
const { hire, receive } = useWebhookDispatchers(service)
const servers: DnsServer[] = []

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

/** Returns addresses that a DNS server with one name resolves. `zone` gets the number of the query. */
async function addressesBy(zone: (asked: number) => readonly string[] | undefined): Promise<Addresses> {
  let asked = 0
  const server = await startDnsServer((name) => {
    if (name !== 'receiver.example') return []
    asked += 1
    return zone(asked)
  })
  servers.push(server)
  return new Addresses([], { servers: [server.address] })
}

describe('the name of a receiver', () => {
  it('is rejected with no_public_address if any of its addresses is private or it has none', async () => {
    const addresses = async (...found: string[]) => (await addressesBy(() => found)).of('receiver.example')
    expect(await addresses('203.0.113.7', '1.1.1.1')).toHaveLength(2)
    for (const found of [['127.0.0.1'], ['203.0.113.7', '10.0.0.1'], ['169.254.169.254', '203.0.113.7']])
      await expect(addresses(...found)).rejects.toThrow('no_public_address')
    await expect(addresses()).rejects.toThrow('no_public_address')
    const some = await addressesBy(() => ['203.0.113.7'])
    for (const host of ['localhost', 'localhost.', 'other.example'])
      await expect(some.of(host), host).rejects.toThrow('no_public_address')
  })
})

describe('an unresponsive DNS server', () => {
  it('is not awaited once the attempt is aborted', async () => {
    const asked = Promise.withResolvers<void>()
    const attempt = new AbortController()
    const addresses = await addressesBy(() => void asked.resolve())
    const looking = addresses.of('receiver.example', attempt.signal)
    await asked.promise
    attempt.abort()
    await expect(looking).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
  })

  it('is neither awaited beyond the limit nor queried again', async () => {
    const questions: string[] = []
    const server = await startDnsServer((name) => void questions.push(name))
    servers.push(server)
    const addresses = new Addresses([], { servers: [server.address], limit: 100 })
    await expect(addresses.of('receiver.example')).rejects.toThrow('no_public_address')
    expect(questions.length).toBeLessThanOrEqual(2)
  })
})

describe('each delivery', () => {
  it('is not sent to a name that has become private, and records no_public_address', async () => {
    const school = await aSchool(service())
    const receiver = await receive()
    const made = await hook(school, `https://203.0.113.7:${receiver.port}/`, { events: ['webhook.*'] })
    await rename(made, `https://receiver.example:${receiver.port}/`)
    hire({ addresses: await addressesBy(() => ['127.0.0.1']) })
    await expect
      .poll(() => deliveriesOf(school, made))
      .toMatchObject([{ state: 'waiting', status: null, error: 'no_public_address' }])
    expect(receiver.received).toEqual([])
  })

  it('is not sent to a name that no longer resolves', async () => {
    const school = await aSchool(service())
    const made = await hook(school, 'https://203.0.113.7/', { events: ['webhook.*'] })
    await rename(made, 'https://gone.example/')
    hire({ addresses: await addressesBy(() => []) })
    await expect.poll(() => deliveriesOf(school, made)).toMatchObject([{ error: 'no_public_address' }])
  })

  it('connects to the address that was checked, even if DNS changes', async () => {
    const school = await aSchool(service())
    const receiver = await receive()
    const made = await hook(school, 'https://203.0.113.7/', { events: ['webhook.*'] })
    await rename(made, `https://receiver.example:${receiver.port}/`)
    // Even-numbered queries, if there were any, would lead to the receiver.
    hire({
      addresses: await addressesBy((asked) => [asked % 2 ? '203.0.113.7' : '127.0.0.1']),
      intervals: { send: 300 },
    })
    await expect.poll(async () => (await deliveriesOf(school, made))[0]?.attempts).toBeGreaterThan(0)
    expect(receiver.received).toEqual([])
  })
})

/** Gives a webhook a name that the service's DNS cannot resolve. */
async function rename({ id }: Row, url: string): Promise<void> {
  await service().db.updateTable('webhooks').set({ url }).where('id', '=', id).execute()
}
