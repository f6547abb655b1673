import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService, type TestService, useService } from '../support/app.ts'
import { Authenticator } from '../support/authenticator.ts'
import { Client } from '../support/client.ts'
import { aSchool, aUser, logIn, PASSWORD, type School } from '../support/factory.ts'
import { type Held, holdBody } from '../support/held-request.ts'
import { aPasskey, inSession, must, originOf } from '../support/passkeys.ts'
import { type LoggedIn, loginOf } from '../support/session.ts'

const service = useService()
const NEW_PASSWORD = 'a better horse battery'
const HOUR = { start_at: '2041-05-06 08:00', end_at: '2041-05-06 08:45' }
const FILE = Buffer.from('first_name,last_name\nMia,Busch\n').toString('base64')
let other: TestService

beforeAll(async () => {
  other = await startService(service().db)
})

afterAll(() => other.close())

/** A school, and a user of it in a session, with what requests are about. */
type Scene = {
  readonly school: School
  readonly user: LoggedIn
  readonly client: Client
  readonly ids: Readonly<
    Record<'instructor' | 'student' | 'lesson' | 'colleague' | 'invited' | 'passkey', string>
  >
  readonly credential: unknown
}

async function aScene(role: 'owner' | 'office' = 'owner'): Promise<Scene> {
  const school = await aSchool(service())
  const user = await loginOf(service(), await aUser(service(), school.tenantId, { role }))
  const client = inSession(user)
  const [instructor, student] = [await school.instructor(), await school.student()]
  const booking = { instructor_id: instructor.id, student_id: student.id }
  const lesson = await school.lesson({ ...booking, start_at: '2041-05-07 08:00', end_at: '2041-05-07 08:45' })
  const colleague = await aUser(service(), school.tenantId, { role: 'office' })
  const email = `${crypto.randomUUID()}@school.example`
  const { user: invited } = must(
    201,
    await school.client.post('/users', { email, name: 'Ida', role: 'office' }),
  )
  const { id: passkey } = await aPasskey(service(), user)
  const options = must(200, await client.post('/auth/passkeys/options'))
  const credential = new Authenticator(originOf(service())).register(options)
  const people = { instructor: instructor.id, student: student.id, colleague: colleague.id }
  return {
    school,
    user,
    client,
    ids: { ...people, lesson: lesson.id, invited: invited.id, passkey },
    credential,
  }
}

type Ask = (scene: Scene) => readonly [method: string, path: string, body: unknown]

/** Writes with a body, or with an empty one where none is needed: its bytes can be held back all the same. */
const WRITES: Readonly<Record<string, Ask>> = {
  'invite an owner': () => [
    'POST',
    '/users',
    { email: `${crypto.randomUUID()}@x.example`, name: 'Eve', role: 'owner' },
  ],
  'promote a colleague': ({ ids }) => ['PATCH', `/users/${ids.colleague}`, { role: 'owner' }],
  'invite again': ({ ids }) => ['POST', `/users/${ids.invited}/invitation`, {}],
  'correct an invited address': ({ ids }) => [
    'POST',
    `/users/${ids.invited}/invitation`,
    { email: `${crypto.randomUUID()}@x.example` },
  ],
  'make a link to reset': ({ ids }) => ['POST', `/users/${ids.colleague}/password-reset`, {}],
  'change the settings': () => ['PATCH', '/tenant', { name: 'Taken over' }],
  'change the password': () => [
    'POST',
    '/auth/password',
    { current_password: PASSWORD, new_password: NEW_PASSWORD },
  ],
  'add a passkey': ({ credential }) => ['POST', '/auth/passkeys', { name: 'Thief', credential }],
  'rename a passkey': ({ ids }) => ['PATCH', `/auth/passkeys/${ids.passkey}`, { name: 'Mine' }],
  'remove a passkey': ({ ids }) => ['DELETE', `/auth/passkeys/${ids.passkey}`, {}],
  'ask for a second factor': () => ['PATCH', '/auth/second-factor', { enabled: true }],
  'make recovery codes': () => ['POST', '/auth/recovery-codes', {}],
  'prove by password': () => ['POST', '/auth/proof', { password: PASSWORD }],
  'make a feed': ({ ids }) => ['POST', `/instructors/${ids.instructor}/calendar-feed`, { detail: 'full' }],
  'make a student’s link': ({ ids }) => ['POST', `/students/${ids.student}/link`, {}],
  'enrol a student': () => ['POST', '/students', { first_name: 'Eve', last_name: 'Late' }],
  'import students': () => ['POST', '/student-imports', { file: FILE }],
  'change a student': ({ ids }) => ['PATCH', `/students/${ids.student}`, { phone: '1' }],
  'delete a student': ({ ids }) => ['DELETE', `/students/${ids.student}`, {}],
  'hire an instructor': () => ['POST', '/instructors', { first_name: 'Eve', last_name: 'Late' }],
  'change an instructor': ({ ids }) => ['PATCH', `/instructors/${ids.instructor}`, { phone: '1' }],
  'book a lesson': ({ school, ids }) => ['POST', '/appointments', lessonOf(school, ids)],
  'book a series': ({ school, ids }) => [
    'POST',
    '/appointments/series',
    { appointment: lessonOf(school, ids), repeat: { every_weeks: 1, count: 3 } },
  ],
  'book a batch': ({ school, ids }) => [
    'POST',
    '/appointments/batch',
    { appointments: [lessonOf(school, ids)] },
  ],
  'move a lesson': ({ ids }) => ['PATCH', `/appointments/${ids.lesson}`, HOUR],
  'delete a lesson': ({ ids }) => ['DELETE', `/appointments/${ids.lesson}`, {}],
  'ask the office': ({ ids }) => [
    'POST',
    '/schedule-requests',
    { instructor_id: ids.instructor, availability_windows: [] },
  ],
}

function lessonOf({ lessonTypes }: School, { instructor, student }: Scene['ids']) {
  return { instructor_id: instructor, student_id: student, lesson_type_id: lessonTypes.PRACTICE, ...HOUR }
}

function hold(scene: Scene, name: string, reached: TestService = service()): Promise<Held> {
  const [method, path, body] = WRITES[name]?.(scene) ?? ['', '', {}]
  const client = reached === service() ? scene.client : new Client(reached, scene.client.headers)
  return holdBody(reached, { client, method, path, body })
}

/** What a write leaves: entries of the log, and what no entry tells of. */
async function tracesOf({ school, user }: Scene): Promise<unknown> {
  const { rows } = await sql`select
      (select count(*) from changes where tenant_id = ${school.tenantId}) as changes,
      (select count(*) from mails where tenant_id = ${school.tenantId}) as mails,
      (select password_hash from users where id = ${user.user.id}) as password,
      (select string_agg(user_id || kind || encode(secret_hash, 'hex'), ',' order by user_id, kind) from password_links
        where user_id in (select id from users where tenant_id = ${school.tenantId})) as links,
      (select string_agg(email, ',' order by id) from users where tenant_id = ${school.tenantId}) as addresses,
      (select count(*) from passkeys where user_id = ${user.user.id}) as passkeys,
      (select string_agg(proved_at::text, ',' order by id) from token_families
        where user_id = ${user.user.id}) as proofs`.execute(service().db)
  return rows
}

/** Ways in which a session ends while a body is on its way. */
const ENDINGS: Readonly<Record<string, (scene: Scene) => Promise<unknown>>> = {
  'its user is disabled': async ({ school, user }) =>
    must(200, await school.client.patch(`/users/${user.user.id}`, { disabled: true })),
  'it is logged out': async ({ user }) =>
    must(204, await new Client(service()).post('/auth/logout', { refresh_token: user.refreshToken })),
  'it is ended from another': async ({ user }) =>
    must(204, await inSession(await loginOf(service(), user.user)).delete('/auth/sessions')),
  'the password is changed in another': async ({ user }) => {
    const change = { current_password: PASSWORD, new_password: `${NEW_PASSWORD}!` }
    must(204, await inSession(await loginOf(service(), user.user)).post('/auth/password', change))
  },
}

describe.each(Object.keys(ENDINGS))('a request whose body comes when %s (S22)', (ending) => {
  it.each(Object.keys(WRITES))('does not %s', async (name) => {
    const scene = await aScene()
    const held = await hold(scene, name)
    await ENDINGS[ending]?.(scene)
    const before = await tracesOf(scene)
    expect(await held.letGo()).toEqual({ status: 401, code: 'unauthenticated' })
    expect(await tracesOf(scene)).toEqual(before)
  })
})

describe('a request whose body comes when its user has another role (S22)', () => {
  const demote = async ({ school, user }: Scene, change: object) =>
    must(200, await school.client.patch(`/users/${user.user.id}`, change))

  it.each([
    'invite an owner',
    'promote a colleague',
    'invite again',
    'correct an invited address',
    'make a link to reset',
    'change the settings',
  ])('does not %s for an owner who has become a clerk', async (name) => {
    const scene = await aScene()
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
    const scene = await aScene('office')
    const held = await hold(scene, name)
    const { id: instructor_id } = await scene.school.instructor()
    await demote(scene, { role: 'instructor', instructor_id })
    const before = await tracesOf(scene)
    expect((await held.letGo()).status).toBe(status)
    expect(await tracesOf(scene)).toEqual(before)
  })

  it('does what the new role may', async () => {
    const scene = await aScene('office')
    const writing = await hold(scene, 'enrol a student')
    await demote(scene, { role: 'owner' })
    expect((await writing.letGo()).status).toBe(201)
  })
})

it('a request whose body comes once another process has learned that its session has ended does nothing (S22)', async () => {
  const scene = await aScene()
  const elsewhere = new Client(other, scene.client.headers)
  const held = await hold(scene, 'enrol a student', other)
  must(200, await scene.school.client.patch(`/users/${scene.user.user.id}`, { disabled: true }))
  await expect.poll(async () => (await elsewhere.get('/auth/me')).status, { timeout: 8_000 }).toBe(401)
  const before = await tracesOf(scene)
  expect((await held.letGo()).status).toBe(401)
  expect(await tracesOf(scene)).toEqual(before)
})

it('a key that was used in time is not repeated to a session that has ended (S22)', async () => {
  const scene = await aScene()
  const key = { 'idempotency-key': crypto.randomUUID() }
  const body = { first_name: 'Mia', last_name: 'Busch' }
  must(201, await scene.client.post('/students', body, key))
  const client = scene.client.with(key)
  const held = await holdBody(service(), { client, method: 'POST', path: '/students', body })
  must(200, await scene.school.client.patch(`/users/${scene.user.user.id}`, { disabled: true }))
  expect(await held.letGo()).toEqual({ status: 401, code: 'unauthenticated' })
})

it('a session that goes on is not troubled by the wait', async () => {
  const scene = await aScene()
  for (const name of ['invite an owner', 'enrol a student', 'book a lesson']) {
    const held = await hold(scene, name)
    await logIn(new Client(service()), scene.user.user.email)
    expect((await held.letGo()).status).toBe(201)
  }
})
