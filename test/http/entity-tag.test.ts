import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { fingerprint, RESOURCES, type Resource, validBodies } from '../support/corpus.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
let school: School
let bodies: Record<Resource, () => Record<string, unknown>>

beforeAll(async () => {
  school = await aSchool(service())
  bodies = await validBodies(school)
})

describe.each(RESOURCES)('the entity tag of %s', (resource) => {
  let path: string
  let tag: string

  beforeEach(async () => {
    const { headers, body } = await school.client.post(`/${resource}`, bodies[resource]())
    path = `/${resource}/${body.id}`
    tag = headers.get('etag') ?? ''
  })

  const patch = (ifMatch: string, body: object) => school.client.patch(path, body, { 'if-match': ifMatch })
  const change = resource === 'appointments' ? { notes: 'x' } : { phone: '112' }

  it('is strong, is returned by POST, GET, HEAD and PATCH, and changes with the row', async () => {
    expect(tag).toMatch(/^"[^"]+"$/)
    expect((await school.client.get(path)).headers.get('etag')).toBe(tag)
    expect((await school.client.send('HEAD', path)).headers.get('etag')).toBe(tag)
    const changed = (await school.client.patch(path, change)).headers.get('etag')
    expect(changed).toMatch(/^"[^"]+"$/)
    expect(changed).not.toBe(tag)
    expect((await school.client.get(path)).headers.get('etag')).toBe(changed)
  })

  it('equals `version` in single reads, writes, lists and bootstrap', async () => {
    const { id, version } = (await patch(tag, change)).body
    expect(version).toBe(2)
    const single = await school.client.get(path)
    expect([single.headers.get('etag'), single.body.version]).toEqual(['"2"', 2])
    const { body: list } = await school.client.get(`/${resource}`)
    const { body: bootstrap } = await school.client.get('/bootstrap')
    for (const rows of [list, bootstrap[resource] ?? list])
      expect(rows.find((one: { id: string }) => one.id === id).version).toBe(2)
  })

  it('PATCH succeeds if If-Match has the tag, a list that contains it, or *', async () => {
    const passing = [() => tag, () => `"old", ${tag} , "older"`, () => '*', () => ' * ']
    for (const [round, ifMatch] of passing.entries()) {
      const changed = resource === 'appointments' ? { notes: `${round}` } : { phone: `${round}` }
      const { status, headers, body } = await patch(ifMatch(), changed)
      expect([status, body], ifMatch()).toEqual([200, expect.objectContaining(changed)])
      expect(headers.get('etag'), ifMatch()).not.toBe(tag)
      tag = headers.get('etag') ?? ''
    }
  })

  it('PATCH and DELETE return 412 if If-Match has another tag, a weak one or none', async () => {
    const before = await fingerprint(service(), school.tenantId)
    const others = ['"stale"', `W/${tag}`, tag.replaceAll('"', ''), `"old", W/${tag}`, '', `x${tag}`]
    for (const ifMatch of others) {
      const answers = [await patch(ifMatch, change), await patch(ifMatch, {})]
      if (resource !== 'instructors') {
        answers.push(await school.client.delete(path, { 'if-match': ifMatch }))
      }
      for (const { status, body } of answers) expect([status, body.code], ifMatch).toEqual([412, 'stale'])
    }
    expect(await fingerprint(service(), school.tenantId)).toBe(before)
  })

  it('PATCH returns 412 for the previous tag, even with an empty object', async () => {
    await school.client.patch(path, change)
    expect((await patch(tag, change)).status).toBe(412)
    expect((await patch(tag, {})).status).toBe(412)
    const current = (await school.client.get(path)).headers.get('etag') ?? ''
    expect((await patch(current, {})).status).toBe(200)
    expect((await patch(current, change)).status).toBe(200)
  })

  it('exactly one of 3 concurrent PATCH requests with the same tag succeeds; the others get 412', async () => {
    const answers = await Promise.all([patch(tag, change), patch(tag, change), patch(tag, change)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412])
  })

  it('PATCH returns 404, not 412, for an unknown id', async () => {
    const unknown = `/${resource}/${randomUUID()}`
    for (const ifMatch of ['"1"', '*', tag]) {
      expect((await school.client.patch(unknown, change, { 'if-match': ifMatch })).status).toBe(404)
    }
  })

  it('GET and HEAD return 304 if If-None-Match has the tag, weak or in a list, or *', async () => {
    for (const method of ['GET', 'HEAD'])
      for (const ifNoneMatch of [tag, `W/${tag}`, `"x",${tag}`, '*']) {
        const asked = { 'if-none-match': ifNoneMatch }
        const { status, headers, text } = await school.client.send(method, path, undefined, asked)
        expect([status, text, headers.get('etag')], `${method} ${ifNoneMatch}`).toEqual([304, '', tag])
        expect(headers.get('cache-control')).toBe('no-store')
      }
  })

  it('GET returns 200 if If-None-Match has other tags, and PATCH ignores that header', async () => {
    const read = await school.client.get(path, { 'if-none-match': '"old", W/"older"' })
    expect([read.status, read.headers.get('etag')]).toEqual([200, tag])
    const written = await school.client.patch(path, change, { 'if-none-match': '*' })
    expect([written.status, written.body]).toEqual([200, expect.objectContaining(change)])
    expect((await school.client.get(path, { 'if-none-match': tag })).status).toBe(200)
  })
})

describe.each(['students', 'appointments'] as const)('DELETE of %s', (resource) => {
  it('succeeds with the current tag in If-Match, and a restore returns a new tag', async () => {
    const created = await school.client.post(`/${resource}`, bodies[resource]())
    const path = `/${resource}/${created.body.id}`
    const tag = created.headers.get('etag') ?? ''
    expect((await school.client.delete(path, { 'if-match': tag })).status).toBe(204)
    expect((await school.client.delete(path, { 'if-match': tag })).status).toBe(404)
    const restored = (await school.client.post(`${path}/restore`)).headers.get('etag')
    expect(restored).toMatch(/^"[^"]+"$/)
    expect(restored).not.toBe(tag)
    expect((await school.client.get(path)).headers.get('etag')).toBe(restored)
  })
})

it('the deletion of a student changes the entity tags of the lessons that it cancels', async () => {
  const student = await school.student()
  const lesson = await school.client.post('/appointments', {
    ...bodies.appointments(),
    student_id: student.id,
  })
  await school.client.delete(`/students/${student.id}`)
  const stale = { 'if-match': lesson.headers.get('etag') ?? '' }
  const answer = await school.client.patch(`/appointments/${lesson.body.id}`, { notes: 'x' }, stale)
  expect([answer.status, answer.body.code]).toEqual([412, 'stale'])
})

describe.each([...RESOURCES, 'bootstrap', 'lesson-types', 'license-class-templates'] as const)(
  'the entity tag of GET /%s',
  (path) => {
    it('yields 304 for an unchanged response, and changes with the response', async () => {
      const first = await school.client.get(`/${path}`)
      const tag = first.headers.get('etag') ?? ''
      expect(tag).toMatch(/^"[^"]+"$/)
      const again = await school.client.get(`/${path}`, { 'if-none-match': tag })
      expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', tag])
      const resource =
        RESOURCES.find((one) => one === path) ?? (path === 'bootstrap' ? 'students' : undefined)
      if (!resource) return
      await school.client.post(`/${resource}`, bodies[resource]())
      const changed = await school.client.get(`/${path}`, { 'if-none-match': tag })
      expect(changed.status).toBe(200)
      expect(changed.headers.get('etag')).not.toBe(tag)
    })
  },
)
