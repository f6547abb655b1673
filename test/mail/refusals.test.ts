import { createServer } from 'node:net'
import { pino } from 'pino'
import { afterEach, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool } from '../support/factory.ts'
import { type MailServer, refusal, startMailServer } from '../support/mail-server.ts'
import { until } from '../support/process.ts'
import { mailsIn, onlyMail, put, useMailDispatchers } from './outbox.ts'

const service = useService()
const hire = useMailDispatchers(service)
let server: MailServer | undefined

afterEach(async () => {
  await server?.close()
  server = undefined
})

const LINK = 'https://fahrplan.example/reset#secret-secret-secret-secret'

it('a mail that is temporarily rejected is retried with growing pauses and sent once', async () => {
  let refusals = 0
  server = await startMailServer({}, () => {
    if (refusals++ < 3) throw refusal(451, `greylisted: <a@reader.example> ${LINK}`)
  })
  const { tenantId } = await aSchool(service())
  await put(service(), tenantId)
  const lines: string[] = []
  const log = pino({}, { write: (line) => void lines.push(line) })
  hire(server.config, { firstPause: 8, longestPause: 16 }, log)
  const mail = await onlyMail(service(), 'sent')
  expect(mail).toMatchObject({ attempts: 4, params: null, last_error: null })
  expect(server.received).toHaveLength(1)
  const logged = lines.map((line) => JSON.parse(line))
  expect(logged.map(({ event, retry_in_seconds }) => [event, retry_in_seconds])).toEqual([
    ['mail_delayed', 0.008],
    ['mail_delayed', 0.016],
    ['mail_delayed', 0.016],
    ['mail_sent', undefined],
  ])
  expect(logged[0]).toMatchObject({ mail_id: mail.id, tenant_id: tenantId, template: 'password_reset' })
  expect(logged[0].reason).toContain('451')
  expect(lines.join()).not.toMatch(/secret-secret|reader\.example/)
})

it.each([
  [
    'the recipient',
    {
      onRcptTo: (_: unknown, __: unknown, done: (error: Error) => void) => done(refusal(550, 'no such user')),
    },
    undefined,
  ],
  [
    'the message',
    {},
    () => {
      throw refusal(554, `looks like spam: ${LINK}`)
    },
  ],
] as const)(
  'a permanent rejection of %s gives up the mail, records the reason and deletes the content',
  async (_, options, judge) => {
    server = await startMailServer(options, judge)
    const { tenantId } = await aSchool(service())
    await put(service(), tenantId)
    const mailDispatcher = hire(server.config)
    const mail = await onlyMail(service(), 'given_up')
    expect(mail).toMatchObject({ attempts: 1, params: null })
    expect(mail.last_error).toMatch(/55[04]/)
    expect(JSON.stringify(mail)).not.toContain('secret-secret')
    expect(mailDispatcher.counts).toEqual({ sent: 0, failed: 0, given_up: 1 })
  },
)

it('a rejected mail does not block the next one', async () => {
  server = await startMailServer({
    onRcptTo: ({ address }, _, done) => done(address.startsWith('bad') ? refusal(550, 'no such user') : null),
  })
  const { tenantId } = await aSchool(service())
  await put(service(), tenantId, { to: { address: 'bad@reader.example', name: 'Bad' } })
  const good = await put(service(), tenantId)
  hire(server.config)
  const [mail] = await server.receives(1)
  expect(mail?.recipients).toEqual([good])
})

it.each([
  ['hangs up during the session', 'DATA'],
  ['sends no greeting', undefined],
])('a mail is retried if the server %s', async (_, until_) => {
  let calls = 0
  const rude = createServer((socket) => {
    calls += 1
    socket.on('error', () => undefined)
    if (until_ === undefined) return
    socket.write('220 rude\r\n')
    socket.on('data', (chunk) =>
      String(chunk).startsWith(until_) ? socket.destroy() : socket.write('250 ok\r\n'),
    )
  })
  await new Promise<void>((listening) => rude.listen(0, '127.0.0.1', listening))
  const { port } = rude.address() as { port: number }
  server = await startMailServer()
  const { tenantId } = await aSchool(service())
  await put(service(), tenantId)
  const mailDispatcher = hire({ ...server.config, port }, { send: 200 })
  await until(async () => calls >= 2)
  await mailDispatcher.stop()
  await new Promise((closed) => rude.close(closed))
  expect(await mailsIn(service())).toMatchObject([{ state: 'waiting', claimed_until: null }])
  expect(mailDispatcher.counts.failed).toBeGreaterThanOrEqual(1)
  hire(server.config)
  await onlyMail(service(), 'sent')
  expect(server.received).toHaveLength(1)
})

it('no mail or password is sent to a server without TLS or with an untrusted certificate', async () => {
  let logins = 0
  const onAuth = (_: unknown, __: unknown, done: (error: Error) => void) => {
    logins += 1
    done(new Error('no'))
  }
  const { tenantId } = await aSchool(service())
  await put(service(), tenantId)
  for (const [options, tls] of [
    [{ onAuth, disabledCommands: ['STARTTLS'] }, 'starttls'],
    [{ onAuth, disabledCommands: [] }, 'starttls'],
    [{ onAuth, secure: true }, 'implicit'],
  ] as const) {
    server = await startMailServer({
      authOptional: false,
      ...options,
      disabledCommands: [...(options.disabledCommands ?? [])],
    })
    const mailDispatcher = hire({ ...server.config, tls, user: 'fahrplan', password: 'pass' })
    await until(async () => mailDispatcher.counts.failed > 0)
    await mailDispatcher.stop()
    expect(server.received).toEqual([])
    await server.close()
  }
  expect(logins).toBe(0)
  const [mail] = await mailsIn(service())
  expect(mail).toMatchObject({ state: 'waiting' })
  expect(mail?.last_error).toMatch(/ETLS|ESOCKET|certificate/)
})

it('a wrong SMTP password keeps all mails waiting and is tried with only one mail per poll', async () => {
  server = await startMailServer({
    authOptional: false,
    onAuth: (_, __, done) => done(new Error('wrong')),
    allowInsecureAuth: true,
  })
  const { tenantId } = await aSchool(service())
  for (const _ of '12345') await put(service(), tenantId)
  const mailDispatcher = hire(
    { ...server.config, user: 'fahrplan', password: 'a-password-of-more-than-20' },
    { look: 600_000 },
  )
  await until(async () => mailDispatcher.counts.failed > 0)
  await mailDispatcher.stop()
  expect(mailDispatcher.counts).toEqual({ sent: 0, failed: 1, given_up: 0 })
  const mails = await mailsIn(service())
  expect(mails.map(({ state, attempts }) => `${state} ${attempts}`).toSorted()).toEqual([
    'waiting 0',
    'waiting 0',
    'waiting 0',
    'waiting 0',
    'waiting 1',
  ])
  expect(mails.map(({ last_error }) => last_error).join()).toContain('EAUTH')
  expect(JSON.stringify(mails)).not.toContain('a-password')
})
