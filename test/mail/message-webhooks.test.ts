import { Webhook } from 'standardwebhooks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { useOwnService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { type MailServer, refusal, startMailServer } from '../support/mail-server.ts'
import { until } from '../support/process.ts'
import { HERE } from '../support/use-outbox.ts'
import { hook, useWebhookDispatchers } from '../webhooks/dispatchers.ts'
import { day, useMessageOffice } from './message-office.ts'

const service = useOwnService({ webhookAllowedNetworks: HERE })
const office = useMessageOffice(service)
const { receive } = useWebhookDispatchers(service)
const SENDER = { events: ['message.send'] }
const LATER = '2099-03-01T12:05:00Z'
let server: MailServer | undefined

beforeEach(async () => {
  await office().send({ booked: true })
  await reachBy({ message_channel: 'webhook', phone: '030 5550145' })
})

afterEach(async () => {
  await office().close()
  await server?.close()
  server = undefined
})

async function reachBy(fields: object): Promise<void> {
  must(200, await office().school.client.patch(`/students/${office().student.id}`, fields))
}

/** Books a lesson and makes its message due. */
async function book(date = '2099-03-09'): Promise<void> {
  await office().lesson({ ...day(date), pickup_place: 'Bahnhof' })
  office().moveClock(LATER)
}

const states = async () => (await office().settled()).map(({ state, reason }) => [state, reason])

describe('a message to a student by webhook', () => {
  it('is a call if the number is not certain, which would be one of another country', async () => {
    const receiver = await receive()
    await hook(office().school, receiver.url, SENDER)
    await reachBy({ phone: '15112345678' })
    await book()
    office().hire(undefined)
    expect(await office().settled()).toMatchObject([{ state: 'waiting', channel: 'call' }])
    await reachBy({ phone: '015112345678' })
    await book('2099-03-10')
    office().moveClock('2099-03-01T12:10:00Z')
    const [message] = await receiver.receives(1)
    expect(JSON.parse(message?.body ?? '').data.to).toBe('+4915112345678')
  })

  it('is sent signed to the webhook of the school, even without mail configured', async () => {
    const receiver = await receive()
    const { secret } = await hook(office().school, receiver.url, SENDER)
    await book()
    office().hire(undefined)
    const [message] = await receiver.receives(1)
    const verified = new Webhook(secret).verify(
      message?.body ?? '',
      message?.headers as Record<string, string>,
    )
    const [listed] = await office().settled()
    expect(verified).toMatchObject({
      type: 'message.send',
      data: { id: listed?.id, kind: 'booked', to: '+49305550145', name: 'Lena Vogt', language: 'de' },
    })
    expect(message?.headers['webhook-id']).toBe(listed?.id)
    expect(verified).toMatchObject({ timestamp: listed?.send_at })
    expect(message?.body).toContain('Montag, 9. März 2099, 08:00–09:30')
    expect(message?.body).toContain('Treffpunkt: Bahnhof')
    expect(listed).toMatchObject({ state: 'sent', channel: 'webhook', to: '030 5550145', reason: null })
  })

  it('is dropped if the school has no such webhook, and a call if the student has no phone', async () => {
    const receiver = await receive()
    const { id } = await hook(office().school, receiver.url, { ...SENDER, disabled: true })
    await hook(office().school, receiver.url, { events: ['*'] })
    await book()
    office().hire(undefined)
    expect(await states()).toEqual([['dropped', 'no_webhook']])
    await office().school.client.patch(`/webhooks/${id}`, { disabled: false })
    await reachBy({ phone: null })
    await book('2099-03-10')
    expect((await office().settled()).at(-1)).toMatchObject({ state: 'waiting', channel: 'call' })
    expect(receiver.received).toEqual([])
  })

  it('fails with the status if the receiver rejects it', async () => {
    const receiver = await receive(() => ({ status: 422 }))
    await hook(office().school, receiver.url, SENDER)
    await book()
    office().hire(undefined)
    expect(await states()).toEqual([['failed', 'HTTP 422']])
    expect(receiver.received).toHaveLength(1)
  })

  it('is retried with the same id while the receiver fails, and delays no mail', async () => {
    let isUp = false
    const receiver = await receive(() => ({ status: isUp ? 204 : 503 }))
    await hook(office().school, receiver.url, SENDER)
    server = await startMailServer()
    const emma = await office().school.student({ email: 'emma@reader.example', messages_consent: true })
    await book()
    await office().lesson({ ...day('2099-03-10'), student_id: emma.id })
    office().moveClock('2099-03-01T12:06:00Z')
    office().hire(server)
    expect((await server.receives(1))[0]?.recipients).toEqual(['emma@reader.example'])
    const refused = { state: 'waiting', reason: 'HTTP 503' }
    await until(async () => (await office().messages('?state=waiting'))[0]?.reason !== null)
    expect(await office().messages('?state=waiting')).toMatchObject([refused])
    isUp = true
    office().moveClock('2099-03-01T12:07:00Z')
    await receiver.receives(2)
    expect(await states()).toEqual([
      ['sent', null],
      ['sent', null],
    ])
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  it("switches to the student's new channel while it waits", async () => {
    const receiver = await receive()
    await hook(office().school, receiver.url, SENDER)
    await office().lesson(day('2099-03-09'))
    expect(await office().messages()).toMatchObject([{ channel: 'webhook', to: '030 5550145' }])
    await reachBy({ message_channel: 'mail' })
    expect(await office().messages()).toMatchObject([{ channel: 'mail', to: 'lena@reader.example' }])
    office().moveClock(LATER)
    server = await startMailServer()
    office().hire(server)
    await server.receives(1)
    expect(receiver.received).toEqual([])
  })

  it('is sent while an earlier message by mail waits because the mail server is down', async () => {
    const receiver = await receive()
    await hook(office().school, receiver.url, SENDER)
    server = await startMailServer({ onMailFrom: (_, __, done) => done(refusal(421, 'away')) })
    const emma = await office().school.student({ email: 'emma@reader.example', messages_consent: true })
    await office().lesson({ ...day('2099-03-10'), student_id: emma.id })
    office().tick()
    await book()
    office().hire(server, { intervals: { firstPause: 600_000, longestPause: 600_000 } })
    await receiver.receives(1)
    await until(async () => (await office().messages('?state=sent')).length === 1)
    await expect
      .poll(() => office().messages('?state=waiting'))
      .toMatchObject([{ channel: 'mail', reason: expect.stringContaining('421') }])
  })

  it('is sent while a message by mail waits because no mail is configured', async () => {
    const receiver = await receive()
    await hook(office().school, receiver.url, SENDER)
    const emma = await office().school.student({ email: 'emma@reader.example', messages_consent: true })
    await office().lesson({ ...day('2099-03-10'), student_id: emma.id })
    await book()
    office().hire(undefined)
    await receiver.receives(1)
    await until(async () => (await office().messages('?state=sent')).length === 1)
    expect(await office().messages('?state=waiting')).toMatchObject([{ channel: 'mail' }])
  })
})
