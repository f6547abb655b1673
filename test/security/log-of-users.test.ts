import { beforeAll, describe, expect, it } from 'vitest'
import type { Change } from '../../src/contract/change.ts'
import { useService } from '../support/app.ts'
import { changesOf, Follower } from '../support/changes.ts'
import type { Client } from '../support/client.ts'
import { must, Client as Visitor } from '../support/client.ts'
import { aSchool, aUser, logIn, type School, type User } from '../support/factory.ts'
import { bearer } from '../support/session.ts'

const service = useService()
const ADDRESS = 'ben.brandt@school.example'
let school: School
let clerk: User
let office: Client

beforeAll(async () => {
  school = await aSchool(service())
  clerk = await aUser(service(), school.tenantId, { name: 'Cleo Clerk', role: 'office' })
  const visitor = new Visitor(service())
  office = visitor.with(bearer((await logIn(visitor, clerk.email)).token))
})

/** Invites a user, changes the role, and enrols a student. Returns the user's id. */
async function aBusyDay(): Promise<string> {
  const email = `${crypto.randomUUID()}.${ADDRESS}`
  const { user } = must(
    201,
    await school.client.post('/users', { email, name: 'Ben Brandt', role: 'office' }),
  )
  must(200, await school.client.patch(`/users/${user.id}`, { role: 'owner' }))
  await school.student()
  return user.id
}

function resourcesIn(changes: readonly Change[]): readonly string[] {
  return [...new Set(changes.map(({ resource }) => resource))]
}

describe('the changes of users', () => {
  it('are listed to an owner, but not to the office with any query (S108)', async () => {
    const id = await aBusyDay()
    expect(resourcesIn(await changesOf(school.client, `?resource_id=${id}`))).toEqual(['user'])
    expect(await changesOf(office, `?resource_id=${id}`)).toEqual([])
    const queries = [
      '',
      '?limit=1000',
      `?actor_id=${school.user.id}`,
      '?from=2020-01-01',
      '?from=2020-01-01&limit=1',
    ]
    for (const query of queries) {
      const { text, body } = await office.get(`/changes${query}`)
      expect(resourcesIn(body)).not.toContain('user')
      expect(resourcesIn(body)).toContain('student')
      expect(text).not.toContain(ADDRESS)
    }
    const asked = await office.get('/changes?resource=user')
    expect([asked.status, asked.body.code]).toEqual([403, 'forbidden'])
    expect((await office.get(`/changes?resource=user&resource_id=${clerk.id}`)).status).toBe(403)
  })

  it('are not on any page of changes that the office reads', async () => {
    await aBusyDay()
    const seen: string[] = []
    for (let path = '/changes?limit=1'; ; ) {
      const { headers, body } = await office.get(path)
      seen.push(...resourcesIn(body))
      const [, next] = /<\/api\/v1(.*)>/.exec(headers.get('link') ?? '') ?? []
      if (next === undefined) break
      path = next
    }
    expect(seen.length).toBeGreaterThan(0)
    expect(seen).not.toContain('user')
  })

  it('are not sent to an office follower, even with the cursor of an owner (S108)', async () => {
    const [owner, follower] = [await Follower.begin(school.client), await Follower.begin(office)]
    const borrowed = Follower.from(office, owner.cursor)
    await aBusyDay()
    expect(resourcesIn(await owner.pollToTheEnd()).toSorted()).toEqual(['student', 'user'])
    for (const one of [follower, borrowed]) expect(resourcesIn(await one.pollToTheEnd())).toEqual(['student'])
  })

  it('are not in any history that the office reads', async () => {
    await aBusyDay()
    const student = await school.student()
    const instructor = await school.instructor()
    for (const path of [`/students/${student.id}`, `/instructors/${instructor.id}`]) {
      expect(resourcesIn((await office.get(`${path}/history`)).body)).not.toContain('user')
    }
    expect((await office.get(`/users/${clerk.id}/history`)).status).toBe(404)
  })

  it('are sent to an office follower if they concern its own user', async () => {
    const follower = await Follower.begin(office)
    must(200, await school.client.patch(`/users/${clerk.id}`, { name: 'Cleo Office' }))
    const [own, ...others] = await follower.pollToTheEnd()
    expect(others).toEqual([])
    expect(own).toMatchObject({ resource: 'user', resource_id: clerk.id, after: { name: 'Cleo Office' } })
    expect(await changesOf(office, `?resource_id=${clerk.id}`)).toEqual([])
  })

  it('are no longer listed to an owner who becomes a clerk', async () => {
    const [demoted, visitor] = [await aUser(service(), school.tenantId), new Visitor(service())]
    const client = visitor.with(bearer((await logIn(visitor, demoted.email)).token))
    expect((await client.get('/changes?resource=user')).status).toBe(200)
    must(200, await school.client.patch(`/users/${demoted.id}`, { role: 'office' }))
    expect((await client.get('/changes?resource=user')).status).toBe(403)
    expect(resourcesIn(await changesOf(client))).not.toContain('user')
  })
})
