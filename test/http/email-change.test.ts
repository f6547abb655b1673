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

describe('an owner on a service without mail', () => {
  it("changes a user's address immediately, which ends that user's sessions", async () => {
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

  it('changes their own address, which ends their other sessions', async () => {
    const self = await aLogin(service(), school.tenantId)
    const other = await loginOf(service(), self.user)
    const email = newEmail()
    expect((await asSelf(self, email)).body.is_changed).toBe(true)
    expect((await self.client.get('/auth/me', bearer(self.token))).body.email).toBe(email)
    expect(await statusWith(other.client, other.token)).toBe(401)
  })

  it("invalidates a user's password reset link by changing the address", async () => {
    const { id } = await aUser(service(), school.tenantId)
    const { url } = (await school.client.post(`/users/${id}/password-reset`)).body
    await asOwner(id, newEmail())
    const reset = await new Client(service()).post(`/auth/password-resets/${url.split('#')[1]}`, {
      password: 'staple, correct horse',
    })
    expect(reset.status).toBe(404)
  })
})

describe('a change of address', () => {
  const refusal = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]

  it('by an office user fails with 409 no_mail on a service without mail', async () => {
    const clerk = await loginOf(service(), await aUser(service(), school.tenantId, { role: 'office' }))
    expect(refusal(await asSelf(clerk, newEmail()))).toEqual([409, 'no_mail'])
    expect(refusal(await asSelf(clerk, owner.user.email))).toEqual([409, 'no_mail'])
  })

  it('without a recent proof fails with 403 proof_required', async () => {
    const self = await aLogin(service(), school.tenantId)
    await forgetProof(self)
    expect(refusal(await asSelf(self, newEmail()))).toEqual([403, 'proof_required'])
    const path = `/users/${owner.user.id}/email-change`
    const answer = await self.client.post(path, { email: newEmail() }, bearer(self.token))
    expect(refusal(answer)).toEqual([403, 'proof_required'])
    expect(await logIn(owner.user.email)).toBe(200)
  })

  it('to a taken or unchanged address fails with 409 email_taken', async () => {
    const { id, email } = await aUser(service(), school.tenantId)
    for (const taken of [school.user.email, email])
      expect(refusal(await asOwner(id, taken))).toEqual([409, 'email_taken'])
  })

  it('fails with 409 user_inactive for an invited or disabled user', async () => {
    const { id } = await anInvitation(school)
    const disabled = await aUser(service(), school.tenantId)
    await school.client.patch(`/users/${disabled.id}`, { disabled: true })
    for (const user of [id, disabled.id])
      expect(refusal(await asOwner(user, newEmail()))).toEqual([409, 'user_inactive'])
  })

  it("gets the same 404 for another school's user as for an unknown one", async () => {
    const theirs = await aSchool(service())
    const [foreign, unknown] = [
      await asOwner(theirs.user.id, newEmail()),
      await asOwner(randomUUID(), newEmail()),
    ]
    expect(foreign.status).toBe(404)
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
    expect(await logIn(theirs.user.email)).toBe(200)
  })

  it.each([['nobody'], [null], [undefined]])('to %o fails with 400', async (email) => {
    const { status, body } = await asOwner(owner.user.id, email)
    expect([status, body.errors[0].pointer]).toEqual([400, '/email'])
  })
})

it('exactly one of 6 concurrent changes to the same address succeeds; the others get 409', async () => {
  const users = await Promise.all(Array.from({ length: 6 }, () => aUser(service(), school.tenantId)))
  const email = newEmail()
  const answers = await Promise.all(users.map(({ id }) => asOwner(id, email)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(5).fill(409)])
})
