import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { inTransaction } from '../../src/db/connection/transaction.ts'
import { putMail } from '../../src/db/messages/mails.ts'
import { useService } from '../support/app.ts'
import { aSchool } from '../support/factory.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { until } from '../support/process.ts'
import { mailsIn, onlyMail, put, soon, useMailDispatchers } from './outbox.ts'

const service = useService()
const hire = useMailDispatchers(service)
let server: MailServer

afterEach(() => server.close())

const URL_OF_LINK = "https://fahrplan.example/x?a=1&b='2'#3/VGVzdA-_VGVzdA"

it('an invitation is sent in the language of the school, as text and as HTML', async () => {
  server = await startMailServer()
  const { tenantId } = await aSchool(service(), { name: 'Fahrschule Müller & Söhne <Köln>' })
  await put(service(), tenantId, {
    to: { address: 'joerg@reader.example', name: 'Jörg Weiß' },
    worth_until: new Date('2098-01-02T11:30:00Z'),
    template: 'invitation',
    params: { inviter: 'Änne "Anna" Öztürk', url: URL_OF_LINK },
  })
  hire(server.config)
  const [mail] = await server.receives(1)
  expect(mail?.recipients).toEqual(['joerg@reader.example'])
  expect(mail?.parsed).toMatchObject({
    subject: 'Fahrschule Müller & Söhne <Köln>: Ihr Zugang zu Fahrplan',
    from: { value: [{ address: 'noreply@school.example', name: 'Fahrschule Müller & Söhne <Köln>' }] },
    to: { value: [{ address: 'joerg@reader.example', name: 'Jörg Weiß' }] },
  })
  const text = mail?.parsed.text ?? ''
  expect(text).toContain('Guten Tag Jörg Weiß,')
  expect(text).toContain('Änne "Anna" Öztürk hat für Sie')
  expect(text).toContain(`\n${URL_OF_LINK}\n`)
  // At 12:30 on the school's clock.
  expect(text).toContain('bis zum 2. Januar 2098 um 12:30')
  const html = mail?.parsed.html || ''
  expect(html).toContain('Fahrschule Müller &amp; Söhne &lt;Köln&gt;')
  expect(html).toContain('href="https://fahrplan.example/x?a=1&amp;b=&#39;2&#39;#3/VGVzdA-_VGVzdA"')
  expect(html).not.toContain('<Köln>')
  expect(html).not.toMatch(/<img|<link|<script|src=|url\(/i)
  expect(mail?.parsed.attachments).toEqual([])
})

it('a password reset is sent in English if the language of the school is not supported', async () => {
  server = await startMailServer()
  const { tenantId } = await aSchool(service(), { locale: 'es', name: 'Autoescuela' })
  await put(service(), tenantId)
  hire(server.config)
  const [mail] = await server.receives(1)
  expect(mail?.parsed.subject).toBe('Autoescuela: a new password for Fahrplan')
  expect(mail?.parsed.text).toContain('Hello Änne,')
  expect(mail?.parsed.html).toContain('<html lang="en" dir="ltr">')
})

it('a password reset of a French school is in French', async () => {
  server = await startMailServer()
  const { tenantId } = await aSchool(service(), { locale: 'fr-CH', country: 'CH', name: 'Auto-école' })
  await put(service(), tenantId)
  hire(server.config)
  const [mail] = await server.receives(1)
  expect(mail?.parsed.subject).toBe('Auto-école\u00a0: nouveau mot de passe pour Fahrplan')
  expect(mail?.parsed.text).toContain('Bonjour Änne,')
  expect(mail?.source).toMatch(/^Content-Language: fr\r?$/m)
})

it.each([
  [
    'a name with line breaks',
    { name: 'Eve\r\nBcc: victim@reader.example\u2028X: y', address: 'eve@reader.example' },
  ],
  ['a name that looks like an address', { name: '"a" <b@reader.example>, c', address: 'eve@reader.example' }],
  ['an address with quotes', { name: 'Eve', address: '"x,y"@reader.example' }],
  ['an address with brackets', { name: 'Eve', address: '<victim@reader.example>' }],
])('%s cannot inject a header or add a recipient', async (_, to) => {
  server = await startMailServer()
  const { tenantId } = await aSchool(service(), { name: 'School\nBcc: victim@reader.example' })
  await put(service(), tenantId, { to })
  hire(server.config)
  await until(async () => (await mailsIn(service())).every(({ state }) => state !== 'waiting'))
  const headers = server.received.map(({ source }) => source.slice(0, source.indexOf('\r\n\r\n')))
  expect(headers.filter((head) => /^(?:bcc|x):/im.test(head))).toEqual([])
  const recipients = server.received.flatMap((mail) => mail.recipients)
  expect([[], [to.address.replace(/[<>]/g, '')]]).toContainEqual(recipients)
  expect(server.received.flatMap(({ parsed }) => parsed.bcc ?? [])).toEqual([])
})

it.each(['two@a.example@b.example', 'a@b.example\r\nRCPT TO:<c@d.example>', 'nobody', ''])(
  'a mail to %j is rejected',
  async (address) => {
    server = await startMailServer()
    const { tenantId } = await aSchool(service())
    await expect(put(service(), tenantId, { to: { address, name: 'Eve' } })).rejects.toThrow('e-mail address')
    expect(await mailsIn(service())).toEqual([])
  },
)

it('a mail of a transaction that is rolled back is not sent', async () => {
  server = await startMailServer()
  const { tenantId } = await aSchool(service())
  const to = { address: 'never@reader.example', name: 'Nobody' }
  const mail = { to, worth_until: soon(), template: 'password_reset', params: { url: 'https://x' } } as const
  const failing = inTransaction(service().db, async (db) => {
    await putMail(db, tenantId, mail)
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  const address = await put(service(), tenantId)
  hire(server.config)
  await server.receives(1)
  expect(server.received.map(({ recipients }) => recipients)).toEqual([[address]])
})

it('the content of a mail is deleted once it is sent', async () => {
  server = await startMailServer()
  const { tenantId } = await aSchool(service())
  await put(service(), tenantId)
  const before = await sql`select 1 from mails where mails::text like '%secret-secret%'`.execute(service().db)
  hire(server.config)
  const sent = await onlyMail(service(), 'sent')
  expect(sent).toMatchObject({ params: null, attempts: 1, last_error: null, claimed_until: null })
  const after = await sql`select 1 from mails where mails::text like '%secret-secret%'`.execute(service().db)
  expect([before.rows.length, after.rows.length]).toEqual([1, 0])
})

it('three dispatchers on one database send each mail once', async () => {
  server = await startMailServer()
  const { tenantId } = await aSchool(service())
  const addresses: string[] = []
  for (let count = 0; count < 40; count += 1) addresses.push(await put(service(), tenantId))
  const mailDispatchers = [hire(server.config), hire(server.config), hire(server.config)]
  await until(async () => (await mailsIn(service())).every(({ state }) => state === 'sent'))
  expect(server.received.flatMap(({ recipients }) => recipients).toSorted()).toEqual(addresses.toSorted())
  expect(mailDispatchers.reduce((sum, { counts }) => sum + counts.sent, 0)).toBe(40)
})
