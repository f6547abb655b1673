import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { CalendarParser } from '../../src/busy/parser.ts'
import { Addresses } from '../../src/webhooks/addresses.ts'
import { useService } from '../support/app.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { CERTIFICATE, KEY, type Received } from '../support/receiver.ts'
import { addCalendar, calendarOf, calendarWith, timesOf, useReaders } from './readers.ts'

const service = useService()
const { hire, serve } = useReaders(service)
const dnsServers: DnsServer[] = []
let school: School
let jonas: Row

beforeEach(async () => {
  school = await aSchool(service())
  jonas = await school.instructor()
})

afterEach(async () => {
  await Promise.all(dnsServers.splice(0).map((server) => server.close()))
})

const failure = async () => (await calendarOf(school, jonas))?.failure
const entry = (lines: string) => `BEGIN:VEVENT\r\nUID:x\r\n${lines}\r\nEND:VEVENT\r\n`
const whole = (entries: string) => `BEGIN:VCALENDAR\r\nVERSION:2.0\r\n${entries}END:VCALENDAR\r\n`
const MOMENT = 'DTSTART:20310101T000000Z\r\nDTEND:20310101T000001Z'

describe('the server of a calendar', () => {
  const answers: Readonly<Record<string, readonly [reply: (received: Received) => object, code: string]>> = {
    'that asks for a login is forbidden': [() => ({ status: 401 }), 'forbidden'],
    'that has no such calendar is not_found': [() => ({ status: 410 }), 'not_found'],
    'with an error is http_error': [() => ({ status: 503 }), 'http_error'],
    'that says unchanged without being asked is http_error': [() => ({ status: 304 }), 'http_error'],
    'with a page instead is not_a_calendar': [
      () => ({ status: 200, body: '<html></html>' }),
      'not_a_calendar',
    ],
    'that breaks off its calendar is incomplete': [
      () => ({ status: 200, body: calendarWith('10:00–11:00').slice(0, -16) }),
      'incomplete',
    ],
    'that breaks off its response is incomplete': [
      () => ({ status: 200, headers: { 'content-length': '9999' }, body: calendarWith() }),
      'incomplete',
    ],
    'that announces more than 5 MB is too_large': [
      () => ({ status: 200, headers: { 'content-length': '5242881' } }),
      'too_large',
    ],
    'that sends more than 5 MB is too_large': [
      () => ({ status: 200, body: `${calendarWith()}${' '.repeat(5_242_880)}` }),
      'too_large',
    ],
    'that redirects to plain HTTP is not_https': [
      () => ({ status: 302, headers: { location: 'http://127.0.0.1/' } }),
      'not_https',
    ],
    'that redirects with a password is not_https': [
      () => ({ status: 302, headers: { location: 'https://me:secret@127.0.0.1/' } }),
      'not_https',
    ],
    'that redirects into a private network is no_public_address': [
      () => ({ status: 307, headers: { location: 'https://169.254.169.254/' } }),
      'no_public_address',
    ],
    'that redirects in a circle has too_many_redirects': [
      ({ path }) => ({ status: 301, headers: { location: path } }),
      'too_many_redirects',
    ],
  }
  for (const [title, [reply, code]] of Object.entries(answers))
    it(title, async () => {
      const server = await serve((received) => reply(received) as { status: number })
      await addCalendar(service(), school, jonas, server.url)
      hire()
      await expect.poll(failure).toBe(code)
      expect(await timesOf(school, jonas)).toEqual([])
    })

  it('that sends its calendar by the byte is too_complex, and may send it by the line', async () => {
    const text = whole(entry(MOMENT).repeat(300))
    const lines = text.split(/(?<=\n)/)
    const parts = new Map([
      ['/bytes', [...text]],
      ['/lines', lines],
    ])
    const http = createSecureServer({ key: KEY, cert: CERTIFICATE }, async ({ url = '' }, response) => {
      const chunks = (parts.get(url) ?? []).map((part) => `${part.length.toString(16)}\r\n${part}\r\n`)
      response.socket?.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks.join('')}0\r\n\r\n`)
    })
    await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening))
    const { port } = http.address() as AddressInfo
    for (const path of parts.keys()) {
      await addCalendar(service(), school, jonas, `https://127.0.0.1:${port}${path}`)
    }
    hire()
    const states = async () =>
      (await school.client.get(`/instructors/${jonas.id}/busy-calendars`)).body.map(
        (one: Row) => one.failure ?? one.state,
      )
    await expect.poll(states).toEqual(['too_complex', 'ok'])
    http.close()
  })

  it('may redirect up to five times', async () => {
    const server = await serve(({ path }) => {
      const hop = Number(path.slice(1)) || 0
      return hop < 5
        ? { status: 302, headers: { location: `/${hop + 1}` } }
        : { status: 200, body: calendarWith('10:00–11:00') }
    })
    await addCalendar(service(), school, jonas, server.url)
    hire()
    await expect.poll(() => timesOf(school, jonas)).toEqual(['12:00–13:00'])
    expect(server.received).toHaveLength(6)
  })

  it('that does not answer in time is a timeout and delays no other school', async () => {
    const slow = await serve(() => new Promise(() => undefined))
    const quick = await serve(() => ({ status: 200, body: calendarWith('10:00–11:00') }))
    await addCalendar(service(), school, jonas, slow.url)
    const other = await aSchool(service())
    const theirs = await other.instructor()
    await addCalendar(service(), other, theirs, quick.url)
    hire({ intervals: { download: 2_000 } })
    await expect.poll(() => timesOf(other, theirs)).toEqual(['12:00–13:00'])
    await expect.poll(failure).toBe('timeout')
  })

  it('that is gone is unreachable', async () => {
    const server = await serve()
    await addCalendar(service(), school, jonas, server.url)
    await server.close()
    hire()
    await expect.poll(failure).toBe('unreachable')
  })

  it('in a private network gets no request, also if its name became private', async () => {
    const seen: string[] = []
    const http = createServer((request, response) => {
      seen.push(request.url ?? '')
      response.end()
    })
    await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening))
    const { port } = http.address() as AddressInfo
    const dns = await startDnsServer((name) => (name === 'receiver.example' ? ['127.0.0.1'] : []))
    dnsServers.push(dns)
    const server = await serve()
    for (const url of [`https://127.0.0.1:${port}/`, `https://receiver.example:${server.port}/`])
      await addCalendar(service(), school, jonas, url)
    hire({ addresses: new Addresses([], { servers: [dns.address] }) })
    const path = `/instructors/${jonas.id}/busy-calendars`
    await expect
      .poll(async () => (await school.client.get(path)).body.map((one: Row) => one.failure))
      .toEqual(['no_public_address', 'no_public_address'])
    expect([seen, server.received]).toEqual([[], []])
    http.close()
  })

  it('is reached at the address that was checked, even if DNS changes', async () => {
    let asked = 0
    const dns = await startDnsServer((name) => {
      if (name !== 'receiver.example') return []
      asked += 1
      // Only even-numbered queries, if there were any, would lead to the private server.
      return [asked % 2 ? '203.0.113.7' : '127.0.0.1']
    })
    dnsServers.push(dns)
    const server = await serve()
    await addCalendar(service(), school, jonas, `https://receiver.example:${server.port}/`)
    hire({ addresses: new Addresses([], { servers: [dns.address] }), intervals: { download: 500 } })
    await expect.poll(failure).toMatch(/timeout|unreachable/)
    expect(server.received).toEqual([])
  })
})

describe('a calendar made to harm', () => {
  const HARMFUL: Readonly<Record<string, () => string>> = {
    'an unbounded series of seconds': () => whole(entry(`${MOMENT}\r\nRRULE:FREQ=SECONDLY`)),
    'thousands of unbounded series': () =>
      whole(entry('DTSTART:20100101T000000Z\r\nDURATION:PT1M\r\nRRULE:FREQ=HOURLY').repeat(40_000)),
    'a million lines': () => whole(entry(`${MOMENT}\r\n${'X:\r\n'.repeat(1_000_000)}X:`)),
    'nested parts': () => whole('BEGIN:X\r\n'.repeat(150_000) + 'END:X\r\n'.repeat(150_000)),
  }
  const ENDLESS = new Set(['an unbounded series of seconds', 'thousands of unbounded series'])

  // Each file takes all the time it is given. The slow server above shows that other schools are not delayed.
  it('is parsed beside the event loop, and delays no next one', { tags: 'long' }, async () => {
    const parser = new CalendarParser()
    const facts = { timezone: 'Europe/Berlin', today: '2031-06-01', email: null }
    const never = new AbortController().signal
    const bytesOf = (text: string) => new TextEncoder().encode(text)
    const innocent = calendarWith('10:00–11:00')
    await parser.parse({ bytes: bytesOf(innocent), ...facts }, never)
    for (const [title, make] of Object.entries(HARMFUL)) {
      const bytes = bytesOf(make())
      expect(bytes.length, title).toBeLessThan(5_242_880)
      const before = [process.threadCpuUsage(), process.cpuUsage()]
      const result = await parser.parse({ bytes, ...facts }, never)
      const main = process.threadCpuUsage(before[0])
      const whole = process.cpuUsage(before[1])
      if (ENDLESS.has(title)) {
        expect(result, title).toEqual({ failure: 'too_complex' })
        // The thread has spent its whole time on it, and the main thread next to nothing.
        expect((main.user + main.system) * 4, title).toBeLessThan(whole.user + whole.system)
      }
      const next = await parser.parse({ bytes: bytesOf(innocent), ...facts }, never)
      expect(next, title).toEqual({ times: expect.stringMatching(/^\{\[.+\)\}$/) })
    }
    await parser.stop()
  })
})
