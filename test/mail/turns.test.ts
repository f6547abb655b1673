import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { purgeMails } from '../../src/db/messages/mails.ts'
import { usePatientService, useService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { aSchool, aUser, type School } from '../support/factory.ts'
import { anInvitation, newEmail, tokenIn } from '../support/invitations.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import { until } from '../support/process.ts'
import { mailsIn, put, useMailDispatchers } from './outbox.ts'

const service = useService()
const hire = useMailDispatchers(service)
let server: MailServer | undefined

afterEach(async () => {
  await server?.close()
  server = undefined
})

const recipientsOf = ({ received }: MailServer) => received.flatMap(({ recipients }) => recipients)

describe('the outbox', () => {
  it('sends a password reset ahead of 240 waiting mails of another school', async () => {
    const arrived = Promise.withResolvers<void>()
    const mayGoOn = Promise.withResolvers<void>()
    server = await startMailServer({}, async () => {
      arrived.resolve()
      await mayGoOn.promise
    })
    const [loud, quiet] = [await aSchool(service()), await aSchool(service())]
    for (let mail = 0; mail < 240; mail += 1)
      await put(service(), loud.tenantId, {
        template: 'invitation',
        params: { inviter: 'Anna', url: 'https://fahrplan.example/invitation#secret' },
      })
    hire(server.config)
    await arrived.promise
    const address = await put(service(), quiet.tenantId)
    mayGoOn.resolve()
    await server.receives(2)
    expect(recipientsOf(server)[1]).toBe(address)
  })

  it('takes turns between schools across two dispatchers', async () => {
    server = await startMailServer()
    const [loud, quiet] = [await aSchool(service()), await aSchool(service())]
    for (let mail = 0; mail < 20; mail += 1) await put(service(), loud.tenantId)
    const address = await put(service(), quiet.tenantId)
    hire(server.config)
    hire(server.config)
    await server.receives(6)
    expect(recipientsOf(server).slice(0, 6)).toContain(address)
  })

  it('sends a password reset ahead of invitations of the same school', async () => {
    const arrived = Promise.withResolvers<void>()
    const mayGoOn = Promise.withResolvers<void>()
    server = await startMailServer({}, async () => {
      arrived.resolve()
      await mayGoOn.promise
    })
    const { tenantId } = await aSchool(service())
    for (const _ of '12345')
      await put(service(), tenantId, {
        template: 'invitation',
        params: { inviter: 'Anna', url: 'https://fahrplan.example/invitation#secret' },
      })
    hire(server.config)
    await arrived.promise
    const address = await put(service(), tenantId)
    mayGoOn.resolve()
    await server.receives(2)
    expect(recipientsOf(server)[1]).toBe(address)
  })
})

describe('mails requested by users of a school', () => {
  const nobody = { host: '127.0.0.1', port: 9, tls: 'none', user: undefined, password: undefined } as const
  const mailing = usePatientService({
    mail: { ...nobody, from: { name: undefined, address: 'noreply@fahrplan.example' } },
    publicUrl: 'https://fahrplan.example',
  })
  const invite = ({ client }: School) =>
    client.post('/users', { email: newEmail(), name: 'Ida', role: 'office' })

  it('are limited to 100 an hour across concurrent requests, then rejected with 429 too_many_mails', async () => {
    const [school, other] = [await aSchool(mailing()), await aSchool(mailing())]
    const answers = []
    for (let round = 0; round < 12; round += 1)
      answers.push(...(await Promise.all(Array.from({ length: 10 }, () => invite(school)))))
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused).toHaveLength(20)
    for (const { status, body, headers } of refused) {
      expect([status, body.code]).toEqual([429, 'too_many_mails'])
      expect(Number(headers.get('retry-after'))).toBe(body.params.retry_after_seconds)
      expect(body.detail).toMatch(/try again in \d+ minutes\.$/)
    }
    const mails = (await mailsIn(mailing())).filter(({ tenant_id }) => tenant_id === school.tenantId)
    expect(mails).toHaveLength(100)
    expect((await school.client.get('/users')).body).toHaveLength(101)
    expect((await invite(other)).status).toBe(201)
  })

  it('do not use up the limit of password resets that users request themselves', async () => {
    const school = await aSchool(mailing())
    const { id, email } = await aUser(mailing(), school.tenantId)
    for (let mail = 0; mail < 100; mail += 1) await put(mailing(), school.tenantId)
    expect((await school.client.post(`/users/${id}/password-reset`)).status).toBe(429)
    await new Client(mailing()).post('/auth/password-resets', { email })
    await until(async () => (await mailsIn(mailing())).some(({ to_address }) => to_address === email))
  })

  it('are limited to five per address, and only the newest link is sent', async () => {
    const school = await aSchool(mailing())
    const { id, email } = await anInvitation(school)
    const again = () => school.client.post(`/users/${id}/invitation`)
    const statuses: number[] = []
    let url = ''
    for (const _ of '12345') {
      const { status, body } = await again()
      statuses.push(status)
      url = body.url ?? url
    }
    expect(statuses).toEqual([200, 200, 200, 200, 429])
    const mails = (await mailsIn(mailing())).filter(({ to_address }) => to_address === email)
    expect(mails.map(({ state }) => state).toSorted()).toEqual([...Array(4).fill('given_up'), 'waiting'])
    expect(mails.find(({ state }) => state === 'waiting')?.params).toMatchObject({ url })
    // The refused request has withdrawn no link.
    expect((await new Client(mailing()).get(`/auth/invitations/${tokenIn(url)}`)).status).toBe(200)
  })

  it('count toward both limits for an hour even after the invitation is withdrawn', async () => {
    const school = await aSchool(mailing())
    const email = newEmail()
    for (const _ of '12345') {
      const { id } = await anInvitation(school, { email })
      await school.client.delete(`/users/${id}`)
    }
    const again = await school.client.post('/users', { email, name: 'Ida', role: 'office' })
    expect([again.status, again.body.code]).toEqual([429, 'too_many_mails'])
    for (let mail = 0; mail < 94; mail += 1) await put(mailing(), school.tenantId)
    expect((await invite(school)).status).toBe(201)
    expect((await invite(school)).status).toBe(429)
    const { db } = mailing()
    const [created_at, finished_at] = ['created_at', 'finished_at'].map(
      (column) => sql<Date>`${sql.ref(column)} - interval '1 hour'`,
    )
    await db.updateTable('mails').set({ created_at, finished_at }).execute()
    await purgeMails(db)
    expect((await mailsIn(mailing())).filter(({ to_name }) => to_name === '')).toEqual([])
  })

  it('are withdrawn when the recipient is disabled', async () => {
    const school = await aSchool(mailing())
    const { id, email } = await anInvitation(school)
    const other = await aSchool(mailing())
    await put(mailing(), other.tenantId, { to: { address: email, name: 'Ida' } })
    await school.client.patch(`/users/${id}`, { disabled: true })
    const mails = (await mailsIn(mailing())).filter(({ to_address }) => to_address === email)
    expect(mails).toMatchObject([
      { tenant_id: school.tenantId, state: 'given_up', params: null, last_error: 'its link has ended' },
      { tenant_id: other.tenantId, state: 'waiting' },
    ])
  })
})
