import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { newSecret } from '../../src/auth/secret.ts'
import type { MailConfig } from '../../src/mail/mail-config.ts'
import { useOwnService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { aSchool, aUser, PASSWORD, type School } from '../support/factory.ts'
import { anInvitation, newEmail, tokenIn } from '../support/invitations.ts'
import { aLogin, bearer, type LoggedIn, loginOf, statusWith } from '../support/session.ts'
import { mailsIn } from './outbox.ts'

const nobody: MailConfig = {
  host: '127.0.0.1',
  port: 9,
  tls: 'none',
  user: undefined,
  password: undefined,
  from: { name: undefined, address: 'noreply@fahrplan.example' },
}
const loginLimits = { perAccountAndAddress: 3, perAccount: 20, perAddress: 20 }
const service = useOwnService({ mail: nobody, publicUrl: 'https://fahrplan.example', loginLimits })
let school: School
let self: LoggedIn
let email: string

beforeEach(async () => {
  school = await aSchool(service())
  self = await loginOf(
    service(),
    await aUser(service(), school.tenantId, { name: 'Ben Office', role: 'office' }),
  )
  email = newEmail()
})

const ask = (address = email) =>
  self.client.post('/auth/email-change', { email: address }, bearer(self.token))
const logIn = async (address: string) =>
  (await new Client(service()).post('/auth/login', { email: address, password: PASSWORD })).status
const mailTo = async (address: string) =>
  (await mailsIn(service())).findLast(({ to_address }) => to_address === address)
const tokenTo = async (address: string) =>
  tokenIn(((await mailTo(address))?.params as { url: string } | null)?.url ?? 'https://none.example')
const at = (token: string) => `/auth/email-changes/${token}`
const confirm = async (token: string) => new Client(service()).post(at(token))
const userRow = async () =>
  (await school.client.get('/users')).body.find(({ id }: { id: string }) => id === self.user.id)

describe('an email change with mail configured', () => {
  it.each([
    ['the old address first', (old: string, fresh: string) => [old, fresh]],
    ['the new address first', (old: string, fresh: string) => [fresh, old]],
  ])('takes effect once both addresses have confirmed, %s', async (_, inOrder) => {
    const answer = await ask()
    expect([answer.status, answer.body]).toEqual([
      200,
      { email, is_changed: false, expires_at: expect.stringMatching(/Z$/) },
    ])
    const hours = (Date.parse(answer.body.expires_at) - Date.now()) / 3_600_000
    expect(Math.round(hours)).toBe(24)
    const [first = '', second = ''] = inOrder(await tokenTo(self.user.email), await tokenTo(email))
    expect((await userRow()).requested_email).toBe(email)
    for (const _ of 'twice') expect((await confirm(first)).body).toEqual({ is_changed: false })
    expect(await logIn(email)).toBe(401)
    expect(await statusWith(self.client, self.token)).toBe(200)
    expect((await confirm(second)).body).toEqual({ is_changed: true })
    expect([await logIn(self.user.email), await logIn(email)]).toEqual([401, 200])
    expect(await statusWith(self.client, self.token)).toBe(401)
    expect(await userRow()).toMatchObject({ email, requested_email: null, version: 2 })
    for (const token of [first, second]) expect((await confirm(token)).status).toBe(404)
  })

  it('notifies both addresses without showing the old one to the new one', async () => {
    await ask()
    const [old, fresh] = [await mailTo(self.user.email), await mailTo(email)]
    expect(old).toMatchObject({ template: 'email_change_notice', params: { email } })
    expect(fresh).toMatchObject({ template: 'email_change' })
    expect(JSON.stringify(fresh?.params)).not.toContain(self.user.email)
    const visitor = new Client(service())
    const read = async (address: string) => (await visitor.get(at(await tokenTo(address)))).body
    const told = { school: 'Fahrschule Test', name: 'Ben Office', email, is_confirmed: false }
    expect(await read(self.user.email)).toMatchObject({ ...told, sent_to: 'old' })
    expect(await read(email)).toMatchObject({ ...told, sent_to: 'new' })
    expect(JSON.stringify(await read(email))).not.toContain(self.user.email)
  })

  it('can be stopped from either address', async () => {
    for (const address of [self.user.email, email]) {
      await ask()
      const other = await tokenTo(address === email ? self.user.email : email)
      const stopped = await new Client(service()).delete(at(await tokenTo(address)))
      expect(stopped.status).toBe(204)
      expect((await confirm(other)).status).toBe(404)
      expect(await userRow()).toMatchObject({ email: self.user.email, requested_email: null })
    }
    expect(await logIn(self.user.email)).toBe(200)
  })

  it('can be requested by an owner, who gets no link', async () => {
    const { client, token } = await aLogin(service(), school.tenantId)
    const path = `/users/${self.user.id}/email-change`
    const answer = await client.post(path, { email }, bearer(token))
    expect([answer.status, answer.body.is_changed]).toEqual([200, false])
    expect(answer.text).not.toContain('#')
    expect(await logIn(self.user.email)).toBe(200)
  })
})

describe('the links of an email change', () => {
  /** The events that end the links, by name. */
  const ENDINGS: Readonly<Record<string, () => Promise<unknown>>> = {
    'after a day': () =>
      sql`update password_links set expires_at = now() where user_id = ${self.user.id}`.execute(service().db),
    'with another change': () => ask(newEmail()),
    'when the user is disabled': () => school.client.patch(`/users/${self.user.id}`, { disabled: true }),
    'when the password is changed': () => {
      const change = { current_password: PASSWORD, new_password: 'staple, correct horse' }
      return self.client.post('/auth/password', change, bearer(self.token))
    },
  }

  it.each(Object.entries(ENDINGS))(
    'expire %s and then return the same 404 as a guessed link',
    async (_, end) => {
      await ask()
      const tokens = [await tokenTo(self.user.email), await tokenTo(email)]
      await end()
      const plain = ({ status, body }: Awaited<ReturnType<typeof confirm>>) => [
        status,
        body.code,
        body.detail,
      ]
      const guess = plain(await confirm(newSecret()))
      expect(guess[0]).toBe(404)
      for (const token of tokens) {
        expect(plain(await confirm(token))).toEqual(guess)
        expect(plain(await new Client(service()).get(at(token)))).toEqual(guess)
        expect(plain(await new Client(service()).delete(at(token)))).toEqual(guess)
      }
    },
  )

  it('have their two waiting mails given up when another change is requested', async () => {
    await ask()
    await ask(newEmail())
    const mails = (await mailsIn(service())).filter(({ tenant_id }) => tenant_id === school.tenantId)
    expect(mails.map(({ state }) => state)).toEqual(['given_up', 'given_up', 'waiting', 'waiting'])
  })

  it('are not accepted as links of an invitation or password reset', async () => {
    await ask()
    const token = await tokenTo(self.user.email)
    const password = 'staple, correct horse'
    for (const path of [`/auth/invitations/${token}`, `/auth/password-resets/${token}`])
      expect((await new Client(service()).post(path, { password })).status).toBe(404)
  })
})

describe('email changes', () => {
  it('return 429 after five mails to one address', async () => {
    const statuses: number[] = []
    for (const _ of '123456') statuses.push((await ask(newEmail())).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })

  it('return 429 after three attempts with a taken address', async () => {
    const codes: string[] = []
    for (const _ of '1234') codes.push((await ask(school.user.email)).body.code)
    expect(codes).toEqual(['email_taken', 'email_taken', 'email_taken', 'too_many_requests'])
  })

  it('return 429 after 20 guessed links from one network address', async () => {
    const guesser = new Client(service())
    const statuses: number[] = []
    for (let guess = 0; guess <= loginLimits.perAddress; guess += 1)
      statuses.push((await guesser.post(at(newSecret()))).status)
    expect(statuses).toEqual([...Array(loginLimits.perAddress).fill(404), 429])
  })
})

it('an address that is taken before the last confirmation is rejected with 409 email_taken', async () => {
  await ask()
  await confirm(await tokenTo(self.user.email))
  const token = await tokenTo(email)
  await anInvitation(school, { email })
  const { status, body } = await confirm(token)
  expect([status, body.code]).toEqual([409, 'email_taken'])
  expect(await logIn(self.user.email)).toBe(200)
})

it('ending an email change keeps the invitation of another user to the same address', async () => {
  await ask()
  await anInvitation(school, { email })
  await school.client.patch(`/users/${self.user.id}`, { disabled: true })
  expect(await mailTo(email)).toMatchObject({ template: 'invitation', state: 'waiting' })
})
