// @module-tag rounds: each run can find another value

import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { usePatientService } from '../support/app.ts'
import { FIELDS, fingerprint, RESOURCES, type Resource, UNWRITABLE, validBodies } from '../support/corpus.ts'
import { aSchool, type School } from '../support/factory.ts'
import { rounds } from '../support/rounds.ts'

const service = usePatientService()
let school: School
let bodies: Record<Resource, () => Record<string, unknown>>
let ids: readonly string[]

beforeAll(async () => {
  school = await aSchool(service())
  bodies = await validBodies(school)
  const { id } = await school.student()
  ids = [...Object.values(school.lessonTypes).slice(0, 2), (await school.instructor()).id, id]
})

const RUNS = { numRuns: rounds(200), endOnFailure: true }

/** Returns a value that is valid, invalid or arbitrary, for this field or another one. */
function aValueFor(resource: Resource, field: string): fc.Arbitrary<unknown> {
  const { good = [], bad = [] } = FIELDS[resource][field] ?? {}
  const any = fc.jsonValue({ maxDepth: 3 })
  const known = [...good, ...bad].map((value) => fc.constant(value))
  const text = fc.string({ unit: 'binary', maxLength: 40 })
  const time = fc
    .tuple(
      fc.integer({ min: 1999, max: 2100 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
    )
    .map((parts) => parts.map((part) => String(part).padStart(2, '0')).join('-'))
    .chain((date) => fc.constantFrom(date, `${date} 08:00`, `${date} 23:59`, `${date} 24:00`))
  const reference = fc.nat().map((index) => ids[index % ids.length])
  return fc.oneof(any, text, time, reference, fc.integer(), fc.double(), ...known)
}

/** Returns changes to a valid body: replaced fields, and sometimes unknown ones. */
function changesOf(resource: Resource): fc.Arbitrary<Record<string, unknown>> {
  const names = [...Object.keys(FIELDS[resource]), ...UNWRITABLE[resource].slice(0, 2)]
  const one = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...names) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 9 }) },
  )
  const entry = one.chain((name) => fc.tuple(fc.constant(name), aValueFor(resource, name)))
  return fc.array(entry, { minLength: 1, maxLength: 3 }).map((entries) => Object.fromEntries(entries))
}

/** Sends a request. A rejection must be documented and leave no trace. A later GET must return the row of a success. */
async function send(method: string, path: string, body: unknown): Promise<number> {
  const before = await fingerprint(service(), school.tenantId)
  const answer = await school.client.send(method, path, body)
  if (answer.status >= 400) {
    expect([400, 404, 409], answer.text).toContain(answer.status)
    if (answer.status === 400) expect(answer.body.errors ?? answer.body.params).toBeTruthy()
    expect(await fingerprint(service(), school.tenantId)).toBe(before)
  } else {
    const resource = path.split('/')[1]
    const read = await school.client.get(`/${resource}/${answer.body.id}`)
    expect(read.body).toEqual(answer.body)
  }
  return answer.status
}

describe.each(RESOURCES)('arbitrary requests to %s (S66, I12)', (resource) => {
  it('create a row by POST or are rejected without side effects', async () => {
    const statuses = new Set<number>()
    const property = fc.asyncProperty(changesOf(resource), async (changes) => {
      statuses.add(await send('POST', `/${resource}`, { ...bodies[resource](), ...changes }))
    })
    await fc.assert(property, { ...RUNS, examples: [[{}], [{ id: null }]] })
    expect([...statuses]).toEqual(expect.arrayContaining([201, 400]))
  })

  it('change a row by PATCH or are rejected without side effects', async () => {
    const { id } = (await school.client.post(`/${resource}`, bodies[resource]())).body
    const statuses = new Set<number>()
    const property = fc.asyncProperty(changesOf(resource), async (changes) => {
      statuses.add(await send('PATCH', `/${resource}/${id}`, changes))
    })
    await fc.assert(property, { ...RUNS, examples: [[A_CHANGE[resource]], [{ id: null }]] })
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400]))
  })

  it('are rejected with 400 and without side effects if the body is arbitrary JSON', async () => {
    const { id } = (await school.client.post(`/${resource}`, bodies[resource]())).body
    const property = fc.asyncProperty(fc.jsonValue(), async (value) => {
      fc.pre(JSON.stringify(value) !== '{}')
      expect(await send('POST', `/${resource}`, asJson(value))).toBe(400)
      expect(await send('PATCH', `/${resource}/${id}`, asJson(value))).toBe(400)
    })
    await fc.assert(property, { ...RUNS, numRuns: rounds(100) })
  })
})

const A_CHANGE: Readonly<Record<Resource, Record<string, unknown>>> = {
  students: { notes: 'by the station' },
  instructors: { last_name: 'Brandt' },
  appointments: { notes: 'by the station' },
}

/** Wraps a value so that the client sends a string as JSON, not as it is. */
function asJson(value: unknown): unknown {
  return value === undefined ? null : { toJSON: () => value }
}

it('a request with an arbitrary query string returns 200 or 400', async () => {
  const name = fc.oneof(
    fc.constantFrom('from', 'to', 'limit', 'cursor', 'student_id'),
    fc.string({ maxLength: 5 }),
  )
  const value = fc.oneof(
    fc.constantFrom('2026-05-04', '2026-05-04 08:00', '5', '', '%', '\ud800', '2026-05-04T08:00', 'now'),
    fc.string({ unit: 'binary', maxLength: 30 }),
  )
  const property = fc.asyncProperty(fc.array(fc.tuple(name, value), { maxLength: 3 }), async (pairs) => {
    const query = new URLSearchParams(pairs)
    for (const path of ['/appointments', '/students', '/bootstrap']) {
      const { status, text } = await school.client.get(`${path}?${query}`)
      expect([200, 400], text).toContain(status)
    }
  })
  await fc.assert(property, RUNS)
})
