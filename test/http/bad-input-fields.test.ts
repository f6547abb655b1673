import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { checkEach } from '../support/check-each.ts'
import type { Answer } from '../support/client.ts'
import { FIELDS, fingerprint, RESOURCES, type Resource, UNWRITABLE, validBodies } from '../support/corpus.ts'
import { aSchool, type School } from '../support/factory.ts'
import { operationsOf } from '../support/openapi.ts'

const service = useService()
let school: School
let bodies: Record<Resource, () => Record<string, unknown>>
let rows: Record<Resource, string>

beforeAll(async () => {
  school = await aSchool(service())
  bodies = await validBodies(school)
  const idOf = async (resource: Resource) =>
    (await school.client.post(`/${resource}`, bodies[resource]())).body.id as string
  rows = {
    students: await idOf('students'),
    instructors: await idOf('instructors'),
    appointments: await idOf('appointments'),
  }
})

/** The fields of one operation alone: a booking cannot record how a lesson went, and an enrolment has the classes after it began. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  'PATCH appointments': ['practised', 'actual_start_at', 'actual_end_at'],
  'POST students': ['prior_classes', 'contacts'],
  'PATCH students': ['archived', 'contacts'],
}

const resources = RESOURCES.map((resource) => ({ resource }))
const fields = RESOURCES.flatMap((resource) =>
  Object.entries(FIELDS[resource]).map(([field, rule]) => ({ resource, field, rule })),
)

/** Sends each set of fields by POST and by PATCH. Both must report those pointers and write nothing. */
async function expectRefusals(
  resource: Resource,
  faulty: readonly (readonly [fields: Record<string, unknown>, ...pointers: string[]])[],
): Promise<void> {
  const before = await fingerprint(service(), school.tenantId)
  for (const [change, ...pointers] of faulty) {
    const created = await school.client.post(`/${resource}`, { ...bodies[resource](), ...change })
    expect(pointersOf(created), JSON.stringify(change)).toEqual(pointers)
    const changed = await school.client.patch(`/${resource}/${rows[resource]}`, change)
    expect(pointersOf(changed), JSON.stringify(change)).toEqual(pointers)
  }
  expect(await fingerprint(service(), school.tenantId)).toBe(before)
}

function pointersOf({ status, body }: Answer): readonly string[] {
  expect([status, body.code]).toEqual([400, 'invalid_request'])
  for (const fault of body.errors) expect(fault.code && fault.detail).toBeTruthy()
  return [...new Set<string>(body.errors.map((fault: { pointer: string }) => fault.pointer))].sort()
}

/** Checks each field separately. A failure has the field's name. */
function checkFields(chosen: typeof fields, check: (field: (typeof fields)[number]) => unknown) {
  return checkEach(
    chosen.map((one) => [`${one.resource}: ${one.field}`, one]),
    check,
  )
}

describe('every field', () => {
  it('rejects every invalid value with only its own pointer, and writes nothing (S66, S67, S71)', () =>
    checkFields(fields, async ({ resource, field, rule }) => {
      await expectRefusals(
        resource,
        rule.bad.map((value) => [{ [field]: value }, `/${field}`]),
      )
    }))

  it('accepts or rejects null as defined in the contract', () =>
    checkFields(fields, async ({ resource, field, rule }) => {
      if (rule.nullable) {
        const created = await school.client.post(`/${resource}`, { ...bodies[resource](), [field]: null })
        expect([created.status, created.body[field]]).toEqual([201, null])
        const changed = await school.client.patch(`/${resource}/${rows[resource]}`, { [field]: null })
        expect([changed.status, changed.body[field]]).toEqual([200, null])
      } else {
        await expectRefusals(resource, [[{ [field]: null }, `/${field}`]])
      }
    }))

  it('is required or optional on create as defined in the contract', () =>
    checkFields(fields, async ({ resource, field, rule }) => {
      const { [field]: _, ...body } = bodies[resource]()
      const answer = await school.client.post(`/${resource}`, body)
      if (rule.required) expect(pointersOf(answer)).toEqual([`/${field}`])
      else expect(answer.status).toBe(201)
    }))

  it('that is a list or an object reports the position of a fault inside it', () =>
    checkFields(
      fields.filter(({ rule }) => rule.inside),
      async ({ resource, field, rule }) => {
        const inside = rule.inside ?? []
        await expectRefusals(
          resource,
          inside.map(([value, at]) => [{ [field]: value }, `/${field}${at}`]),
        )
      },
    ))

  it('stores every valid value, trimmed', () =>
    checkFields(
      fields.filter(({ rule }) => rule.good.length > 0),
      async ({ resource, field, rule }) => {
        for (const value of rule.good) {
          const stored = storedAs(value)
          const created = await school.client.post(`/${resource}`, { ...bodies[resource](), [field]: value })
          expect([created.status, created.body[field]], JSON.stringify(value)).toEqual([201, stored])
          const changed = await school.client.patch(`/${resource}/${created.body.id}`, { [field]: value })
          expect([changed.status, changed.body[field]]).toEqual([200, stored])
          const read = await school.client.get(`/${resource}/${created.body.id}`)
          expect(read.body).toEqual(changed.body)
        }
      },
    ))
})

/** Returns a value as responses have it: text is trimmed, a vacation has a note. */
function storedAs(value: unknown): unknown {
  if (typeof value === 'string') return value.trim()
  if (!Array.isArray(value)) return value
  return value.map((entry) => (entry?.start_date ? { note: null, ...entry } : entry))
}

describe.each(resources)('$resource', ({ resource }) => {
  it('rejects read-only and unknown fields, each with its own pointer (S56)', async () => {
    const values = [null, 1, '0197f3c2-5d4e-7a10-8c1b-2f6a9d3e4b51']
    await expectRefusals(
      resource,
      UNWRITABLE[resource].map((name, index) => [{ [name]: values[index % 3] }, `/${name}`]),
    )
  })

  it('reports unusual field names as JSON pointers, with slash and tilde escaped', async () => {
    const names = { 'a/b': '/a~1b', 'a~b': '/a~0b', '': '/', constructor: '/constructor', 'ä\0': '/ä\0' }
    await expectRefusals(
      resource,
      Object.entries(names).map(([name, pointer]) => [{ [name]: 1 }, pointer]),
    )
  })

  it('lists all faults of the query and the body in one response', async () => {
    const change = Object.fromEntries(
      [...Object.keys(FIELDS[resource]), 'id', 'nonsense'].map((n) => [n, n === 'exam_result' ? 1 : {}]),
    )
    const expected = [...Object.keys(change).map((name) => `/${name}`), '?one', '?two'].sort()
    const created = await school.client.post(`/${resource}?one=1&two=2`, change)
    expect(pointersOf(created)).toEqual(expected)
    const changed = await school.client.patch(`/${resource}/${rows[resource]}?two=2&one=1`, change)
    expect(pointersOf(changed)).toEqual(expected)
  })

  it('reports every missing field of an empty body', async () => {
    const required = Object.entries(FIELDS[resource]).filter(([, rule]) => rule.required)
    const answer = await school.client.post(`/${resource}`, {})
    expect(pointersOf(answer)).toEqual(required.map(([name]) => `/${name}`).sort())
  })

  it('lets clients write exactly the fields in the contract (S67)', () => {
    const writes = operationsOf(service()).filter(
      ({ method, path, body }) =>
        [`/${resource}`, `/${resource}/{id}`].includes(path) && method !== 'DELETE' && body,
    )
    expect(writes.map(({ method }) => method).sort()).toEqual(['PATCH', 'POST'])
    for (const { method, body } of writes) {
      const more = MORE[`${method} ${resource}`] ?? []
      const expected = [...Object.keys(FIELDS[resource]), ...more].sort()
      expect(Object.keys(body?.properties ?? {}).sort()).toEqual(expected)
    }
  })
})

it('a request with several faults in one list gets a pointer to each', async () => {
  const answer = await school.client.patch(`/instructors/${rows.instructors}`, {
    availability_windows: [
      { weekday: 0, start: '08:00', end: '17:00' },
      { weekday: 1, start: '9', end: '17:00', day: 1 },
    ],
    vacations: [{ start_date: '2026-08-03', end_date: '2026-08-01' }],
    max_daily_units: 97,
  })
  expect(pointersOf(answer)).toEqual([
    '/availability_windows/0/weekday',
    '/availability_windows/1/day',
    '/availability_windows/1/start',
    '/max_daily_units',
    '/vacations/0/end_date',
  ])
})

it('a licence class cannot be listed twice, even if the entries differ in spaces', async () => {
  const faulty = [
    ['B', 'B'],
    ['B', ' B '],
  ]
  await expectRefusals(
    'instructors',
    faulty.map((license_classes) => [{ license_classes }, '/license_classes']),
  )
})
