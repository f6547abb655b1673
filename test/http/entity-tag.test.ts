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

  it('is strong, comes with the creation, the reads and the changes, and changes with the row', async () => {
    expect(tag).toMatch(/^"[^"]+"$/)
    expect((await school.client.get(path)).headers.get('etag')).toBe(tag)
    expect((await school.client.send('HEAD', path)).headers.get('etag')).toBe(tag)
    const changed = (await school.client.patch(path, change)).headers.get('etag')
    expect(changed).toMatch(/^"[^"]+"$/)
    expect(changed).not.toBe(tag)
    expect((await school.client.get(path)).headers.get('etag')).toBe(changed)
  })

  it('is the number that `version` shows: in reads and writes, in lists and in bootstrap', async () => {
    const { id, version } = (await patch(tag, change)).body
    expect(version).toBe(2)
    const single = await school.client.get(path)
    expect([single.headers.get('etag'), single.body.version]).toEqual(['"2"', 2])
    const { body: list } = await school.client.get(`/${resource}`)
    const { body: bootstrap } = await school.client.get('/bootstrap')
    for (const rows of [list, bootstrap[resource] ?? list])
      expect(rows.find((one: { id: string }) => one.id === id).version).toBe(2)
  })

  it('lets a change pass with If-Match: the tag, a list that has it, or *', async () => {
    const passing = [() => tag, () => `"old", ${tag} , "older"`, () => '*', () => ' * ']
    for (const [round, ifMatch] of passing.entries()) {
      const changed = resource === 'appointments' ? { notes: `${round}` } : { phone: `${round}` }
      const { status, headers, body } = await patch(ifMatch(), changed)
      expect([status, body], ifMatch()).toEqual([200, expect.objectContaining(changed)])
      expect(headers.get('etag'), ifMatch()).not.toBe(tag)
      tag = headers.get('etag') ?? ''
    }
  })

  it('refuses a change and a deletion with If-Match: another tag, a weak one, or none', async () => {
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

  it('of the version before is stale, also beside {}', async () => {
    await school.client.patch(path, change)
    expect((await patch(tag, change)).status).toBe(412)
    expect((await patch(tag, {})).status).toBe(412)
    const current = (await school.client.get(path)).headers.get('etag') ?? ''
    expect((await patch(current, {})).status).toBe(200)
    expect((await patch(current, change)).status).toBe(200)
  })

  it('lets one of two who read the same version write', async () => {
    const answers = await Promise.all([patch(tag, change), patch(tag, change), patch(tag, change)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412])
  })

  it('says 404, not 412, of what is not there', async () => {
    const unknown = `/${resource}/${randomUUID()}`
    for (const ifMatch of ['"1"', '*', tag]) {
      expect((await school.client.patch(unknown, change, { 'if-match': ifMatch })).status).toBe(404)
    }
  })

  it('spares a read the body with If-None-Match: the tag, a weak one, a list that has it, or *: 304', async () => {
    for (const method of ['GET', 'HEAD'])
      for (const ifNoneMatch of [tag, `W/${tag}`, `"x",${tag}`, '*']) {
        const asked = { 'if-none-match': ifNoneMatch }
        const { status, headers, text } = await school.client.send(method, path, undefined, asked)
        expect([status, text, headers.get('etag')], `${method} ${ifNoneMatch}`).toEqual([304, '', tag])
        expect(headers.get('cache-control')).toBe('no-store')
      }
  })

  it('sends the body where If-None-Match has other tags, and never minds it in a write', async () => {
    const read = await school.client.get(path, { 'if-none-match': '"old", W/"older"' })
    expect([read.status, read.headers.get('etag')]).toEqual([200, tag])
    const written = await school.client.patch(path, change, { 'if-none-match': '*' })
    expect([written.status, written.body]).toEqual([200, expect.objectContaining(change)])
    expect((await school.client.get(path, { 'if-none-match': tag })).status).toBe(200)
  })
})

describe.each(['students', 'appointments'] as const)('DELETE of %s', (resource) => {
  it('with the right If-Match passes, and a restore answers with a new tag', async () => {
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

it('the cancellation of lessons by the deletion of their student changes their tags', async () => {
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
  'the entity tag of the answer to GET /%s',
  (path) => {
    it('spares the client what it has, and changes with what is answered', async () => {
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
