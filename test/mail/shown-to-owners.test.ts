import { sql } from 'kysely'
import { expect, it } from 'vitest'
import type { MailConfig } from '../../src/mail/mail-config.ts'
import { useOwnService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'
import { accept, anInvitation } from '../support/invitations.ts'
import { refusal, startMailServer } from '../support/mail-server.ts'
import { mailsIn, onlyMail, useMailDispatchers } from './outbox.ts'

const nobody: MailConfig = {
  host: '127.0.0.1',
  port: 9,
  tls: 'none',
  user: undefined,
  password: undefined,
  from: { name: undefined, address: 'noreply@fahrplan.example' },
}
const service = useOwnService({ mail: nobody, publicUrl: 'https://fahrplan.example' })
const hire = useMailDispatchers(service)

async function mailOf({ client }: School, id: string) {
  const { body } = await client.get('/users')
  return body.find((user: { id: string }) => user.id === id).mail
}

it('owners see why an invitation failed, and later that it was sent', async () => {
  const school = await aSchool(service())
  const { id, token, email } = await anInvitation(school)
  const { headers, body } = await school.client.get('/users')
  expect(body.map(({ mail }: { mail: object }) => mail)).toEqual([
    null,
    { state: 'waiting', reason: null, at: expect.stringMatching(/Z$/) },
  ])
  let isRefusing = true
  const server = await startMailServer({
    onRcptTo: (_, __, done) => done(isRefusing ? refusal(550, `no such user ${email}`) : undefined),
  })
  try {
    hire(server.config)
    await onlyMail(service(), 'given_up')
    const failed = await mailOf(school, id)
    expect(failed).toEqual({
      state: 'failed',
      reason: expect.stringContaining('550'),
      at: expect.any(String),
    })
    expect(failed.reason).not.toContain(email)
    const tag = { 'if-none-match': headers.get('etag') ?? '' }
    expect((await school.client.get('/users', tag)).status).toBe(200)
    isRefusing = false
    await school.client.post(`/users/${id}/invitation`)
    await server.receives(1)
    await expect.poll(async () => (await mailOf(school, id)).state).toBe('sent')
    expect((await mailOf(school, id)).reason).toBeNull()
  } finally {
    await server.close()
  }
  const user = new Client(service())
  expect((await accept(user, token, 'staple, correct horse')).status).toBe(404)
})

it('a failed invitation is no longer shown once the user has a password', async () => {
  const school = await aSchool(service())
  const { id, token } = await anInvitation(school)
  await sql`update mails set last_error = 'refused'`.execute(service().db)
  expect(await mailOf(school, id)).toMatchObject({ state: 'waiting', reason: 'refused' })
  await accept(new Client(service()), token, 'staple, correct horse')
  expect(await mailOf(school, id)).toBeNull()
  await school.client.post(`/users/${id}/password-reset`)
  expect(await mailOf(school, id)).toMatchObject({ state: 'waiting', reason: null })
})

it('withdrawing an invitation deletes its waiting mail', async () => {
  const school = await aSchool(service())
  const { id, email } = await anInvitation(school)
  await school.client.delete(`/users/${id}`)
  expect((await mailsIn(service())).map(({ to_address }) => to_address)).not.toContain(email)
})
