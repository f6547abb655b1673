import { beforeAll, describe, expect, it } from 'vitest'
import { disableUser } from '../../src/auth/users.ts'
import { useService } from '../support/app.ts'
import { changesOf } from '../support/changes.ts'
import { Client, must } from '../support/client.ts'
import { anActor, aSchool, aUser, type Row, type School, type User } from '../support/factory.ts'
import { feedOf, feedPathIn } from '../support/links.ts'

const service = useService()
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

const statusOf = async (path: string) => (await new Client(service()).get(path)).status
const stateOf = async ({ id }: Row) => (await school.client.get(`/instructors/${id}/calendar-feed`)).body.feed
const change = async ({ id }: User, fields: object) =>
  must(200, await school.client.patch(`/users/${id}`, fields))

/** Creates an instructor with a login and a feed. */
async function aTeacher() {
  const instructor = await school.instructor()
  const login = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id: instructor.id })
  const path = await feedOf(school, instructor, 'full')
  expect(await statusOf(path)).toBe(200)
  return { instructor, login, path }
}

const invite = async (instructor: Row, role = 'instructor') => {
  const email = `${crypto.randomUUID()}@school.example`
  const invited = { email, name: 'Rita', role, instructor_id: instructor.id }
  return must(201, await school.client.post('/users', invited)).user as User
}

describe('a feed that ended with its login (S109)', () => {
  type Teacher = Awaited<ReturnType<typeof aTeacher>>

  it.each<[string, (teacher: Teacher) => Promise<unknown>]>([
    ['is disabled by an owner', ({ login }) => change(login, { disabled: true })],
    [
      'is disabled by a command',
      async ({ login }) =>
        disableUser(service().db, await anActor(service(), school.tenantId), login.id, true),
    ],
    ['is given another role', ({ login }) => change(login, { role: 'office', instructor_id: null })],
    [
      'is moved to another instructor',
      async ({ login }) => change(login, { instructor_id: (await school.instructor()).id }),
    ],
  ])('stays ended when the login %s and another is invited', async (_, end) => {
    const teacher = await aTeacher()
    await end(teacher)
    const { instructor, path } = teacher
    expect(await statusOf(path)).toBe(404)
    await invite(instructor)
    await aUser(service(), school.tenantId, { role: 'instructor', instructor_id: instructor.id })
    expect(await statusOf(path)).toBe(404)
    expect(await stateOf(instructor)).toBeNull()
  })

  it('stays ended when the login is enabled again', async () => {
    const { login, path } = await aTeacher()
    await change(login, { disabled: true })
    await change(login, { disabled: false })
    expect(await statusOf(path)).toBe(404)
  })

  it('stays ended when the instructor is active again', async () => {
    const { instructor, path } = await aTeacher()
    for (const active of [false, true])
      must(200, await school.client.patch(`/instructors/${instructor.id}`, { active }))
    expect(await statusOf(path)).toBe(404)
  })

  it('is logged with the user who ended it', async () => {
    const { instructor, login } = await aTeacher()
    await change(login, { disabled: true })
    const [latest] = await changesOf(school.client, '?resource=calendar_feed')
    expect(latest).toMatchObject({
      action: 'deleted',
      actor: { id: school.user.id },
      before: { instructor_id: instructor.id, detail: 'full' },
      after: null,
    })
  })
})

describe('an active feed', () => {
  it('stays active while the instructor has another enabled login', async () => {
    const { instructor, login, path } = await aTeacher()
    const second = await aUser(service(), school.tenantId, { role: 'owner', instructor_id: instructor.id })
    await change(login, { disabled: true })
    expect(await statusOf(path)).toBe(200)
    await change(second, { instructor_id: null })
    expect(await statusOf(path)).toBe(404)
  })

  it('stays active when the login is renamed or the login of another instructor is disabled', async () => {
    const { login, path } = await aTeacher()
    const other = await aTeacher()
    await change(login, { name: 'Rita' })
    await change(other.login, { disabled: true })
    expect([await statusOf(path), await statusOf(other.path)]).toEqual([200, 404])
  })

  it('works for an instructor without a login, before and after an invitation', async () => {
    const instructor = await school.instructor()
    const path = await feedOf(school, instructor, 'busy')
    expect(await statusOf(path)).toBe(200)
    await invite(instructor)
    expect(await statusOf(path)).toBe(200)
  })
})

it('a feed ends with its login despite concurrent feed creation, and a new login allows another (S109)', async () => {
  const { instructor, login, path } = await aTeacher()
  const made = Promise.all(
    Array.from({ length: 6 }, () =>
      school.client.post(`/instructors/${instructor.id}/calendar-feed`, { detail: 'busy' }),
    ),
  )
  await change(login, { disabled: true })
  const paths = (await made).map((answer) => feedPathIn(must(200, answer).url))
  const statuses = () => Promise.all([path, ...paths].map(statusOf))
  expect(await statuses()).toEqual(Array(7).fill(404))
  await invite(instructor)
  expect(await statusOf(await feedOf(school, instructor, 'busy'))).toBe(200)
  expect(await statuses()).toEqual(Array(7).fill(404))
})

it('the invitation of a disabled user returns 404 even after the user is enabled again (S109)', async () => {
  const instructor = await school.instructor()
  const email = `${crypto.randomUUID()}@school.example`
  const body = { email, name: 'Rita', role: 'instructor', instructor_id: instructor.id }
  const { user, invitation } = must(201, await school.client.post('/users', body))
  const token = invitation.url.split('#').at(-1)
  const look = () => statusOf(`/auth/invitations/${token}`)
  expect(await look()).toBe(200)
  for (const disabled of [true, false]) await change(user, { disabled })
  expect(await look()).toBe(404)
})
