import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { startService, useOwnService, useService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { aSchool, aUser, type School } from '../support/factory.ts'
import { accept, anInvitation, newEmail, tokenIn } from '../support/invitations.ts'
import { times } from '../support/races.ts'

const service = useService()
const password = 'staple, correct horse'
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

const correct = (id: string, email: unknown, { client } = school) =>
  client.post(`/users/${id}/invitation`, { email })

describe('an invitation with a corrected address', () => {
  it('invalidates the old link, and lets the user log in with the new address only', async () => {
    const { id, token, email } = await anInvitation(school)
    const right = newEmail()
    const answer = await correct(id, ` ${right.toUpperCase()} `)
    expect(answer.status, answer.text).toBe(200)
    const visitor = new Client(service())
    expect((await accept(visitor, token, password)).status).toBe(404)
    const corrected = tokenIn(answer.body.url)
    expect((await visitor.get(`/auth/invitations/${corrected}`)).body.email).toBe(right)
    expect((await accept(visitor, corrected, password)).status).toBe(200)
    const logIn = (address: string) => visitor.post('/auth/login', { email: address, password })
    expect([(await logIn(right)).status, (await logIn(email)).status]).toEqual([200, 401])
    await anInvitation(school, { email })
  })

  it('is logged with both addresses and gets a new version', async () => {
    const { id, email } = await anInvitation(school)
    const right = newEmail()
    await correct(id, right)
    const { body } = await school.client.get(`/changes?resource=user&resource_id=${id}`)
    const until = expect.stringMatching(/Z$/)
    expect(body[0]).toMatchObject({
      action: 'changed',
      actor: { id: school.user.id },
      before: { email, invited_until: until },
      after: { email: right, invited_until: until },
    })
    const users: { id: string; email: string; version: number }[] = (await school.client.get('/users')).body
    expect(users.find((user) => user.id === id)).toMatchObject({ email: right, version: 2 })
  })

  it('changes only its expiry if the address is unchanged', async () => {
    const { id, email } = await anInvitation(school)
    expect((await correct(id, email)).status).toBe(200)
    const { body } = await school.client.get(`/changes?resource=user&resource_id=${id}`)
    expect(body[0].after).toEqual({ invited_until: expect.any(String) })
  })
})

describe('an address correction', () => {
  it('to an address in use fails with 409 email_taken and leaves the link valid', async () => {
    const { id, token } = await anInvitation(school)
    const { status, body } = await correct(id, school.user.email)
    expect([status, body.code]).toEqual([409, 'email_taken'])
    expect((await new Client(service()).get(`/auth/invitations/${token}`)).status).toBe(200)
  })

  it('fails with 409 for an accepted or a disabled user', async () => {
    const active = await aUser(service(), school.tenantId)
    const { id } = await anInvitation(school)
    await school.client.patch(`/users/${id}`, { disabled: true })
    const answers = [await correct(active.id, newEmail()), await correct(id, newEmail())]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [409, 'invitation_accepted'],
      [409, 'user_inactive'],
    ])
  })

  it.each([['nobody'], [null], [5], ['']])('to %o fails with 400', async (email) => {
    const { id } = await anInvitation(school)
    const { status, body } = await correct(id, email)
    expect([status, body.errors?.[0]?.pointer]).toEqual([400, '/email'])
  })

  it("gets the same 404 for another school's user as for an unknown one", async () => {
    const theirs = await anInvitation(await aSchool(service()))
    const email = newEmail()
    const [foreign, unknown] = [await correct(theirs.id, email), await correct(randomUUID(), email)]
    expect(foreign.status).toBe(404)
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
  })
})

it('exactly one of 6 concurrent corrections to the same address succeeds; the others get 409', async () => {
  const invited = await Promise.all(times(6, () => anInvitation(school)))
  const email = newEmail()
  const answers = await Promise.all(invited.map(({ id }) => correct(id, email)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(5).fill(409)])
  const { rows } = await sql`select from users where email = ${email}`.execute(service().db)
  expect(rows).toHaveLength(1)
})

describe('address corrections', () => {
  const loginLimits = { perAccountAndAddress: 3, perAccount: 5, perAddress: 8 }
  const limited = useOwnService({ loginLimits })

  it('get 429 too_many_requests after three taken addresses, like invitations', async () => {
    const place = await aSchool(limited())
    const { id } = await anInvitation(place)
    for (const _ of '123') expect((await correct(id, place.user.email, place)).status).toBe(409)
    const refused = await correct(id, place.user.email, place)
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_requests'])
    expect((await place.client.post(`/users/${id}/invitation`)).status).toBe(200)
  })

  it('get 429 after 100 mails of the school, including the invitation', async () => {
    const mailing = await startService(service().db, {
      mail: {
        ...{ host: '127.0.0.1', port: 9, tls: 'none', user: undefined, password: undefined },
        from: { name: undefined, address: 'noreply@fahrplan.example' },
      },
      publicUrl: 'https://fahrplan.example',
    })
    try {
      const place = await aSchool(mailing)
      const { id, email } = await anInvitation(place)
      const addresses = times(100, newEmail)
      const statuses: number[] = []
      for (const address of addresses) statuses.push((await correct(id, address, place)).status)
      expect(statuses).toEqual([...Array(99).fill(200), 429])
      const { rows } = await sql`select state, params, to_address from mails
        where tenant_id = ${place.tenantId} and (to_address = ${email} or state = 'waiting')
        order by to_address = ${email} desc`.execute(service().db)
      expect(rows).toMatchObject([
        { to_address: email, state: 'given_up', params: null },
        { to_address: addresses.at(-2), state: 'waiting' },
      ])
    } finally {
      await mailing.close()
    }
  })
})
