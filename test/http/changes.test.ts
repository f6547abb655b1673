import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Change } from '../../src/contract/change.ts'
import { useService } from '../support/app.ts'
import { changesOf, Follower, idsIn } from '../support/changes.ts'
import { Client } from '../support/client.ts'
import { aSchool, aUser, logIn, School } from '../support/factory.ts'
import { bearer } from '../support/session.ts'

const service = useService()
const CANARY = 'kanarienvogel'
let school: School
/** The same school, used by another user. */
let colleague: School
let others: School

beforeAll(async () => {
  school = await aSchool(service())
  const user = await aUser(service(), school.tenantId, { name: 'Ben Office' })
  const client = new Client(service())
  const { token } = await logIn(client, user.email)
  colleague = new School(school.tenantId, user, client.with(bearer(token)), school.lessonTypes)
  await liveIn(school, colleague)
  others = await aSchool(service(), { name: CANARY })
  await liveIn(others, others, CANARY)
})

/** Makes the changes of a week in the office, by two users. */
async function liveIn(one: School, other: School, word = 'spatz'): Promise<void> {
  const { id: instructor_id } = await one.instructor({ first_name: word, license_classes: [word] })
  const student = await other.student({ first_name: word, notes: word })
  const time = { start_at: '2031-03-03 08:00', end_at: '2031-03-03 09:30' }
  const lesson = await one.lesson({
    instructor_id,
    student_id: student.id,
    title: word,
    notes: word,
    ...time,
  })
  await other.client.patch(`/appointments/${lesson.id}`, { notes: `${word}!` })
  await one.client.patch(`/students/${student.id}`, { phone: word })
  await other.client.delete(`/students/${student.id}`)
  await one.client.post(`/students/${student.id}/restore`)
  await other.client.delete(`/appointments/${lesson.id}`)
}

/** A filter's parameter and the field of a change that it compares. */
type Filter = readonly [parameter: string, value: (change: Change) => string]
const FILTERS: readonly Filter[] = [
  ['resource', ({ resource }) => resource],
  ['resource_id', ({ resource_id }) => resource_id],
  ['actor_id', ({ actor }) => actor.id ?? ''],
]

describe('GET /changes', () => {
  it('lists all changes in the school by all actors, newest first', async () => {
    const all = await changesOf(school.client)
    expect(all.map(({ resource, action }) => `${resource} ${action}`).toSorted()).toEqual(
      [
        'appointment changed',
        'appointment changed',
        'appointment changed',
        'appointment created',
        'appointment deleted',
        'instructor created',
        'student changed',
        'student created',
        'student deleted',
        'student restored',
        'tenant created',
        'user created',
        'user created',
      ].toSorted(),
    )
    const times = all.map(({ at, id }) => at + id)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(new Set(all.map(({ actor }) => `${actor.kind} ${actor.name}`))).toEqual(
      new Set(['user Anna Office', 'user Ben Office', 'command test']),
    )
    expect(all.filter(({ actor }) => actor.kind === 'command').every(({ actor }) => actor.id === null)).toBe(
      true,
    )
  })

  it.each([
    ...FILTERS.map((filter) => [filter]),
    ...FILTERS.flatMap((one, at) => FILTERS.slice(at + 1).map((other) => [one, other])),
    FILTERS,
  ])('returns only the changes that match the filters: %s %s %s', async (...filters) => {
    const all = await changesOf(school.client)
    for (const wanted of all.filter(({ actor }) => actor.id !== null)) {
      const query = filters.map(([name, value]) => `${name}=${value(wanted)}`).join('&')
      const expected = all.filter((change) => filters.every(([, value]) => value(change) === value(wanted)))
      expect(await changesOf(school.client, `?${query}`), query).toEqual(expected)
    }
  })

  it.each([1, 3, 13])('returns linked pages of %i, with and without a filter', async (limit) => {
    for (const filter of ['', '&resource=appointment', `&actor_id=${school.user.id}`]) {
      const all = await changesOf(school.client, filter.replace('&', '?'))
      const pages: Change[][] = []
      for (let next: string | undefined = `/changes?limit=${limit}${filter}`; next; ) {
        const { status, headers, body } = await school.client.get(next)
        expect([status, body.length <= limit]).toEqual([200, true])
        pages.push(body)
        next = /^<\/api\/v1([^>]*)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
      }
      expect(pages.flat()).toEqual(all)
      expect(pages).toHaveLength(Math.ceil(all.length / limit))
    }
  })

  // A page is read while others write, on the embedded database over one connection.
  it('lists 2,502 changes in order and without duplicates', { tags: 'embedded' }, async () => {
    const big = await aSchool(service())
    await sql`insert into changes (tenant_id, id, at, actor_kind, actor_name, resource, resource_id, action, set_id)
      select ${big.tenantId}, gen_random_uuid(), now() - i % 40 * interval '1 hour', 'system', 'x', 'student',
        gen_random_uuid(), 'changed', gen_random_uuid() from generate_series(1, 2500) i`.execute(service().db)
    const all = await changesOf(big.client)
    expect(new Set(idsIn(all)).size).toBe(2502)
    const order = all.map(({ at, id }) => at + id)
    expect(order).toEqual(order.toSorted().toReversed())
  })

  it('returns 304 for its ETag until something changes', async () => {
    const { client } = await aSchool(service())
    const tag = { 'if-none-match': (await client.get('/changes')).headers.get('etag') ?? '' }
    expect((await client.get('/changes', tag)).status).toBe(304)
    expect((await client.get('/changes?resource=student', tag)).status).toBe(200)
    await client.post('/students', { first_name: 'Lena', last_name: 'Vogt' })
    expect((await client.get('/changes', tag)).status).toBe(200)
  })
})

describe('the from and to parameters of GET /changes', () => {
  it.each([
    ['Europe/Berlin', '2031-03-29T23:00:00.000Z', '2031-03-30T22:00:00.000Z'],
    ['Pacific/Kiritimati', '2031-03-29T10:00:00.000Z', '2031-03-30T10:00:00.000Z'],
    ['Pacific/Pago_Pago', '2031-03-30T11:00:00.000Z', '2031-03-31T11:00:00.000Z'],
    ['Asia/Kolkata', '2031-03-29T18:30:00.000Z', '2031-03-30T18:30:00.000Z'],
  ])('are inclusive days in the time zone of the school, %s', async (timezone, midnight, next) => {
    const made = await aSchool(service(), { timezone })
    const moments = [midnight, next].flatMap((end) => [before(end), end])
    for (const at of moments)
      await sql`insert into changes (tenant_id, id, at, actor_kind, actor_name, resource, resource_id, action, set_id)
        values (${made.tenantId}, ${randomUUID()}, ${at}, 'system', 'x', 'student', ${randomUUID()}, 'changed', ${randomUUID()})
      `.execute(service().db)
    const within = async (query: string) =>
      (await changesOf(made.client, `?resource=student&${query}`)).map(({ at }) => at).toReversed()
    expect(await within('from=2031-03-30&to=2031-03-30')).toEqual(moments.slice(1, 3))
    expect(await within('from=2031-03-30')).toEqual(moments.slice(1))
    expect(await within('to=2031-03-30')).toEqual(moments.slice(0, 3))
    expect(await within('from=2031-03-29&to=2031-03-31')).toEqual(moments)
    expect(await within('from=2031-03-29&to=2031-03-29')).toEqual(moments.slice(0, 1))
    expect(await within('from=1900-01-01&to=2099-12-31')).toEqual(moments)
    const { body } = await made.client.get('/changes?resource=student&from=2031-03-30&to=2031-03-30&limit=1')
    expect(body.map(({ at }: Change) => at)).toEqual(moments.slice(2, 3))
  })
})

function before(instant: string): string {
  return new Date(Date.parse(instant) - 1).toISOString()
}

const cursorOf = (...values: unknown[]) => Buffer.from(JSON.stringify(values)).toString('base64url')
const AT = '2031-03-03T08:00:00.000Z'

describe('invalid parameters of GET /changes', () => {
  it.each([
    ['resource=lesson', ['?resource', 'not_allowed']],
    ['resource=', ['?resource', 'not_allowed']],
    ['resource_id=none', ['?resource_id', 'invalid_format']],
    ['actor_id=none', ['?actor_id', 'invalid_format']],
    ['from=2031-02-29', ['?from', 'invalid_format']],
    ['to=2031-03-03%2008:00', ['?to', 'invalid_format']],
    ['from=2031-03-04&to=2031-03-03', ['?to', 'wrong_order']],
    ['set_id=none', ['?set_id', 'unknown_parameter']],
    ['resource=student&resource=user', ['?resource', 'repeated']],
    ['limit=0', ['?limit', 'invalid_format']],
    [`cursor=${cursorOf(AT, randomUUID())}`, ['?cursor', 'invalid_format']],
    ['limit=1&cursor=rubbish', ['?cursor', 'invalid_format']],
    [`limit=1&cursor=${cursorOf(AT)}`, ['?cursor', 'invalid_format']],
    [`limit=1&cursor=${cursorOf(AT, 'none')}`, ['?cursor', 'invalid_format']],
    [`limit=1&cursor=${cursorOf('rubbish', randomUUID())}`, ['?cursor', 'invalid_format']],
    [`limit=1&cursor=${cursorOf('2031-02-30T08:00:00.000Z', randomUUID())}`, ['?cursor', 'invalid_format']],
    [`limit=1&cursor=${cursorOf('', randomUUID())}`, ['?cursor', 'invalid_format']],
    [`limit=1&cursor=${cursorOf('infinity', randomUUID())}`, ['?cursor', 'invalid_format']],
  ])('return 400 with a pointer to the fault: %s', async (query, [pointer, code]) => {
    const { status, body } = await school.client.get(`/changes?${query}`)
    expect([status, body.errors]).toMatchObject([400, [{ pointer, code }]])
  })

  it('are all reported in one response', async () => {
    const { body } = await school.client.get('/changes?resource=x&actor_id=x&from=x&what=x')
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted()).toEqual([
      '?actor_id',
      '?from',
      '?resource',
      '?what',
    ])
  })
})

describe('the changes of another school', () => {
  it('do not appear in the list, by id or to a follower (S54)', async () => {
    const follower = await Follower.begin(school.client)
    await liveIn(others, others, CANARY)
    const theirs = await changesOf(others.client)
    expect(theirs.length).toBeGreaterThan(10)
    expect(JSON.stringify(theirs)).toContain(CANARY)
    for (const query of ['', '?limit=1000', '?from=1900-01-01&to=2099-12-31'])
      expect(JSON.stringify(await changesOf(school.client, query))).not.toContain(CANARY)
    for (const id of new Set(
      theirs.flatMap(({ resource_id, actor }) => [resource_id, actor.id ?? resource_id]),
    ))
      for (const name of ['resource_id', 'actor_id'])
        expect(await changesOf(school.client, `?${name}=${id}`)).toEqual([])
    expect(await follower.poll()).toEqual([])
    const { id, at } = theirs[0] ?? { id: '', at: '' }
    const beyond = `?limit=1000&cursor=${cursorOf(at, id)}`
    expect(JSON.stringify(await changesOf(school.client, beyond))).not.toContain(CANARY)
  })
})
