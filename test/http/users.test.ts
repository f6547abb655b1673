import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { aSchool, aUser, PASSWORD, type School } from '../support/factory.ts'
import { accept, anInvitation, newEmail } from '../support/invitations.ts'
import { bearer, loginOf } from '../support/session.ts'

const service = useService()
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

const invite = (fields: object) =>
  school.client.post('/users', { email: newEmail(), name: 'Ida Invited', role: 'office', ...fields })

describe('an invitation by an owner', () => {
  it('creates a user without a password, and a link for seven days', async () => {
    const email = newEmail()
    const answer = await invite({ email: `  ${email.toUpperCase()} ` })
    expect(answer.status, answer.text).toBe(201)
    const { user, invitation } = answer.body
    expect(user).toMatchObject({ email, name: 'Ida Invited', role: 'office', state: 'invited', version: 1 })
    expect([user.disabled, user.last_seen_at, user.invited_until]).toEqual([
      false,
      null,
      invitation.expires_at,
    ])
    expect(answer.headers.get('location')).toBe(`/api/v1/users/${user.id}`)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const days = (Date.parse(invitation.expires_at) - Date.now()) / 86_400_000
    expect(Math.round(days * 100)).toBe(700)
    const { origin, pathname, hash } = new URL(invitation.url)
    expect([origin, pathname]).toEqual([service().url, '/invitation'])
    expect(hash).toMatch(/^#[\w-]{43}$/)
    const login = await new Client(service()).post('/auth/login', { email, password: PASSWORD })
    expect([login.status, login.body.code]).toEqual([401, 'invalid_credentials'])
  })

  it('can be for an instructor of the school, but not of another school', async () => {
    const { id } = await school.instructor()
    const { body } = await invite({ role: 'instructor', instructor_id: id })
    expect(body.user).toMatchObject({ role: 'instructor', instructor_id: id })
    for (const instructor_id of [randomUUID(), (await (await aSchool(service())).instructor()).id]) {
      const refused = await invite({ role: 'instructor', instructor_id })
      expect([refused.status, refused.body.code]).toEqual([404, 'not_found'])
    }
  })

  it.each([
    [{ role: 'instructor' }, '/instructor_id', 'required'],
    [{ role: 'boss' }, '/role', 'not_allowed'],
    [{ email: 'nobody' }, '/email', 'invalid_format'],
    [{ name: ' ' }, '/name', 'too_short'],
    [{ password: PASSWORD }, '/password', 'unknown_field'],
  ])('is rejected with 400 for %o', async (fields, pointer, code) => {
    const { status, body } = await invite(fields)
    expect([status, body.errors[0]?.pointer, body.errors[0]?.code]).toEqual([400, pointer, code])
  })

  it('is rejected with 409 email_taken for the address of a user of the school', async () => {
    const { email } = await anInvitation(school)
    for (const taken of [school.user.email, email]) {
      const { status, body } = await invite({ email: taken })
      expect([status, body.code]).toEqual([409, 'email_taken'])
    }
  })

  it('can be repeated, which replaces the old link', async () => {
    const { id, token, email } = await anInvitation(school)
    const answer = await school.client.post(`/users/${id}/invitation`)
    expect(answer.status, answer.text).toBe(200)
    const client = new Client(service())
    expect((await client.get(`/auth/invitations/${token}`)).status).toBe(404)
    const again = new URL(answer.body.url).hash.slice(1)
    const { body } = await client.get(`/auth/invitations/${again}`)
    expect(body).toMatchObject({ email, name: 'Ida Invited', school: 'Fahrschule Test' })
    expect(body.expires_at).toBe(answer.body.expires_at)
  })
})

describe('the list of users', () => {
  it('is sorted by name, shows state and last_seen_at, and is paginated', async () => {
    const place = await aSchool(service())
    await anInvitation(place, { name: 'Zoe Last' })
    await anInvitation(place, { name: 'Aaron First', role: 'owner' })
    const { body, headers } = await place.client.get('/users')
    expect(body.map(({ name, state }: { name: string; state: string }) => [name, state])).toEqual([
      ['Aaron First', 'invited'],
      ['Anna Office', 'active'],
      ['Zoe Last', 'invited'],
    ])
    expect(Date.now() - Date.parse(body[1].last_seen_at)).toBeLessThan(60_000)
    const tag = headers.get('etag') ?? ''
    expect((await place.client.get('/users', { 'if-none-match': tag })).status).toBe(304)
    const page = await place.client.get('/users?limit=2')
    const next = /<([^>]*)>/.exec(page.headers.get('link') ?? '')?.[1] ?? ''
    expect((await place.client.get(next.replace('/api/v1', ''))).body).toEqual([body[2]])
  })
})

describe('a change of a user by an owner', () => {
  it('applies a new role to the next request', async () => {
    const { id: instructor_id } = await school.instructor()
    const user = await aUser(service(), school.tenantId, { role: 'office' })
    const { client, token } = await loginOf(service(), user)
    const ask = async () => (await client.get('/auth/me', bearer(token))).body
    expect((await ask()).role).toBe('office')
    const changed = await school.client.patch(`/users/${user.id}`, { role: 'instructor', instructor_id })
    expect(changed.body).toMatchObject({ role: 'instructor', instructor_id, version: 2 })
    expect(await ask()).toMatchObject({ role: 'instructor', instructor_id })
    await school.client.patch(`/users/${user.id}`, { role: 'owner' })
    expect(await ask()).toMatchObject({ role: 'owner', instructor_id })
    await school.client.patch(`/users/${user.id}`, { instructor_id: null })
    expect(await ask()).toMatchObject({ role: 'owner', instructor_id: null })
  })

  it('ends all sessions of a disabled user, who can log in again once enabled', async () => {
    const user = await aUser(service(), school.tenantId)
    const { client, token, refreshToken } = await loginOf(service(), user)
    const me = () => client.get('/auth/me', bearer(token))
    expect((await me()).status).toBe(200)
    const { body } = await school.client.patch(`/users/${user.id}`, { disabled: true })
    expect([body.state, body.disabled]).toEqual(['disabled', true])
    expect((await me()).status).toBe(401)
    expect((await client.post('/auth/refresh', { refresh_token: refreshToken })).status).toBe(401)
    await school.client.patch(`/users/${user.id}`, { disabled: false })
    expect((await me()).status).toBe(401)
    expect((await loginOf(service(), user)).token).toBeTruthy()
  })

  it('rejects a stale If-Match with 412', async () => {
    const { id } = await anInvitation(school)
    const first = await school.client.patch(`/users/${id}`, { name: 'New' }, { 'if-match': '"1"' })
    expect([first.status, first.headers.get('etag')]).toEqual([200, '"2"'])
    const stale = await school.client.patch(`/users/${id}`, { name: 'Newer' }, { 'if-match': '"1"' })
    expect([stale.status, stale.body.code]).toEqual([412, 'stale'])
  })

  it.each([
    [{ role: 'instructor' }, 'required'],
    [{ instructor_id: randomUUID() }, undefined],
    [{ email: 'other@school.example' }, 'unknown_field'],
  ])('rejects %o', async (change, code) => {
    const { id } = await anInvitation(school)
    const { status, body } = await school.client.patch(`/users/${id}`, change)
    expect([status, body.errors?.[0]?.code]).toEqual([code ? 400 : 404, code])
  })

  it('returns the same 404 for users of another school and unknown users', async () => {
    const other = await aSchool(service())
    const { id } = await anInvitation(other)
    for (const ask of [
      (path: string) => school.client.patch(path, { name: 'Mine' }),
      (path: string) => school.client.post(`${path}/invitation`),
      (path: string) => school.client.post(`${path}/password-reset`),
    ]) {
      const [foreign, unknown] = [await ask(`/users/${id}`), await ask(`/users/${randomUUID()}`)]
      expect(foreign.status).toBe(404)
      expect({ ...foreign.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
    }
  })
})

describe('the last owner who can log in', () => {
  it.each([{ role: 'office' }, { disabled: true }])(
    'cannot be changed to %o (409 last_owner)',
    async (change) => {
      const place = await aSchool(service())
      const own = `/users/${place.user.id}`
      // Neither counts as an owner: one has not accepted, the other cannot log in.
      const invited = await anInvitation(place, { role: 'owner' })
      const disabled = await aUser(service(), place.tenantId)
      await place.client.patch(`/users/${disabled.id}`, { disabled: true })
      const refused = await place.client.patch(own, change)
      expect([refused.status, refused.body.code]).toEqual([409, 'last_owner'])
      expect((await place.client.get('/auth/me')).body.role).toBe('owner')
      await accept(new Client(service()), invited.token, 'staple, correct horse')
      expect((await place.client.patch(own, change)).status).toBe(200)
    },
  )

  it('can be renamed', async () => {
    const answer = await school.client.patch(`/users/${school.user.id}`, { name: 'Anna', role: 'owner' })
    expect(answer.status).toBe(200)
  })
})

it('changes of users are logged without the token of the invitation', async () => {
  const { id, token } = await anInvitation(school)
  await school.client.post(`/users/${id}/invitation`)
  await school.client.patch(`/users/${id}`, { role: 'owner', disabled: true })
  const { text, body } = await school.client.get(`/changes?resource=user&resource_id=${id}`)
  expect(body.map(({ action, after }: { action: string; after: object }) => [action, after])).toEqual([
    ['changed', { role: 'owner', disabled: true }],
    ['changed', { invited_until: expect.stringMatching(/Z$/) }],
    ['created', expect.objectContaining({ role: 'office', name: 'Ida Invited' })],
  ])
  expect(text).not.toContain(token)
})
