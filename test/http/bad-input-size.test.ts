import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { aSchool, type School } from '../support/factory.ts'
import { operationsOf } from '../support/openapi.ts'
import { rounds } from '../support/rounds.ts'

const service = useService()
let school: School

beforeAll(async () => {
  school = await aSchool(service())
})

const JSON_TYPE = { 'content-type': 'application/json' }
const BODY_BYTES = 256 * 1024
/** Enough for a hundred faults that each have a truncated name twice, in characters that JSON escapes. */
const MAX_ANSWER_BYTES = 100_000
const MORE = { pointer: '', code: 'more_faults', detail: expect.stringContaining('100') }
const names = { first_name: 'Jonas', last_name: 'Brandt' }

type Fault = { readonly pointer: string; readonly code: string; readonly detail: string }

function faultsOf({ status, body }: Answer): readonly Fault[] {
  expect([status, body.code]).toEqual([400, 'invalid_request'])
  return body.errors
}

function filled(first: string, part: (index: number) => string, last: string): string {
  const parts: string[] = []
  for (let left = BODY_BYTES - first.length - last.length; ; ) {
    const next = part(parts.length)
    left -= next.length + 1
    if (left < 0) return first + parts.join() + last
    parts.push(next)
  }
}

describe('a list that is too long', () => {
  it.each(['availability_windows', 'vacations', 'license_classes'])(
    'of %s is rejected with too_many, and its items are not validated',
    async (name) => {
      for (const item of ['{}', '5', '"B"', 'null', '[]']) {
        const answer = await school.client.post(
          '/instructors',
          filled(`{"${name}":[`, () => item, ']}'),
          JSON_TYPE,
        )
        const faults = faultsOf(answer).map(({ pointer, code }) => [pointer, code])
        expect(faults).toEqual(
          expect.arrayContaining([
            [`/${name}`, 'too_many'],
            ['/first_name', 'required'],
          ]),
        )
        expect(faults).toHaveLength(3)
      }
    },
  )

  it('is reported with the maximum length', async () => {
    const vacations = Array.from({ length: 201 }, () => 'x')
    const [fault] = faultsOf(await school.client.post('/instructors', { ...names, vacations }))
    expect(fault).toMatchObject({ pointer: '/vacations', detail: expect.stringContaining('200') })
  })
})

describe('the list of faults', () => {
  const unknown = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, 1]))
  const wrong = (count: number) =>
    Array.from({ length: count }, () => ({ weekday: 1, start: '09:00', end: '08:00' }))
  const late = { start_date: '2026-08-03', end_date: '2026-08-01' }
  const late200 = Array.from({ length: 200 }, () => late)

  it.each<[string, object]>([
    ['101 unknown fields', { ...names, ...unknown(101) }],
    ['20,000 unknown fields', { ...names, ...unknown(20_000) }],
    [
      'missing fields in the items of a list',
      { ...names, vacations: Array.from({ length: 200 }, () => ({})) },
    ],
    ['unknown fields in the items of a list', { ...names, vacations: [unknown(2000), unknown(2000)] }],
    [
      'dates and hours in the wrong order',
      { ...names, availability_windows: wrong(100), vacations: late200 },
    ],
    [
      'unknown fields and hours in the wrong order',
      { ...unknown(40), ...names, availability_windows: wrong(61) },
    ],
  ])('ends with more_faults after 100 faults: %s', async (_, body) => {
    const faults = faultsOf(await school.client.post('/instructors', body))
    expect(faults).toHaveLength(101)
    expect(faults.at(-1)).toEqual(MORE)
    expect(faults.slice(0, -1).map(({ code }) => code)).not.toContain('more_faults')
  })

  it.each<[string, object]>([
    ['unknown fields', { ...names, ...unknown(100) }],
    ['hours in the wrong order', { ...names, availability_windows: wrong(100) }],
    [
      'unknown fields and hours in the wrong order',
      { ...unknown(40), ...names, availability_windows: wrong(60) },
    ],
  ])('is complete with exactly 100 faults: %s', async (_, body) => {
    const faults = faultsOf(await school.client.post('/instructors', body))
    expect(faults).toHaveLength(100)
    expect(faults.map(({ code }) => code)).not.toContain('more_faults')
  })

  it('ends with more_faults after 100 faults in a query', async () => {
    const faults = faultsOf(await school.client.get(`/students?${Object.keys(unknown(2000)).join('&')}`))
    expect(faults).toHaveLength(101)
    expect(faults.at(-1)).toEqual(MORE)
  })
})

describe('the name of an unknown field or parameter', () => {
  it.each([
    ['x'.repeat(50), 'x'.repeat(50)],
    ['x'.repeat(51), `${'x'.repeat(50)}…`],
    ['x'.repeat(250_000), `${'x'.repeat(50)}…`],
    ['/'.repeat(60), `${'~1'.repeat(50)}…`],
    [`${'x'.repeat(49)}😀`, `${'x'.repeat(49)}\ufffd…`],
  ])('is truncated to 50 characters in a fault in the body', async (name, told) => {
    const [fault] = faultsOf(await school.client.post('/students', { ...names, [name]: 1 }))
    expect(fault?.pointer).toBe(`/${told}`)
    expect(fault?.detail.length).toBeLessThan(200)
  })

  it('is truncated to 50 characters in a fault in the query', async () => {
    const [fault] = faultsOf(await school.client.get(`/students?${'x'.repeat(8000)}=1`))
    expect(fault).toMatchObject({ pointer: `?${'x'.repeat(50)}…`, code: 'unknown_parameter' })
  })
})

const aName = fc.oneof(
  fc.constantFrom('availability_windows', 'vacations', 'license_classes', 'notes', 'first_name', 'start_at'),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.nat(300).map((length) => '\u0001'.repeat(length)),
)
/** A small value. A body has it up to 3,000 times, in lists or under numbered names. */
const aPart = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  fc.tuple(aName, fc.jsonValue({ maxDepth: 0 })).map(([name, value]) => ({ [name]: value })),
)
const aValue = fc.oneof(
  aPart,
  fc.tuple(fc.nat(3000), aPart).map(([length, part]) => Array.from({ length }, () => part)),
  fc.tuple(fc.nat(3000), aName, aPart).map(([length, name, part]) => wide(length, name, part)),
  fc.tuple(fc.nat(150), aName).map(([length, name]) => Array.from({ length }, () => wide(15, name, 1))),
)

function wide(length: number, name: string, part: unknown): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length }, (_, index) => [`${name}${index}`, part]))
}

// Each run sends another body.
it('a rejection is shorter than 100 kB for any request body', { tags: 'rounds' }, async () => {
  const writes = operationsOf(service()).filter(({ body }) => body !== undefined)
  const aWideBody = fc
    .tuple(fc.nat(3000), aName, aPart)
    .map(([length, name, part]) => wide(length, name, part))
  const aBody = fc
    .oneof(fc.dictionary(aName, aValue, { maxKeys: 5 }), aWideBody)
    .map((body) => JSON.stringify(body))
    .filter((body) => Buffer.byteLength(body) <= BODY_BYTES)
  const question = fc.tuple(fc.constantFrom(...writes), aBody)
  await fc.assert(
    fc.asyncProperty(question, async ([{ method, path }, body]) => {
      const at = path.replace('{id}', school.user.id)
      const answer = await school.client.send(method, at, body, JSON_TYPE)
      // A PATCH without fields changes nothing and may succeed.
      const isRefused = answer.status >= 400 || (body === '{}' && method === 'PATCH')
      expect(isRefused, answer.text).toBe(true)
      expect(answer.status).toBeLessThan(500)
      expect(Buffer.byteLength(answer.text)).toBeLessThan(MAX_ANSWER_BYTES)
    }),
    { numRuns: rounds(100), endOnFailure: true },
  )
})
