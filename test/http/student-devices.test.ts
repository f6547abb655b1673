import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MAX_DEVICES } from '../../src/db/messages/push-subscriptions.ts'
import { subscribe, WITH_CONTACT } from '../mail/push-office.ts'
import { useOwnService } from '../support/app.ts'
import { Client, must } from '../support/client.ts'
import { Device } from '../support/device.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { formOf, StudentBrowser } from '../support/student-browser.ts'

const BIRTH = { birth_date: '2008-04-12' }

const service = useOwnService(WITH_CONTACT)
let school: School
let student: Row
let browser: StudentBrowser
let push: Receiver

beforeEach(async () => {
  push = await startReceiver()
  school = await aSchool(service())
  student = await school.student({ messages_consent: true, ...BIRTH })
  await allow({ messages: { reminder: true }, student_actions: { proof: 'none' } })
  browser = await StudentBrowser.open(service(), school, student)
})

afterEach(() => push.close())

async function allow(fields: object): Promise<void> {
  must(200, await school.client.patch('/tenant', fields))
}

async function endpoints(): Promise<readonly string[]> {
  const { db } = service()
  const rows = await db
    .selectFrom('push_subscriptions')
    .select('endpoint')
    .where('student_id', '=', student.id)
    .orderBy('created_at')
    .execute()
  return rows.map(({ endpoint }) => endpoint)
}

const press = (fields: Readonly<Record<string, string>>) =>
  browser.pressMessages({ act: 'subscribe', ...fields })

describe("the push subscription of a student's device", () => {
  it('is offered if the school sends messages to students and the student consents', async () => {
    const offered = async () => [
      (await browser.list()).text.includes('/messages?'),
      (await browser.lookAtMessages()).status,
    ]
    expect(await offered()).toEqual([true, 200])
    await allow({ messages: { reminder: false, day_plan: true } })
    expect(await offered()).toEqual([false, 404])
    await allow({ messages: { reminder: true } })
    must(200, await school.client.patch(`/students/${student.id}`, { messages_consent: false }))
    expect(await offered()).toEqual([false, 404])
  })

  it('is made on a page that runs only its own script', async () => {
    const { headers, text } = await browser.lookAtMessages()
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none';.*;script-src 'sha256-[\w+/=]+';worker-src 'self';connect-src 'self'$/,
    )
    expect(text).toContain('Nachrichten auf dieses Gerät')
    expect(text.match(/<script/g)).toHaveLength(1)
  })

  it('requires the verification, also on a forwarded link', async () => {
    await allow({ student_actions: { proof: 'birth_date' } })
    const page = await browser.lookAtMessages()
    expect(page.text).not.toContain('<script')
    expect((await press(new Device(push).fields)).status).toBe(403)
    expect(await endpoints()).toEqual([])
    expect((await browser.pressMessages({ ...formOf(page, 'prove'), ...BIRTH, act: 'prove' })).status).toBe(
      303,
    )
    const { endpoint } = await subscribe(browser, push)
    expect(await endpoints()).toEqual([endpoint])
    expect((await browser.forwardedTo(service()).lookAtMessages()).text).not.toContain('<script')
  })

  it('is created and deleted by the button, and logged with the student as actor', async () => {
    const { endpoint, fields } = await subscribe(browser, push)
    expect((await press(fields)).status).toBe(303)
    expect(await endpoints()).toEqual([endpoint])
    expect((await browser.pressMessages({ act: 'unsubscribe', endpoint })).status).toBe(303)
    expect(await endpoints()).toEqual([])
    const changes = must(200, await school.client.get('/changes?resource=student_link')) as unknown as Row[]
    expect(changes).toMatchObject([
      { action: 'changed', actor: { kind: 'student' }, before: { devices: 1 }, after: { devices: 0 } },
      { action: 'changed', actor: { kind: 'student' }, before: { devices: 0 }, after: { devices: 1 } },
      { action: 'created', actor: { kind: 'user' } },
    ])
    expect(JSON.stringify(changes)).not.toContain(endpoint)
  })

  it('is kept for the five latest devices only', async () => {
    const devices: string[] = []
    for (let at = 0; at < MAX_DEVICES + 2; at += 1) devices.push((await subscribe(browser, push)).endpoint)
    expect(await endpoints()).toEqual(devices.slice(-MAX_DEVICES))
  })

  it.each([
    ['an endpoint over plain HTTP', { endpoint: 'http://127.0.0.1/push' }],
    ['a private address', { endpoint: 'https://10.0.0.1/push' }],
    ['an IPv6 loopback address', { endpoint: 'https://[::1]/push' }],
    ['an unknown host name', { endpoint: 'https://nobody.invalid/push' }],
    ['credentials in the endpoint', { endpoint: 'https://me:secret@127.0.0.1/push' }],
    ['an endpoint that is not a URL', { endpoint: 'push' }],
    ['an endpoint that is too long', { endpoint: `https://127.0.0.1/${'a'.repeat(1000)}` }],
    [
      'a key off the curve',
      { p256dh: Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url') },
    ],
    ['a short key', { p256dh: 'BAAA' }],
    ['a short secret', { auth: 'AAAA' }],
    ['a secret outside the base64url alphabet', { auth: '+'.repeat(22) }],
  ])('is rejected with 400 for %s', async (_, fields) => {
    expect((await press({ ...new Device(push).fields, ...fields })).status).toBe(400)
    expect(await endpoints()).toEqual([])
  })

  it('is rejected from a cross-site form (403), and after too many submissions (429)', async () => {
    const foreign = { 'sec-fetch-site': 'cross-site' }
    const { fields } = new Device(push)
    expect((await browser.pressMessages({ act: 'subscribe', ...fields }, foreign)).status).toBe(403)
    expect(await endpoints()).toEqual([])
    const statuses: number[] = []
    for (let at = 0; at < 31; at += 1) statuses.push((await press({ endpoint: '' })).status)
    expect(statuses.at(-1)).toBe(429)
  })

  it.each([
    ['the deletion of the link', () => school.client.delete(`/students/${student.id}/link`)],
    ['a new link', () => school.client.post(`/students/${student.id}/link`)],
    ['the deletion of the student', () => school.client.delete(`/students/${student.id}`)],
  ])('ends with %s', async (_, end) => {
    await subscribe(browser, push)
    expect((await end()).status).toBeLessThan(300)
    expect(await endpoints()).toEqual([])
    expect((await press(new Device(push).fields)).status).toBe(404)
    expect(await endpoints()).toEqual([])
  })
})

describe('the page of a student', () => {
  it('has a manifest limited to its own path, and a worker that may fetch nothing', async () => {
    const client = new Client(service())
    const manifest = await client.get(`${browser.path}.webmanifest?lang=en`)
    expect(manifest.headers.get('content-type')).toContain('application/manifest+json')
    const path = browser.path.replace(/^\/+/, '/')
    expect(manifest.body).toMatchObject({ id: path, start_url: path, scope: path, display: 'standalone' })
    expect(manifest.text).not.toContain('Vogt')
    const worker = await client.get(`${browser.path}/worker.js`)
    expect(worker.headers.get('content-type')).toContain('text/javascript')
    expect(worker.headers.get('content-security-policy')).toBe("default-src 'none'")
    for (const path of ['.webmanifest', '/worker.js', '/messages'])
      expect((await client.get(`//s/${'A'.repeat(65)}${path}`)).status).toBe(404)
  })
})
