import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { Client, must } from '../support/client.ts'
import { aSchool, aUser, cheapHash, PASSWORD } from '../support/factory.ts'
import { accept, anInvitation, newEmail, tokenIn } from '../support/invitations.ts'
import { bearer } from '../support/session.ts'
import { aPersonAt, enterWith, schoolsOf } from '../support/shared-address.ts'

const service = useService()
const OTHER = 'staple, correct horse'

/** Creates a person who has the test password at each of `count` schools. */
const atSchools = (count: number) => aPersonAt(service(), Array<string>(count).fill(PASSWORD))

const switchTo = (client: Client, id: string) => client.post(`/auth/schools/${id}`)
const login = (email: string, password = PASSWORD) =>
  new Client(service()).post('/auth/login', { email, password })

describe('a person at one school', () => {
  it('logs in, lists that school, and gets 404 for every switch', async () => {
    const school = await aSchool(service())
    const answer = await login(school.user.email)
    expect(Object.keys(answer.body)).toEqual([
      'token',
      'refresh_token',
      'token_type',
      'expires_in',
      'refresh_expires_in',
    ])
    const listed = { id: school.tenantId, name: 'Fahrschule Test', is_current: true, second_factor: false }
    expect((await school.client.get('/auth/schools')).body).toEqual([listed])
    const elsewhere = await aSchool(service())
    for (const id of [elsewhere.tenantId, school.tenantId, randomUUID(), 'x'])
      expect((await switchTo(school.client, id)).status).toBe(404)
  })
})

describe('a person at several schools with one password', () => {
  it('logs in at the oldest school, and can switch to the others', { tags: ['embedded'] }, async () => {
    const [first, second, third] = await atSchools(3)
    if (!first || !second || !third) throw new Error('three were made')
    const session = await enterWith(service(), first.user.email)
    const ids = [first, second, third].map(({ school }) => school.tenantId)
    expect(await schoolsOf(session.client)).toEqual({ all: ids, current: ids[0] })

    expect((await switchTo(session.client, randomUUID())).status).toBe(404)
    const answer = await switchTo(session.client, third.school.tenantId)
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, expect.arrayContaining(['token'])])
    expect(answer.headers.getSetCookie().map((cookie) => cookie.split('=')[0])).toEqual([
      'svc_jwt',
      'svc_refresh',
    ])
    const there = new Client(service(), bearer(answer.body.token))
    expect((await there.get('/auth/me')).body).toMatchObject({ id: third.user.id, tenant_id: ids[2] })
    expect(await schoolsOf(there)).toEqual({ all: ids, current: ids[2] })

    const next = must(200, await switchTo(there, second.school.tenantId))
    const me = await new Client(service(), bearer(next.token)).get('/auth/me')
    expect(me.body).toMatchObject({ id: second.user.id, tenant: { name: 'School 1' } })
  })

  it('loses the previous session and its tokens on a switch', async () => {
    const [first, second] = await atSchools(2)
    if (!first || !second) throw new Error('two were made')
    const session = await enterWith(service(), first.user.email)
    must(200, await switchTo(session.client, second.school.tenantId))
    expect((await session.client.get('/auth/me')).status).toBe(401)
    const refreshed = await session.client.post('/auth/refresh', { refresh_token: session.refresh })
    expect([refreshed.status, refreshed.body.code]).toEqual([401, 'invalid_refresh_token'])
    expect((await switchTo(session.client, second.school.tenantId)).status).toBe(401)
  })

  it('can still switch after the session is refreshed', async () => {
    const [first, second] = await atSchools(2)
    if (!first || !second) throw new Error('two were made')
    const { refresh } = await enterWith(service(), first.user.email)
    const { token } = must(200, await new Client(service()).post('/auth/refresh', { refresh_token: refresh }))
    must(200, await switchTo(new Client(service(), bearer(token)), second.school.tenantId))
  })

  it('needs a new proof after a switch to add a passkey', async () => {
    const [first, second] = await atSchools(2)
    if (!first || !second) throw new Error('two were made')
    const session = await enterWith(service(), first.user.email)
    must(200, await session.client.post('/auth/passkeys/options'))
    const { token } = must(200, await switchTo(session.client, second.school.tenantId))
    const there = new Client(service(), bearer(token))
    const refused = await there.post('/auth/passkeys/options')
    expect([refused.status, refused.body.code]).toEqual([403, 'proof_required'])
    must(204, await there.post('/auth/proof', { password: PASSWORD }))
    must(200, await there.post('/auth/passkeys/options'))
  })

  it('can still log in if disabled at one school, but not if disabled at both', async () => {
    const [first, second] = await atSchools(2)
    if (!first || !second) throw new Error('two were made')
    must(200, await first.school.client.patch(`/users/${first.user.id}`, { disabled: true }))
    const { client } = await enterWith(service(), first.user.email)
    expect(await schoolsOf(client)).toEqual({
      all: [second.school.tenantId],
      current: second.school.tenantId,
    })
    must(200, await second.school.client.patch(`/users/${second.user.id}`, { disabled: true }))
    expect((await login(first.user.email)).body.code).toBe('invalid_credentials')
  })
})

describe('a person at two schools with two passwords', () => {
  it('logs in at one school with each password', { tags: ['embedded'] }, async () => {
    const [first, second] = await aPersonAt(service(), [PASSWORD, OTHER])
    if (!first || !second) throw new Error('two were made')
    for (const [password, { school, user }] of [
      [PASSWORD, first],
      [OTHER, second],
    ] as const) {
      const { client } = await enterWith(service(), user.email, password)
      expect((await client.get('/auth/me')).body.id).toBe(user.id)
      expect((await schoolsOf(client)).all).toEqual([school.tenantId])
    }
    const { client } = await enterWith(service(), first.user.email)
    expect((await switchTo(client, second.school.tenantId)).status).toBe(404)
    expect((await login(first.user.email, 'neither of the two')).body.code).toBe('invalid_credentials')
  })

  it('changes each password separately', async () => {
    const [first, second] = await aPersonAt(service(), [PASSWORD, OTHER])
    if (!first || !second) throw new Error('two were made')
    const { client } = await enterWith(service(), first.user.email)
    const wrong = await client.post('/auth/password', {
      current_password: OTHER,
      new_password: 'a third one',
    })
    expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_credentials'])
    must(204, await client.post('/auth/password', { current_password: PASSWORD, new_password: OTHER }))
    expect((await login(first.user.email)).status).toBe(401)
    const together = await enterWith(service(), first.user.email, OTHER)
    expect((await schoolsOf(together.client)).all).toHaveLength(2)
  })
})

describe('the right to switch to a school', () => {
  const cases: [string, (there: Awaited<ReturnType<typeof atSchools>>[number]) => Promise<unknown>][] = [
    [
      'ends when the password there is reset by link',
      async ({ school, user }) => {
        const { url } = must(200, await school.client.post(`/users/${user.id}/password-reset`))
        const reset = { password: OTHER }
        must(204, await new Client(service()).post(`/auth/password-resets/${tokenIn(url)}`, reset))
      },
    ],
    [
      'ends when the user there is disabled, even if enabled again',
      async ({ school, user }) => {
        must(200, await school.client.patch(`/users/${user.id}`, { disabled: true }))
        must(200, await school.client.patch(`/users/${user.id}`, { disabled: false }))
      },
    ],
    [
      'ends when the email address there is changed',
      async ({ school, user }) => {
        const email = newEmail()
        must(200, await school.client.post(`/users/${user.id}/email-change`, { email }))
      },
    ],
    [
      'ends when the user there ends all other sessions',
      async ({ school, user }) => {
        const { client } = await enterWith(service(), user.email)
        const { token } = must(200, await switchTo(client, school.tenantId))
        must(204, await client.delete('/auth/sessions', bearer(token)))
      },
    ],
  ]
  it.each(cases)('%s', async (_, act) => {
    const [first, second] = await atSchools(2)
    if (!first || !second) throw new Error('two were made')
    const { client } = await enterWith(service(), first.user.email)
    expect((await schoolsOf(client)).all).toHaveLength(2)
    await act(second)
    expect((await schoolsOf(client)).all).toEqual([first.school.tenantId])
    expect((await switchTo(client, second.school.tenantId)).status).toBe(404)
    expect((await client.get('/auth/me')).status).toBe(200)
  })
})

describe("an invitation of another school's email address", () => {
  it('gets the same response as that of an unknown address', { tags: ['embedded'] }, async () => {
    const [theirs, ours] = [await aSchool(service()), await aSchool(service())]
    const ask = (email: string) => ours.client.post('/users', { email, name: 'Ida', role: 'office' })
    const [known, unknown] = [await ask(theirs.user.email), await ask(newEmail())]
    expect([known.status, unknown.status]).toEqual([201, 201])
    expect(Object.keys(known.body.user)).toEqual(Object.keys(unknown.body.user))
    expect(known.body.user).toMatchObject({ state: 'invited', last_seen_at: null, mail: null })
    const visitor = new Client(service())
    const page = await visitor.get(`/auth/invitations/${tokenIn(known.body.invitation.url)}`)
    expect(Object.keys(page.body)).toEqual(['school', 'name', 'email', 'expires_at', 'issuer'])
    expect((await login(theirs.user.email)).status).toBe(200)
  })

  it('opens both schools at login only if accepted with the same password', async () => {
    for (const password of [PASSWORD, OTHER]) {
      const theirs = await aSchool(service())
      const ours = await aSchool(service())
      const { token, id } = await anInvitation(ours, { email: theirs.user.email })
      const accepted = must(200, await accept(new Client(service()), token, password))
      const here = new Client(service(), bearer(accepted.token))
      expect((await here.get('/auth/me')).body.id).toBe(id)
      expect((await schoolsOf(here)).all).toEqual([ours.tenantId])
      const { client } = await enterWith(service(), theirs.user.email, PASSWORD)
      expect((await schoolsOf(client)).all).toHaveLength(password === PASSWORD ? 2 : 1)
    }
  })

  it('is rejected with 409 email_taken at a sixth school', async () => {
    const [{ user }] = (await atSchools(5)) as [Awaited<ReturnType<typeof atSchools>>[number]]
    const sixth = await aSchool(service())
    const refused = await sixth.client.post('/users', { email: user.email, name: 'Ida', role: 'office' })
    expect([refused.status, refused.body.code]).toEqual([409, 'email_taken'])
    const { id } = await anInvitation(sixth)
    const moved = await sixth.client.post(`/users/${id}/invitation`, { email: user.email })
    expect([moved.status, moved.body.code]).toEqual([409, 'email_taken'])
    const active = await aUser(service(), sixth.tenantId, { hash: cheapHash(OTHER) })
    const changed = await sixth.client.post(`/users/${active.id}/email-change`, { email: user.email })
    expect([changed.status, changed.body.code]).toEqual([409, 'email_taken'])
    const { client } = await enterWith(service(), user.email)
    expect((await schoolsOf(client)).all).toHaveLength(5)
  })
})
