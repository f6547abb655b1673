import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useOwnService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { senderOf } from '../support/device.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { until } from '../support/process.ts'
import type { Receiver } from '../support/receiver.ts'
import type { StudentBrowser } from '../support/student-browser.ts'
import { useWebhookDispatchers } from '../webhooks/dispatchers.ts'
import { day, PUSH_KEYS, useMessageOffice } from './message-office.ts'
import { openBrowser, subscribe, WITH_CONTACT } from './push-office.ts'

const service = useOwnService(WITH_CONTACT)
const office = useMessageOffice(service)
const { receive } = useWebhookDispatchers(service)
const LATER = '2099-03-01T12:05:00Z'
let server: MailServer
let browser: StudentBrowser

beforeEach(async () => {
  await office().send({ booked: true, moved: true, cancelled: true })
  browser = await openBrowser(service(), office())
  server = await startMailServer()
})

afterEach(async () => {
  await office().close()
  await server.close()
})

async function book(date = '2099-03-09'): Promise<{ readonly id: string }> {
  const lesson = await office().lesson(day(date))
  office().moveClock(LATER)
  return lesson
}

const outcomes = async () => (await office().settled()).map(({ state, channel, to }) => [state, channel, to])
const BY_MAIL = ['sent', 'mail', 'lena@reader.example']

async function devices(): Promise<number> {
  const { student } = office()
  const rows = await service()
    .db.selectFrom('push_subscriptions')
    .select('endpoint')
    .where('student_id', '=', student.id)
    .execute()
  return rows.length
}

function pushService(...statuses: readonly number[]): Promise<Receiver> {
  let at = 0
  return receive(() => ({ status: statuses[Math.min(at++, statuses.length - 1)] ?? 201 }))
}

/** Advances the clock attempt by attempt until all messages are sent. */
async function retried(): Promise<void> {
  await until(async () => {
    office().tick()
    return (await office().messages('?state=waiting')).length === 0
  })
}

describe('a message to a student with a device', () => {
  it('is pushed encrypted and signed, instead of mailed', async () => {
    const push = await pushService(201)
    const device = await subscribe(browser, push)
    await book()
    expect(await office().messages()).toMatchObject([{ state: 'waiting', channel: 'push', to: null }])
    office().hire(server)
    expect(await outcomes()).toEqual([['sent', 'push', null]])
    const [sent] = await push.receives(1)
    if (!sent || !PUSH_KEYS) throw new Error('nothing was sent')
    const [listed] = await office().messages()
    const shown = device.read(sent)
    expect(shown).toMatchObject({ id: listed?.id, lang: 'de' })
    expect(shown.title).toContain('Ihr Termin am Montag, 9. März 2099, 08:00–09:30')
    expect(shown.body).toContain('Jonas')
    expect(`${shown.title}${shown.body}`).not.toMatch(/Vogt|reader\.example/)
    const { aud, sub } = await senderOf(sent, PUSH_KEYS.publicKey)
    expect({ aud, sub }).toEqual({ aud: new URL(push.url).origin, sub: PUSH_KEYS.subject })
    expect(sent.headers.ttl).toBe(String(3 * 86_400 - 5 * 60))
    expect(sent.headers.topic).toBe(listed?.id.replaceAll('-', ''))
    expect(server.received).toEqual([])
  })

  it.each([404, 410])('is mailed, and the device removed, if the push service returns %i', async (status) => {
    const push = await pushService(status)
    await subscribe(browser, push)
    await book()
    office().hire(server)
    expect(await outcomes()).toEqual([BY_MAIL])
    expect(push.received).toHaveLength(1)
    expect(await devices()).toBe(0)
  })

  it('is mailed, and the device kept, if the push service returns 403', async () => {
    const push = await pushService(403)
    await subscribe(browser, push)
    await book()
    office().hire(server)
    expect(await outcomes()).toEqual([BY_MAIL])
    expect(push.received).toHaveLength(1)
    expect(await devices()).toBe(1)
  })

  it('is retried while the push service returns 503 or 429', async () => {
    const push = await pushService(503, 429, 201)
    await subscribe(browser, push)
    await book()
    office().hire(server)
    await retried()
    expect(push.received).toHaveLength(3)
    expect(await outcomes()).toEqual([['sent', 'push', null]])
    expect(new Set(push.received.map(({ headers }) => headers.topic)).size).toBe(1)
    expect(server.received).toEqual([])
  })

  it('is mailed after five failed attempts to push it', async () => {
    const push = await pushService(503)
    await subscribe(browser, push)
    await book()
    office().hire(server)
    await retried()
    expect(await outcomes()).toEqual([BY_MAIL])
    expect(push.received).toHaveLength(5)
  })

  it('is mailed if the push service redirects, which is not followed', async () => {
    const other = await pushService(201)
    const push = await receive(() => ({ status: 307, headers: { location: other.url } }))
    await subscribe(browser, push)
    await book()
    office().hire(server)
    await retried()
    expect(await outcomes()).toEqual([BY_MAIL])
    expect(other.received).toEqual([])
  })

  it('fails with the reason if the student has no email address', async () => {
    must(200, await office().school.client.patch(`/students/${office().student.id}`, { email: null }))
    await subscribe(browser, await pushService(413))
    await book()
    office().hire(server)
    expect(await office().settled()).toMatchObject([{ state: 'failed', channel: 'push', reason: 'HTTP 413' }])
  })

  it('is pushed to every device, and is sent if one of them accepts it', async () => {
    const [one, other] = [await pushService(201), await pushService(410)]
    await subscribe(browser, one)
    await subscribe(browser, other)
    await book()
    office().hire(server)
    expect(await outcomes()).toEqual([['sent', 'push', null]])
    expect([one.received.length, other.received.length]).toEqual([1, 1])
    expect(await devices()).toBe(1)
  })

  it('is dropped instead of retried if the lesson has been cancelled', async () => {
    let isDown = true
    const push = await receive(() => ({ status: isDown ? 503 : 201 }))
    const device = await subscribe(browser, push)
    const { id } = await book()
    const dispatcher = office().hire(server, { intervals: { longestPause: 600_000, firstPause: 600_000 } })
    await push.receives(1)
    await until(async () => (await office().messages())[0]?.reason !== null)
    await office().school.client.post(`/appointments/${id}/cancel`, { by: 'school' })
    isDown = false
    office().moveClock('2099-03-01T12:30:00Z')
    await dispatcher.stop()
    office().hire(server)
    expect(await outcomes()).toEqual([['dropped', 'push', null]])
    expect(push.received.map((sent) => device.read(sent).title)).toHaveLength(1)
  })

  it('waits until quiet hours end', async () => {
    await office().send({ quiet: { from: '12:00', to: '14:30' } })
    const push = await pushService(201)
    await subscribe(browser, push)
    await book()
    office().hire(server)
    expect(await office().settled()).toMatchObject([
      { state: 'waiting', send_at: '2099-03-01T13:30:00.000Z' },
    ])
    office().moveClock('2099-03-01T13:31:00Z')
    await push.receives(1)
    expect(await outcomes()).toEqual([['sent', 'push', null]])
  })

  it('is sent again with the same topic if a process died before recording it as sent', async () => {
    const push = await pushService(201)
    await subscribe(browser, push)
    await book()
    const dispatcher = office().hire(server)
    await until(async () => (await office().messages('?state=sent')).length === 1)
    await dispatcher.stop()
    const { db } = service()
    await db.updateTable('messages').set({ state: 'waiting', finished_at: null }).execute()
    office().moveClock('2099-03-01T12:10:00Z')
    office().hire(server)
    await push.receives(2)
    expect(await outcomes()).toEqual([['sent', 'push', null]])
    expect(new Set(push.received.map(({ headers }) => headers.topic)).size).toBe(1)
  })

  it('switches to push while it waits, and back to mail when the student unsubscribes', async () => {
    await office().lesson(day('2099-03-09'))
    expect(await office().messages()).toMatchObject([{ channel: 'mail', to: 'lena@reader.example' }])
    const { endpoint } = await subscribe(browser, await pushService(201))
    expect(await office().messages()).toMatchObject([{ channel: 'push', to: null }])
    expect((await browser.pressMessages({ act: 'unsubscribe', endpoint })).status).toBe(303)
    expect(await office().messages()).toMatchObject([{ channel: 'mail', to: 'lena@reader.example' }])
  })

  it('may be a reminder that was dropped before, because the student had no address', async () => {
    await office().send({ booked: false, reminder: true, reminder_hours: [24] })
    must(200, await office().school.client.patch(`/students/${office().student.id}`, { email: null }))
    await office().lesson(day('2099-03-09'))
    expect(await office().messages()).toMatchObject([{ state: 'dropped', reason: 'no_address' }])
    await subscribe(browser, await pushService(201))
    expect(await office().messages('?state=waiting')).toMatchObject([{ kind: 'reminder', channel: 'push' }])
  })

  it('is logged without the endpoint of the device', async () => {
    const lines: string[] = []
    const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) })
    const push = await pushService(503)
    const { endpoint } = await subscribe(browser, push)
    await book()
    office().hire(server, { log })
    await retried()
    expect(lines.join('')).toContain('message_delayed')
    expect(lines.join('')).not.toContain(new URL(endpoint).pathname)
    expect(JSON.stringify(service().log())).not.toContain(new URL(endpoint).pathname)
  })
})
