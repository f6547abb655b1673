import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MailConfig } from '../../src/mail/mail-config.ts'
import { useOwnService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { aSchool, aUser, type School } from '../support/factory.ts'
import { accept, anInvitation, newEmail, tokenIn } from '../support/invitations.ts'
import { until } from '../support/process.ts'
import { mailsIn } from './outbox.ts'

const nobody: MailConfig = {
  host: '127.0.0.1',
  port: 9,
  tls: 'none',
  user: undefined,
  password: undefined,
  from: { name: undefined, address: 'noreply@fahrplan.example' },
}
const service = useOwnService({ mail: nobody, publicUrl: 'https://fahrplan.example' })
const password = 'staple, correct horse'
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

beforeEach(async () => {
  await service().db.deleteFrom('mails').execute()
})

const ask = (email: string) => new Client(service()).post('/auth/password-resets', { email })
/** Waits until all earlier requests for a reset are done. They are handled in order. */
async function lastRequestIsDone(): Promise<void> {
  const { email } = await aUser(service(), school.tenantId)
  const before = (await mailsIn(service())).length
  await ask(email)
  await until(async () => (await mailsIn(service())).length > before)
  await sql`delete from mails where to_address = ${email}`.execute(service().db)
}

const urlIn = (mail: { params: unknown } | undefined) =>
  (mail?.params as { url: string } | undefined)?.url ?? ''

describe('with mail configured', () => {
  it('every invitation is queued as a mail with the link that the owner sees', async () => {
    const body = { email: newEmail(), name: 'Ida Invited', role: 'office' }
    const first = (await school.client.post('/users', body)).body
    const second = (await school.client.post(`/users/${first.user.id}/invitation`)).body
    const links = [first.invitation, second]
    const mails = await mailsIn(service())
    expect(mails).toMatchObject(
      links.map(({ url }, index) => ({
        tenant_id: school.tenantId,
        to_address: body.email,
        to_name: 'Ida Invited',
        template: 'invitation',
        ...(index === 1
          ? { params: { inviter: 'Anna Office', url } }
          : { params: null, last_error: 'its link has ended' }),
      })),
    )
    expect(mails.map(({ worth_until }) => worth_until.toISOString())).toEqual(
      links.map(({ expires_at }) => expires_at),
    )
    expect(links.map(({ is_mailed }) => is_mailed)).toEqual([true, true])
    expect(second.url).toMatch(/^https:\/\/fahrplan\.example\/invitation#[\w-]{43}$/)
    expect((await accept(new Client(service()), tokenIn(second.url), password)).status).toBe(200)
  })

  it('a requested password reset is mailed only to a user who can log in', async () => {
    const known = await aUser(service(), school.tenantId, { name: 'Kim Known' })
    const disabled = await aUser(service(), school.tenantId)
    await school.client.patch(`/users/${disabled.id}`, { disabled: true })
    const invited = await anInvitation(school)
    await service().db.deleteFrom('mails').execute()
    for (const email of [newEmail(), disabled.email, invited.email, ` ${known.email.toUpperCase()}`]) {
      const answer = await ask(email)
      expect([answer.status, answer.body]).toEqual([202, { by_mail: true }])
    }
    await until(async () => (await mailsIn(service())).length > 0)
    const mails = await mailsIn(service())
    expect(mails).toMatchObject([
      { template: 'password_reset', to_address: known.email, to_name: 'Kim Known' },
    ])
    const reset = await new Client(service()).post(`/auth/password-resets/${tokenIn(urlIn(mails[0]))}`, {
      password,
    })
    expect(reset.status).toBe(204)
    const { body } = await school.client.get(`/changes?resource=user&resource_id=${known.id}`)
    expect(body.slice(0, 2)).toMatchObject([
      { actor: { kind: 'user', id: known.id }, after: { password_set: true } },
      { actor: { kind: 'system', id: null }, after: { reset_until: expect.any(String) } },
    ])
  })

  it('a password reset for an address at two schools is mailed once for each school', async () => {
    const known = await aUser(service(), school.tenantId)
    const other = await aSchool(service(), { name: 'Fahrschule Süd' })
    const there = await aUser(service(), other.tenantId, { email: known.email })
    await ask(known.email)
    await until(async () => (await mailsIn(service())).length === 2)
    const mails = await mailsIn(service())
    expect(mails.map(({ tenant_id }) => tenant_id).toSorted()).toEqual(
      [school.tenantId, other.tenantId].toSorted(),
    )
    const mine = mails.find(({ tenant_id }) => tenant_id === other.tenantId)
    const visitor = new Client(service())
    const path = `/auth/password-resets/${tokenIn(urlIn(mine))}`
    expect((await visitor.post(path, { password })).status).toBe(204)
    const login = await visitor.post('/auth/login', { email: known.email, password })
    const me = await visitor.get('/auth/me', { authorization: `Bearer ${login.body.token}` })
    expect(me.body.id).toBe(there.id)
  })

  it('repeated reset requests keep the mailed link valid and send no other (S7)', async () => {
    const { email } = await aUser(service(), school.tenantId)
    await ask(email)
    await until(async () => (await mailsIn(service())).length === 1)
    const [mail] = await mailsIn(service())
    for (const _ of '1234567') expect((await ask(email)).status).toBe(202)
    await lastRequestIsDone()
    expect(await mailsIn(service())).toEqual([mail])
    const path = `/auth/password-resets/${tokenIn(urlIn(mail))}`
    expect((await new Client(service()).post(path, { password })).status).toBe(204)
  })

  it('a reset request keeps a link that an owner has created', async () => {
    const { id, email } = await aUser(service(), school.tenantId)
    const { url } = (await school.client.post(`/users/${id}/password-reset`)).body
    await ask(email)
    await lastRequestIsDone()
    expect(await mailsIn(service())).toHaveLength(1)
    const path = `/auth/password-resets/${tokenIn(url)}`
    expect((await new Client(service()).post(path, { password })).status).toBe(204)
  })

  it('a reset request sends a new link if the old one expires in less than ten minutes', async () => {
    const { id, email } = await aUser(service(), school.tenantId)
    await ask(email)
    await until(async () => (await mailsIn(service())).length === 1)
    await sql`update password_links set expires_at = now() + interval '9 minutes 59 seconds'
      where user_id = ${id}`.execute(service().db)
    await ask(email)
    await until(async () => (await mailsIn(service())).length === 2)
    expect((await mailsIn(service())).map(({ state }) => state)).toEqual(['given_up', 'waiting'])
  })

  it('the response to a reset request does not wait for work that only a known address causes', async () => {
    const { id, email } = await aUser(service(), school.tenantId)
    // The embedded database has one connection, so every request waits for an open transaction.
    const isServer = service().kind === 'postgres'
    const held = isServer ? await service().db.startTransaction().execute() : undefined
    if (held) await sql`select from users where id = ${id} for update`.execute(held)
    expect((await ask(email)).status).toBe(202)
    if (held) expect(await mailsIn(service())).toEqual([])
    await held?.rollback().execute()
    await until(async () => (await mailsIn(service())).length === 1)
  })
})
