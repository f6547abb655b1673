import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { changesOf, Follower } from '../support/changes.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
const CANARY = 'kanarienvogel'
let school: School
/** The parts of the current cursor. */
let server: string
let now: string
let seen: string
let ids: ReadonlySet<string>

beforeAll(async () => {
  const others = await aSchool(service())
  school = await aSchool(service())
  for (const one of [school, others]) await one.student({ notes: one === others ? CANARY : null })
  const { cursor } = await Follower.begin(school.client)
  ;[server = '', now = '', seen = ''] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  await others.student({ notes: CANARY })
  await school.student()
  ids = new Set((await changesOf(school.client)).map(({ id }) => id))
})

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

async function ask(cursor: string): Promise<number> {
  const { status, text, body } = await school.client.get(
    `/changes/since?cursor=${encodeURIComponent(cursor)}`,
  )
  if (status === 400)
    expect(body.errors).toEqual([
      { pointer: '?cursor', code: expect.any(String), detail: expect.any(String) },
    ])
  else {
    expect(status, text).toBe(200)
    expect(text).not.toContain(CANARY)
    for (const { id } of body.changes) expect(ids).toContain(id)
  }
  return status
}

const ID = '01a20034-6b96-73a2-8104-9b2b88225739'

describe('an invalid cursor', () => {
  it.each<[string, () => unknown]>([
    ['an object instead of a list', () => ({ server, at: now, seen })],
    ['a number as the snapshot', () => [server, now, 7]],
    ['too few values', () => [server, now]],
    ['too many values', () => [server, now, seen, now]],
    ['a page without its end', () => [server, now, seen, now, ID]],
    ['a page with half an end', () => [server, now, seen, now, ID, server, now]],
    ['a page with more than an end', () => [server, now, seen, now, ID, server, now, seen, seen]],
    ['a time without a time zone', () => [server, '2031-03-03 08:00:00', seen]],
    ['a day that does not exist', () => [server, '2031-02-30T08:00:00.000Z', seen]],
    ['an hour that does not exist', () => [server, '2031-03-03T25:00:00.000Z', seen]],
    ['the year 0', () => [server, '0000-03-03T08:00:00.000Z', seen]],
    ['infinity as the time', () => [server, 'infinity', seen]],
    ['an invalid server time', () => ['never', now, seen]],
    ['an invalid page time', () => [server, now, seen, 'now', ID, server, now, seen]],
    ['an invalid time in the end of a page', () => [server, now, seen, now, ID, server, 'now', seen]],
    ['an invalid page id', () => [server, now, seen, now, 'none', server, now, seen]],
    ['an empty snapshot', () => [server, now, '']],
    ['a snapshot of two parts', () => [server, now, '5:9']],
    ['a snapshot that ends before it begins', () => [server, now, '9:5:']],
    ['a snapshot that begins at 0', () => [server, now, '0:5:']],
    ['a snapshot with an id at its end', () => [server, now, '5:9:9']],
    ['a snapshot with an id before its beginning', () => [server, now, '5:9:4']],
    ['a snapshot with ids out of order', () => [server, now, '5:9:7,6']],
    ['a snapshot with a repeated id', () => [server, now, '5:9:7,7']],
    ['a snapshot with a trailing comma', () => [server, now, '5:9:7,']],
    ['a negative snapshot', () => [server, now, '-5:9:']],
    ['a snapshot that exceeds 64 bits', () => [server, now, '5:18446744073709551616:']],
    ['a snapshot that exceeds signed 64 bits', () => [server, now, '5:9223372036854775808:']],
    ['an invalid snapshot in the end of a page', () => [server, now, seen, now, ID, server, now, '9:5:']],
  ])('is rejected with 400: %s', async (_, values) => {
    expect(await ask(encoded(values()))).toBe(400)
  })

  it.each([
    '',
    'rubbish',
    '%',
    'WyJ',
    'null',
    encoded(null),
    encoded([]),
    encoded('x'),
    encoded({ length: 3 }),
    'W10=',
    'x'.repeat(10_000),
    'x'.repeat(10_001),
  ])('is rejected with 400: %.40s', async (cursor) => {
    expect(await ask(cursor)).toBe(400)
  })
})

// The database parses the snapshot.
it('a well-formed cursor returns 200, even with extreme values', { tags: 'embedded' }, async () => {
  const largest = '9223372036854775807'
  const running = Array.from({ length: 300 }, (_, index) => `${index + 10}`)
  for (const snapshot of ['1:1:', `1:${largest}:`, `${largest}:${largest}:`, `10:400:${running}`, '007:9:08'])
    for (const start of [server, '1970-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'])
      expect(await ask(encoded([start, '1970-01-01T00:00:00.000Z', snapshot]))).toBe(200)
})

it('any cursor returns 200 or 400, and no changes of another school', async () => {
  const number = fc
    .oneof(fc.bigInt({ min: -1n, max: 2n ** 65n }), fc.integer({ min: 0, max: 2000 }))
    .map(String)
  const snapshot = fc
    .tuple(number, number, fc.array(number, { maxLength: 4 }))
    .chain(([from, to, between]) =>
      fc.constantFrom(`${from}:${to}:${between}`, `${from}:${to}:`, `${from}:${from}:`),
    )
  const year = fc.integer({ min: 0, max: 9999 }).map((one) => String(one).padStart(4, '0'))
  const part = fc.integer({ min: 0, max: 99 }).map((one) => String(one).padStart(2, '0'))
  const time = fc
    .tuple(year, part, part, part, part, part)
    .map(([y, mo, d, h, mi, s]) => `${y}-${mo}-${d}T${h}:${mi}:${s}.000Z`)
  const text = fc.string({ unit: 'binary', maxLength: 30 })
  const value = fc.oneof(
    snapshot,
    time,
    text,
    fc.uuid(),
    fc.jsonValue(),
    fc.constantFrom('server', 'now', 'seen').map((name) => ({ server, now, seen })[name]),
  )
  const mark = () =>
    fc.tuple(
      fc.constant(server),
      fc.constantFrom(now, '1970-01-01T00:00:00.000Z'),
      fc.oneof(snapshot, fc.constant(seen)),
    )
  const sound = fc
    .tuple(mark(), time, fc.uuid(), mark())
    .map(([begin, at, id, until]) => [...begin, at, id, ...until])
  const mutated = fc
    .tuple(fc.oneof(mark(), sound), fc.nat(7), value)
    .map(([values, at, other]) => values.map((one, index) => (index === at ? other : one)))
  const cursor = fc.oneof(
    { weight: 6, arbitrary: mutated.map(encoded) },
    { weight: 2, arbitrary: fc.array(value, { maxLength: 9 }).map(encoded) },
    {
      weight: 1,
      arbitrary: fc.string({ unit: 'binary', maxLength: 60 }).filter((one) => one.isWellFormed()),
    },
    // A cursor with a few characters changed, as a broken client might send it.
    {
      weight: 2,
      arbitrary: fc
        .tuple(mark().map(encoded), fc.nat(80), fc.base64String({ maxLength: 4 }))
        .map(([one, at, piece]) => one.slice(0, at) + piece + one.slice(at + piece.length)),
    },
  )
  const statuses = new Set<number>()
  await fc.assert(
    fc.asyncProperty(cursor, async (one) => {
      statuses.add(await ask(one))
    }),
    { numRuns: 300, endOnFailure: true },
  )
  expect(statuses).toEqual(new Set([200, 400]))
})
