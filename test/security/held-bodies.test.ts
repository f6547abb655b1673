// @module-tag long: sends a slow body to every route; slow-clients.test.ts covers the path

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService, type TestService, useService } from '../support/app.ts'
import { Client, must } from '../support/client.ts'
import { logIn, PASSWORD } from '../support/factory.ts'
import { holdBody } from '../support/held-request.ts'
import { inSession } from '../support/passkeys.ts'
import { loginOf } from '../support/session.ts'
import { aScene, NEW_PASSWORD, type Scene, WRITES } from './held-writes.ts'

const service = useService()
let other: TestService

beforeAll(async () => {
  other = await startService(service().db)
})

afterAll(() => other.close())

function hold(scene: Scene, name: string, reached: TestService = service()) {
  const [method, path, body] = WRITES[name]?.(scene) ?? ['', '', {}]
  const client = reached === service() ? scene.client : new Client(reached, scene.client.headers)
  return holdBody(reached, { client, method, path, body })
}

/** Returns everything that a write leaves in the log and elsewhere. */
async function tracesOf({ school, user }: Scene): Promise<unknown> {
  const { rows } = await sql`select
      (select count(*) from changes where tenant_id = ${school.tenantId}) as changes,
      (select count(*) from mails where tenant_id = ${school.tenantId}) as mails,
      (select password_hash from users where id = ${user.user.id}) as password,
      (select string_agg(user_id || kind || encode(secret_hash, 'hex'), ',' order by user_id, kind) from password_links
        where user_id in (select id from users where tenant_id = ${school.tenantId})) as links,
      (select string_agg(email, ',' order by id) from users where tenant_id = ${school.tenantId}) as addresses,
      (select count(*) from passkeys where user_id = ${user.user.id}) as passkeys,
      (select one::text from identity_providers one where tenant_id = ${school.tenantId}) as provider,
      (select one::text from identities one where user_id = ${user.user.id}) as identity,
      (select string_agg(proved_at::text, ',' order by id) from token_families
        where user_id = ${user.user.id}) as proofs`.execute(service().db)
  return rows
}

/** Ways in which a session ends while a body is being sent. */
const ENDINGS: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  'its user is disabled': async ({ school, user }) =>
    must(200, await school.client.patch(`/users/${user.user.id}`, { disabled: true })),
  'its session is logged out': async ({ user }) =>
    must(204, await new Client(service()).post('/auth/logout', { refresh_token: user.refreshToken })),
  'its session is ended from another one': async ({ user }) =>
    must(204, await inSession(await loginOf(service(), user.user)).delete('/auth/sessions')),
  'the password is changed in another session': async ({ user }) => {
    const change = { current_password: PASSWORD, new_password: `${NEW_PASSWORD}!` }
    must(204, await inSession(await loginOf(service(), user.user)).post('/auth/password', change))
  },
}

describe.each(Object.keys(ENDINGS))('a request whose body arrives after %s (S22)', (ending) => {
  it.each(Object.keys(WRITES))('does not %s', async (name) => {
    const scene = await aScene(service)
    const held = await hold(scene, name)
    await ENDINGS[ending]?.(scene)
    const before = await tracesOf(scene)
    expect(await held.letGo()).toEqual({ status: 401, code: 'unauthenticated' })
    expect(await tracesOf(scene)).toEqual(before)
  })
})

describe('a request whose body arrives after its user got another role (S22)', () => {
  const demote = async ({ school, user }: Scene, change: object) =>
    must(200, await school.client.patch(`/users/${user.user.id}`, change))

  it.each([
    'invite an owner',
    'promote a colleague',
    'invite again',
    'correct an invited address',
    'change a colleague’s address',
    'make a link to reset',
    'change the settings',
    'set an identity provider',
    'remove the identity provider',
  ])('does not %s for an owner who has become a clerk', async (name) => {
    const scene = await aScene(service)
    const held = await hold(scene, name)
    await demote(scene, { role: 'office' })
    const before = await tracesOf(scene)
    expect(await held.letGo()).toEqual({ status: 403, code: 'forbidden' })
    expect(await tracesOf(scene)).toEqual(before)
  })

  it.each([
    ['change a student', 403],
    ['enrol a student', 403],
    ['book a lesson', 403],
    ['move a lesson', 404],
    ['make a feed', 404],
    ['ask the office', 404],
  ])('does not %s for a clerk who has become an instructor: %i', async (name, status) => {
    const scene = await aScene(service, 'office')
    const held = await hold(scene, name)
    const { id: instructor_id } = await scene.school.instructor()
    await demote(scene, { role: 'instructor', instructor_id })
    const before = await tracesOf(scene)
    expect((await held.letGo()).status).toBe(status)
    expect(await tracesOf(scene)).toEqual(before)
  })

  it('succeeds if the new role has the permission', async () => {
    const scene = await aScene(service, 'office')
    const writing = await hold(scene, 'enrol a student')
    await demote(scene, { role: 'owner' })
    expect((await writing.letGo()).status).toBe(201)
  })
})

it('a body that arrives once another process sees the ended session gets 401 and changes nothing (S22)', async () => {
  const scene = await aScene(service)
  const elsewhere = new Client(other, scene.client.headers)
  const held = await hold(scene, 'enrol a student', other)
  must(200, await scene.school.client.patch(`/users/${scene.user.user.id}`, { disabled: true }))
  await expect.poll(async () => (await elsewhere.get('/auth/me')).status, { timeout: 20_000 }).toBe(401)
  const before = await tracesOf(scene)
  expect((await held.letGo()).status).toBe(401)
  expect(await tracesOf(scene)).toEqual(before)
})

it('the response to a known Idempotency-Key is not replayed to an ended session (S22)', async () => {
  const scene = await aScene(service)
  const key = { 'idempotency-key': crypto.randomUUID() }
  const body = { first_name: 'Mia', last_name: 'Busch' }
  must(201, await scene.client.post('/students', body, key))
  const client = scene.client.with(key)
  const held = await holdBody(service(), { client, method: 'POST', path: '/students', body })
  must(200, await scene.school.client.patch(`/users/${scene.user.user.id}`, { disabled: true }))
  expect(await held.letGo()).toEqual({ status: 401, code: 'unauthenticated' })
})

it('a body that arrives late succeeds if the session is still valid', async () => {
  const scene = await aScene(service)
  for (const name of ['invite an owner', 'enrol a student', 'book a lesson']) {
    const held = await hold(scene, name)
    await logIn(new Client(service()), scene.user.user.email)
    expect((await held.letGo()).status).toBe(201)
  }
})
