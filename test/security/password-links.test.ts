import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { newSecret } from '../../src/auth/secret.ts'
import { useOwnService } from '../support/app.ts'
import { type Answer, anAddress, Client } from '../support/client.ts'
import { aSchool, aUser, PASSWORD, type School } from '../support/factory.ts'
import { accept, anInvitation, newEmail, tokenIn } from '../support/invitations.ts'

const LIMITS = { perAccountAndAddress: 3, perAccount: 6, perAddress: 20 }
const service = useOwnService({ loginLimits: LIMITS })
const password = 'staple, correct horse'
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

/** Requests that anyone with a token of either kind can send. */
const READ = (client: Client, token: string) => client.get(`/auth/invitations/${token}`)
const ACCEPT = (client: Client, token: string) => accept(client, token, password)
const RESET = (client: Client, token: string) => client.post(`/auth/password-resets/${token}`, { password })

async function aReset(): Promise<{ readonly id: string; readonly token: string }> {
  const { id } = await aUser(service(), school.tenantId)
  return { id, token: tokenIn((await school.client.post(`/users/${id}/password-reset`)).body.url) }
}

const expire = (id: string) =>
  sql`update password_links set expires_at = now() where user_id = ${id}`.execute(service().db)
const disable = (id: string) => school.client.patch(`/users/${id}`, { disabled: true })

/** The events that end a link, by name. */
const ENDINGS: Readonly<Record<string, (id: string, token: string) => Promise<unknown>>> = {
  used: (_, token) =>
    Promise.all([ACCEPT(new Client(service()), token), RESET(new Client(service()), token)]),
  expired: expire,
  replaced: (id) =>
    Promise.all([
      school.client.post(`/users/${id}/invitation`),
      school.client.post(`/users/${id}/password-reset`),
    ]),
  'of a disabled user': disable,
  'of a user who was disabled and enabled again': async (id) => {
    await disable(id)
    await school.client.patch(`/users/${id}`, { disabled: false })
  },
}

describe.each([
  ['an invitation that is read', () => anInvitation(school), READ],
  ['an invitation that is accepted', () => anInvitation(school), ACCEPT],
  ['a reset', aReset, RESET],
])('%s', (_, make, ask) => {
  it.each(Object.entries(ENDINGS))('returns the same 404 as a guess if it is %s', async (_, end) => {
    const { id, token } = await make()
    await end(id, token)
    const expected = plain(await ask(new Client(service()), newSecret()))
    expect(expected).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(plain(await ask(new Client(service()), token))).toEqual(expected)
  })

  it('is accepted only in its exact spelling', async () => {
    const { token } = await make()
    for (const other of [token.slice(1), `${token}=`, `${token}%20`, token.toLowerCase()])
      expect((await ask(new Client(service()), other)).status).toBe(404)
    expect((await ask(new Client(service()), token)).status).toBeLessThan(300)
  })

  it('gets 429 after 20 guesses from one network, but the right one still works there', async () => {
    const guesser = new Client(service())
    const statuses: number[] = []
    for (let guess = 0; guess <= LIMITS.perAddress; guess += 1)
      statuses.push((await ask(guesser, newSecret())).status)
    expect(statuses).toEqual([...Array(LIMITS.perAddress).fill(404), 429])
    const { token } = await make()
    expect((await ask(guesser, token)).status).toBeLessThan(300)
    expect((await ask(guesser, newSecret())).status).toBe(429)
  })
})

it('an invitation token cannot reset a password, nor a reset token accept an invitation', async () => {
  const [invited, reset] = [await anInvitation(school), await aReset()]
  expect((await RESET(new Client(service()), invited.token)).status).toBe(404)
  expect((await ACCEPT(new Client(service()), reset.token)).status).toBe(404)
})

it('changing the password invalidates an existing reset link', async () => {
  const { id, email } = await aUser(service(), school.tenantId)
  const { url } = (await school.client.post(`/users/${id}/password-reset`)).body
  const client = new Client(service())
  const { token } = (await client.post('/auth/login', { email, password: PASSWORD })).body
  const change = { current_password: PASSWORD, new_password: password }
  expect((await client.post('/auth/password', change, { authorization: `Bearer ${token}` })).status).toBe(204)
  expect((await RESET(client, tokenIn(url))).status).toBe(404)
})

describe('a request for a password reset', () => {
  const ask = (client: Client, email: string) => client.post('/auth/password-resets', { email })

  it('does not reveal whether the address exists, even by its throttling', async () => {
    const known = (await aUser(service(), school.tenantId)).email
    const disabled = await aUser(service(), school.tenantId)
    await disable(disabled.id)
    const invited = (await anInvitation(school)).email
    const answersFor = async (email: string) => {
      const client = new Client(service())
      const answers: unknown[] = []
      for (let time = 0; time <= LIMITS.perAccountAndAddress; time += 1)
        answers.push(told(await ask(client, email)))
      for (let time = 0; time <= LIMITS.perAccount - LIMITS.perAccountAndAddress; time += 1)
        answers.push(told(await ask(new Client(service()), email)))
      return answers
    }
    const unknown = await answersFor(newEmail())
    expect(unknown.map((answer) => (answer as unknown[])[0])).toEqual([
      ...[202, 202, 202, 429],
      ...[202, 202, 202, 202],
    ])
    for (const email of [known, disabled.email, invited]) expect(await answersFor(email)).toEqual(unknown)
  })

  it('is not throttled by requests for the same address from other networks (S7)', async () => {
    const { email } = await aUser(service(), school.tenantId)
    const home = new Client(service())
    await home.post('/auth/login', { email, password: PASSWORD })
    for (let time = 0; time <= LIMITS.perAccount; time += 1) await ask(new Client(service()), email)
    expect((await ask(home, email)).status).toBe(202)
    expect((await ask(new Client(service()), email)).status).toBe(202)
  })

  it('does not keep the user from logging in, even from the same network', async () => {
    const { email } = await aUser(service(), school.tenantId)
    const client = new Client(service())
    for (let time = 0; time <= LIMITS.perAccountAndAddress; time += 1) await ask(client, email)
    expect((await client.post('/auth/login', { email, password: PASSWORD })).status).toBe(200)
  })

  /** Returns everything that a client can see, except values that are always new or depend on the time. */
  function told({ status, headers, body }: Answer) {
    const names = [...(headers as unknown as Headers).keys()].filter((name) => name !== 'retry-after').sort()
    const { request_id: _, params: __, detail: ___, ...rest } = body
    return [status, names, rest]
  }
})

it('an owner gets 429 after three invitations of addresses that are taken', async () => {
  const place = await aSchool(service())
  const invite = (email: string) =>
    place.client.post('/users', { email, name: 'Ida', role: 'office' }, { 'x-forwarded-for': address })
  const address = anAddress()
  const statuses: number[] = []
  for (let time = 0; time <= LIMITS.perAccountAndAddress; time += 1)
    statuses.push((await invite(place.user.email)).status)
  expect(statuses).toEqual([409, 409, 409, 429])
  expect((await invite(newEmail())).status).toBe(429)
})

it('password links leave no token or password in the log or the database', async () => {
  const [invited, reset] = [await anInvitation(school), await aReset()]
  await READ(new Client(service()), invited.token)
  const wrong = { password: 'password123' }
  const refused = await new Client(service()).post(`/auth/invitations/${invited.token}?x=1`, wrong)
  expect(refused.status).toBe(400)
  const { rows } = await sql<{ row: string }>`select row_to_json(l)::text as row from password_links l
    union all select row_to_json(c)::text from changes c`.execute(service().db)
  const accepted = await ACCEPT(new Client(service()), invited.token)
  await RESET(new Client(service()), reset.token)
  const texts = [JSON.stringify(service().log()), JSON.stringify(rows)]
  for (const text of texts) {
    expect(text).not.toContain(invited.token)
    expect(text).not.toContain(reset.token)
    expect(text).not.toContain(password)
  }
  const facts = { event: 'invitation_accepted', tenant_id: school.tenantId, user_id: invited.id }
  expect(service().log(accepted)).toContainEqual(expect.objectContaining(facts))
  expect(service().log(accepted)).toContainEqual(
    expect.objectContaining({ path: '/api/v1/auth/invitations/:token' }),
  )
})

function plain({ status, body, headers }: Answer) {
  return {
    status,
    body: { ...body, request_id: '' },
    names: [...(headers as unknown as Headers).keys()].sort(),
  }
}
