import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { aSchool, aUser, PASSWORD, type School, type User } from '../support/factory.ts'
import { anInvitation, newEmail } from '../support/invitations.ts'
import { aLogin, bearer, type LoggedIn, loginOf, statusWith } from '../support/session.ts'

const service = useService()
let school: School
let owner: LoggedIn

beforeAll(async () => {
  school = await aSchool(service())
  owner = await aLogin(service(), school.tenantId)
})

const asOwner = (id: string, email: unknown) =>
  owner.client.post(`/users/${id}/email-change`, { email }, bearer(owner.token))
const asSelf = ({ client, token }: LoggedIn, email: string) =>
  client.post('/auth/email-change', { email }, bearer(token))
const logIn = async (email: string) =>
  (await new Client(service()).post('/auth/login', { email, password: PASSWORD })).status
const forgetProof = ({ user }: { user: User }) =>
  sql`update token_families set proved_at = now() - interval '6 minutes' where user_id = ${user.id}`.execute(
    service().db,
  )

describe('where no mail is sent, an owner', () => {
  it('changes the address of a user at once, which ends the sessions', async () => {
    const theirs = await loginOf(service(), await aUser(service(), school.tenantId, { role: 'office' }))
    const email = newEmail()
    const { status, body } = await asOwner(theirs.user.id, ` ${email.toUpperCase()} `)
    expect([status, body]).toEqual([200, { email, is_changed: true, expires_at: null }])
    expect(await statusWith(theirs.client, theirs.token)).toBe(401)
    expect([await logIn(theirs.user.email), await logIn(email)]).toEqual([401, 200])
    const changes = (await school.client.get(`/changes?resource=user&resource_id=${theirs.user.id}`)).body
    expect(changes[0]).toMatchObject({
      actor: { id: owner.user.id },
      before: { email: theirs.user.email },
      after: { email },
    })
  })

  it('changes the own address, which ends the other sessions', async () => {
    const self = await aLogin(service(), school.tenantId)
    const other = await loginOf(service(), self.user)
    const email = newEmail()
    expect((await asSelf(self, email)).body.is_changed).toBe(true)
    expect((await self.client.get('/auth/me', bearer(self.token))).body.email).toBe(email)
    expect(await statusWith(other.client, other.token)).toBe(401)
  })

  it('ends the links that were made for the old address', async () => {
    const { id } = await aUser(service(), school.tenantId)
    const { url } = (await school.client.post(`/users/${id}/password-reset`)).body
    await asOwner(id, newEmail())
    const reset = await new Client(service()).post(`/auth/password-resets/${url.split('#')[1]}`, {
      password: 'staple, correct horse',
    })
    expect(reset.status).toBe(404)
  })
})

describe('an address is not changed', () => {
  const refusal = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]

  it('by a user alone where no mail is sent', async () => {
    const clerk = await loginOf(service(), await aUser(service(), school.tenantId, { role: 'office' }))
    expect(refusal(await asSelf(clerk, newEmail()))).toEqual([409, 'no_mail'])
    expect(refusal(await asSelf(clerk, owner.user.email))).toEqual([409, 'no_mail'])
  })

  it('without a recent proof', async () => {
    const self = await aLogin(service(), school.tenantId)
    await forgetProof(self)
    expect(refusal(await asSelf(self, newEmail()))).toEqual([403, 'proof_required'])
    const path = `/users/${owner.user.id}/email-change`
    const answer = await self.client.post(path, { email: newEmail() }, bearer(self.token))
    expect(refusal(answer)).toEqual([403, 'proof_required'])
    expect(await logIn(owner.user.email)).toBe(200)
  })

  it('to one that another user of the school has, or is the same', async () => {
    const { id, email } = await aUser(service(), school.tenantId)
    for (const taken of [school.user.email, email])
      expect(refusal(await asOwner(id, taken))).toEqual([409, 'email_taken'])
  })

  it('of a user who is invited or disabled', async () => {
    const { id } = await anInvitation(school)
    const disabled = await aUser(service(), school.tenantId)
    await school.client.patch(`/users/${disabled.id}`, { disabled: true })
    for (const user of [id, disabled.id])
      expect(refusal(await asOwner(user, newEmail()))).toEqual([409, 'user_inactive'])
  })

  it('of another school, whose user looks like one that does not exist', async () => {
    const theirs = await aSchool(service())
    const [foreign, unknown] = [
      await asOwner(theirs.user.id, newEmail()),
      await asOwner(randomUUID(), newEmail()),
    ]
    expect(foreign.status).toBe(404)
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
    expect(await logIn(theirs.user.email)).toBe(200)
  })

  it.each([['nobody'], [null], [undefined]])('to %o', async (email) => {
    const { status, body } = await asOwner(owner.user.id, email)
    expect([status, body.errors[0].pointer]).toEqual([400, '/email'])
  })
})

it('an address that many users are given at once goes to one of them', async () => {
  const users = await Promise.all(Array.from({ length: 6 }, () => aUser(service(), school.tenantId)))
  const email = newEmail()
  const answers = await Promise.all(users.map(({ id }) => asOwner(id, email)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(5).fill(409)])
})
