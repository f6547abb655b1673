import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import type { LessonType } from '../../src/contract/lesson-type.ts'
import { fillFormerNames } from '../../src/db/migrations/0099-former-type-names.ts'
import { useService } from '../support/app.ts'
import { changesOf, Follower, historyOf } from '../support/changes.ts'
import { must } from '../support/client.ts'
import { fingerprint } from '../support/corpus.ts'
import { findingsIn } from '../support/doctor.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
let school: School

beforeEach(async () => {
  school = await aSchool(service())
})

const listed = async (): Promise<LessonType[]> => (await school.client.get('/lesson-types')).body
const codes = async () => (await listed()).map(({ code }) => code)
const at = (code: string) => `/lesson-types/${school.lessonTypes[code]}`
const read = async (code: string): Promise<LessonType> => must(200, await school.client.get(at(code)))
const change = (code: string, body: object, headers = {}) =>
  school.client.patch(`/tenant${at(code)}`, body, headers)
const CHANGE = { name: 'Grundfahrt', hidden: true, color: '#112233', default_minutes: 80, seats: 3 }

describe('a change of a lesson type', () => {
  it('sets name, colour, length, seats and visibility under a new version', async () => {
    const before = await read('PRACTICE')
    const { status, headers, body } = await change('PRACTICE', CHANGE, { 'if-match': '"1"' })
    expect([status, headers.get('etag')]).toEqual([200, '"2"'])
    const former_names = [before.name]
    expect(body).toEqual({ ...before, ...CHANGE, former_names, version: 2, updated_at: body.updated_at })
    expect(await read('PRACTICE')).toEqual(body)
    expect((await listed())[0]).toEqual(body)
    expect((await school.client.get('/bootstrap')).body.lessonTypes[0]).toEqual(body)
    expect((await school.client.get(at('PRACTICE'), { 'if-none-match': '"2"' })).status).toBe(304)
  })

  it('succeeds for one of 3 concurrent requests with the same tag; the others get 412', async () => {
    const answers = await Promise.all(
      ['A', 'B', 'C'].map((name) => change('PRACTICE', { name }, { 'if-match': '"1"' })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412])
  })

  it('is added to the log and the history, and reaches followers', async () => {
    const follower = await Follower.begin(school.client)
    expect(await historyOf(school.client, at('PRACTICE'))).toEqual([])
    must(200, await change('PRACTICE', { name: 'Grundfahrt', hidden: false }))
    const [one, ...others] = await changesOf(school.client, '?resource=lesson_type')
    expect(others).toEqual([])
    expect(one).toMatchObject({
      resource_id: school.lessonTypes.PRACTICE,
      action: 'changed',
      before: { name: 'Übungsfahrt (Grundausbildung)', version: 1 },
      after: { name: 'Grundfahrt', version: 2 },
    })
    expect(await historyOf(school.client, at('PRACTICE'))).toEqual([one])
    expect(await follower.poll()).toEqual([one])
    expect(await findingsIn(service().db, school.tenantId)).toEqual([])
  })

  it('keeps the names that are given up, and not one that is taken up again', async () => {
    const { name, former_names } = await read('PRACTICE')
    const names = [name, 'Grundfahrt', 'Fahrt']
    expect(former_names).toEqual([])
    for (const one of ['Grundfahrt', 'Fahrt', name])
      must(200, await change('PRACTICE', { name: one, position: 1 }))
    expect((await read('PRACTICE')).former_names).toEqual(names.slice(1))
    must(200, await change('PRACTICE', { name: 'Fahrstunde' }))
    const kept = (await read('PRACTICE')).former_names
    expect(kept).toEqual(['Grundfahrt', 'Fahrt', name])
    const { db } = service()
    await sql`update lesson_types set former_names = '{}' where tenant_id = ${school.tenantId}`.execute(db)
    await fillFormerNames(db, school.tenantId)
    expect((await read('PRACTICE')).former_names.toSorted()).toEqual(kept.toSorted())
    expect((await read('RURAL')).former_names).toEqual([])
  })

  it('renames the type in the requirements of licence classes', async () => {
    const [, tag] = await Promise.all([listed(), school.client.get('/license-class-templates')])
    must(200, await change('RURAL', { name: 'Überland' }))
    const headers = { 'if-none-match': tag.headers.get('etag') ?? '' }
    const templates = must(200, await school.client.get('/license-class-templates', headers))
    const names = templates
      .flatMap((one: { requirements: { code: string; name: string }[] }) => one.requirements)
      .filter((one: { code: string }) => one.code === 'RURAL')
      .map((one: { name: string }) => one.name)
    expect(new Set(names)).toEqual(new Set(['Überland']))
  })

  it.each([
    ['no fields', {}],
    ['current values', { hidden: false, position: 0, default_minutes: 90, color: '#0072B2' }],
  ])('with %s changes nothing', async (_, body) => {
    const before = await fingerprint(service(), school.tenantId)
    const answer = await change('PRACTICE', body)
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, '"1"'])
    expect(await fingerprint(service(), school.tenantId)).toBe(before)
  })

  it.each([
    [{ name: '' }, '/name'],
    [{ name: 'x'.repeat(201) }, '/name'],
    [{ hidden: 'true' }, '/hidden'],
    [{ hidden: null }, '/hidden'],
    [{ position: -1 }, '/position'],
    [{ position: 1000 }, '/position'],
    [{ color: 'red' }, '/color'],
    [{ default_minutes: 0 }, '/default_minutes'],
    [{ default_minutes: 1441 }, '/default_minutes'],
    [{ code: 'X' }, '/code'],
    [{ category: 'theory' }, '/category'],
    [{ counts_toward_limits: false }, '/counts_toward_limits'],
    [{ seats: 0 }, '/seats'],
    [{ seats: 101 }, '/seats'],
  ])('with %j is rejected with 400', async (body, pointer) => {
    const before = await fingerprint(service(), school.tenantId)
    const answer = await change('PRACTICE', body)
    expect([answer.status, answer.body.errors?.[0].pointer]).toEqual([400, pointer])
    expect(await fingerprint(service(), school.tenantId)).toBe(before)
  })
})

describe('the order of lesson types', () => {
  it.each([
    ['MOTORWAY', 0, ['MOTORWAY', 'PRACTICE', 'RURAL', 'NIGHT']],
    ['PRACTICE', 1, ['RURAL', 'PRACTICE', 'MOTORWAY', 'NIGHT']],
    ['PRACTICE', 3, ['RURAL', 'MOTORWAY', 'NIGHT', 'PRACTICE']],
    ['PRACTICE', 999, ['RURAL', 'MOTORWAY', 'NIGHT', 'MANOEUVRES']],
  ])('has %s at position %i after a move, and the others close up', async (code, position, first) => {
    const answer = must(200, await change(code, { position }))
    expect(answer.position).toBe(position)
    expect((await codes()).slice(0, 4)).toEqual(first)
    const positions = (await listed()).map((one) => one.position)
    expect(positions).toEqual([...new Set(positions)].toSorted((a, b) => a - b))
    expect(await findingsIn(service().db, school.tenantId)).toEqual([])
  })

  it('is logged for each moved type, in one set', async () => {
    must(200, await change('PRACTICE', { position: 2 }))
    const moved = await changesOf(school.client, '?resource=lesson_type')
    expect(moved.map(({ before, after }) => [before?.position, after?.position]).toSorted()).toEqual([
      [0, 2],
      [1, 0],
      [2, 1],
    ])
    expect(new Set(moved.map(({ set_id }) => set_id)).size).toBe(1)
  })

  it('keeps every type after 8 concurrent moves', async () => {
    const before = await codes()
    const answers = await Promise.all(
      before.slice(0, 8).map((code, index) => change(code, { position: 7 - index })),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect((await codes()).toSorted()).toEqual(before.toSorted())
  })

  it('is the same across pages', async () => {
    must(200, await change('PRACTICE', { position: 20 }))
    const found: string[] = []
    for (let page = '/lesson-types?limit=7'; page; ) {
      const { body, headers } = await school.client.get(page)
      found.push(...body.map(({ code }: LessonType) => code))
      page = /lesson-types\?[^>]+/.exec(headers.get('link') ?? '')?.[0].replace(/^/, '/') ?? ''
    }
    expect(found).toEqual(await codes())
  })
})

describe('a hidden lesson type', () => {
  it('keeps its lessons, and can still be booked by id', async () => {
    const { id: instructor_id } = await school.instructor()
    const times = { start_at: '2031-05-05 08:00', end_at: '2031-05-05 09:00' }
    const lesson = await school.lesson({ instructor_id, ...times })
    must(200, await change('PRACTICE', { hidden: true }))
    expect((await school.client.get(`/appointments/${lesson.id}`)).body.lesson_type_id).toBe(
      school.lessonTypes.PRACTICE,
    )
    const again = { start_at: '2031-05-05 10:00', end_at: '2031-05-05 11:00' }
    expect((await school.book({ instructor_id, ...again })).status).toBe(201)
  })
})

describe('a change of language', () => {
  it('renames lesson types with default names, but not those named by the school', async () => {
    must(200, await change('PRACTICE', { name: 'Grundfahrt' }))
    must(200, await school.client.patch('/tenant', { locale: 'en' }))
    expect([(await read('PRACTICE')).name, (await read('RURAL')).name]).toEqual([
      'Grundfahrt',
      'Rural-road drive (special drive)',
    ])
    expect([(await read('PRACTICE')).version, (await read('RURAL')).version]).toEqual([2, 2])
    expect(await findingsIn(service().db, school.tenantId)).toEqual([])
  })
})

describe('an undo', () => {
  const lastSet = async () => (await changesOf(school.client, '?limit=1'))[0]?.set_id
  const undo = async () => must(200, await school.client.post(`/changes/sets/${await lastSet()}/undo`))
  const shown = async () => (await listed()).map(({ name, position, color }) => [name, position, color])

  it.each([
    ['a move', () => change('PRACTICE', { position: 4, color: '#112233' })],
    ['a change of language', () => school.client.patch('/tenant', { locale: 'en' })],
  ])('restores every lesson type after %s', async (_, write) => {
    const before = await shown()
    must(200, await write())
    expect(await shown()).not.toEqual(before)
    expect((await undo()).refused).toEqual([])
    expect(await shown()).toEqual(before)
    expect(await findingsIn(service().db, school.tenantId)).toEqual([])
  })

  it('is refused with changed_since if a moved lesson type was moved again', async () => {
    must(200, await change('PRACTICE', { position: 2 }))
    const set = await lastSet()
    must(200, await change('RURAL', { position: 24 }))
    const before = await shown()
    const { undone, refused } = must(200, await school.client.post(`/changes/sets/${set}/undo`))
    expect([undone, new Set(refused.map(({ code }: { code: string }) => code))]).toEqual([
      [],
      new Set(['changed_since']),
    ])
    expect(await shown()).toEqual(before)
  })
})
