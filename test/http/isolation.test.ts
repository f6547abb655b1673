import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { CANARY, type Ids, type Kind, plantInCatalogue, populate, queueFor } from '../support/canary.ts'
import { type Answer, Client } from '../support/client.ts'
import { fingerprint, MALFORMED_IDS, RESOURCES, validBodies } from '../support/corpus.ts'
import { aSchool, logIn, School } from '../support/factory.ts'
import { newEmail } from '../support/invitations.ts'
import { operationsOf } from '../support/openapi.ts'
import { bodyFor, offered } from '../support/own-bodies.ts'
import { collectionOf, KINDS } from '../support/path-kinds.ts'
import { bearer } from '../support/session.ts'

const service = useService()

let ours: School
let theirs: School
let ourIds: Ids
let theirIds: Ids
let deletedIds: Partial<Ids>
let bodies: Awaited<ReturnType<typeof validBodies>>

beforeAll(async () => {
  ours = await aSchool(service())
  theirs = await aSchool(service())
  ourIds = await queueFor(service(), await populate(ours, 'spatz'))
  theirIds = await queueFor(service(), await populate(theirs, CANARY))
  await plantInCatalogue(service(), theirs)
  // An older session may be cached for seconds, with its old data.
  const { token } = await logIn(new Client(service()), `${CANARY}${theirs.user.email}`)
  theirs = new School(theirs.tenantId, theirs.user, new Client(service(), bearer(token)), theirs.lessonTypes)
  const gone = { student: (await ours.student()).id, appointment: '' }
  const later = { start_at: '2026-07-01 08:00', end_at: '2026-07-01 09:00' }
  gone.appointment = (await ours.lesson({ instructor_id: ourIds.instructor, ...later })).id
  await ours.client.delete(`/students/${gone.student}`)
  await ours.client.delete(`/appointments/${gone.appointment}`)
  deletedIds = gone
  bodies = await validBodies(ours)
})

/** The operations that get 409, because the user has no password to reset and no address to change yet. */
const REFUSED = [
  '/users/{id}/password-reset',
  '/users/{id}/email-change',
  '/appointments/{id}/fee',
  // Enrolled by the path before it.
  '/enquiries/{id}/close',
]

/** The operations on deleted resources. */
const OF_THE_DELETED = /\/(restore|history|data|data\.html)$/

/** The kind that each reference of a body or query refers to. A new one needs a line here. */
const REFERENCES: Readonly<Record<string, Kind>> = {
  instructor_id: 'instructor',
  preferred_instructor_id: 'instructor',
  student_id: 'student',
  lesson_type_id: 'lesson_type',
  enrolment_id: 'enrolment',
  from_enrolment_id: 'enrolment',
  license_class_template_id: 'license_class_template',
  template_id: 'license_class_template',
  appointment_id: 'appointment',
  series_id: 'series',
  usual_vehicle_id: 'vehicle',
  location_id: 'location',
  vehicle_id: 'vehicle',
}

/** Leaves out the operations of `own-sessions`, `passkeys`, `attendees`, `wishes`, `busy-calendars`, `availability`, `ticks`, `lesson-signatures`, `record-pdf`, `erasure`, `holds`, `merged-students` and `inbox-messages.test.ts`. */
const LEFT_OUT =
  /^\/auth\/|\{(student|wish|calendar)_id\}|\{(kind|digest|week_start)\}|\/(erasure|hold|merge|signatures|confirmation\.pdf)$|^\/messages\/\{id\}/
const operations = () => operationsOf(service()).filter(({ path }) => !LEFT_OUT.test(path))
const operationsIn = (collection: string) =>
  operations().filter(({ path }) => path.includes('/{id}') && collectionOf(path) === collection)
const othersOf = (kind: Kind, deleted: string | undefined) => [
  ...[theirIds[kind], theirIds[kind].toUpperCase(), ...(deleted ? [deleted] : [])],
  ...Object.entries(ourIds).flatMap(([name, id]) => (name === kind ? [] : [id])),
]
const withoutRequestId = ({ body: { request_id: _, ...rest } }: Answer) => rest
const both = async () =>
  Promise.all([fingerprint(service(), ours.tenantId), fingerprint(service(), theirs.tenantId)])

/** Returns the 404 of a random id. Every other 404 must look the same. */
async function plain404(method: string, path: string, body?: object): Promise<object> {
  const answer = await ours.client.send(method, path, body)
  expect([answer.status, answer.body.code], `${method} ${path}`).toEqual([404, 'not_found'])
  expect(Object.keys(answer.body).sort().join()).toBe('code,detail,params,request_id,status,title,type')
  return withoutRequestId(answer)
}

/** Returns a valid body for a POST. */
function wholeBody(path: string): object {
  if (path === '/schedule-requests') return { availability_windows: [] }
  if (path === '/slots/search') return { change: {} }
  if (path === '/users') return { email: newEmail(), name: 'Ida', role: 'instructor' }
  if (path === '/vehicles') return { name: 'Golf', kind: 'car' }
  if (path.endsWith('/wishes')) return { minutes: 90 }
  if (path.endsWith('/enrolments')) return bodyFor('POST', path) ?? {}
  if (path === '/offers') return offered(ourIds)
  const resource = RESOURCES.find((one) => path.startsWith(`/${one}`)) as (typeof RESOURCES)[number]
  return bodies[resource]()
}

/** Puts a reference into its body: into the first lesson of a series or its change, or the assumptions of a search. */
function within(path: string, { ...body }: Readonly<Record<string, unknown>>): object {
  const { usual_vehicle_id, location_id } = body
  const isAssumed = path === '/slots/search' || (path === '/appointments/check' && location_id === undefined)
  if (isAssumed && (usual_vehicle_id ?? location_id) !== undefined) {
    const assumed = [{ instructor_id: ourIds.instructor, change: { usual_vehicle_id, location_id } }]
    return path === '/slots/search' ? { assumed } : { ...bodies.appointments(), assumed }
  }
  if (path.endsWith('/credits') && !body.from_enrolment_id)
    return [{ units: 1, date: '2026-01-31', school: 'Nord', ...body }]
  if (path.endsWith('/opening-balance')) return [{ units: 1, date: '2026-01-31', source: 'Nord', ...body }]
  if (path === '/slots/search') return { assumed: [body] }
  if (path.endsWith('/batch')) return { appointments: [body] }
  if (path.endsWith('/change')) {
    const { instructor_id, lesson_type_id } = body
    return { from: '2026-05-12', change: { instructor_id, lesson_type_id }, on_refusal: 'skip' }
  }
  return path.endsWith('/series') ? { appointment: body, repeat: { every_weeks: 1, count: 2 } } : body
}

describe('a path with an id', () => {
  it('is always covered by this test', () => {
    const paths = operations().map(({ path }) => path)
    const withId = [...new Set(paths.filter((path) => path.includes('{') && !path.includes('{token}')))]
    for (const path of withId) expect(path.match(/\{\w+\}/g)).toEqual(['{id}'])
    expect([...new Set(withId.map(collectionOf))].toSorted()).toEqual(Object.keys(KINDS).toSorted())
  })

  it.each(Object.entries(KINDS))(
    "%s: another school's, unknown, malformed and deleted ids get the same 404 and change nothing (S53)",
    async (collection, kind) => {
      const before = await both()
      for (const { method, path } of operationsIn(collection)) {
        const at = (id: string) => path.replace('{id}', encodeURIComponent(id))
        const body = bodyFor(method, path)
        const expected = await plain404(method, at(randomUUID()), body)
        const others = othersOf(kind, OF_THE_DELETED.test(path) ? undefined : deletedIds[kind])
        const malformed = MALFORMED_IDS.filter((id) => id !== '')
        for (const id of [...others, ...malformed]) {
          const answer = await ours.client.send(method, at(id), body)
          expect([answer.status, withoutRequestId(answer)], `${method} ${at(id)}`).toEqual([404, expected])
        }
      }
      expect(await both()).toEqual(before)
    },
  )

  it.each(Object.entries(KINDS))('%s: invalid ids of any length get the same 404', async (collection) => {
    for (const { method, path } of operationsIn(collection)) {
      const body = bodyFor(method, path)
      const expected = await plain404(method, path.replace('{id}', randomUUID()), body)
      for (const length of [99, 100, 101, 4000]) {
        const answer = await ours.client.send(method, path.replace('{id}', 'x'.repeat(length)), body)
        expect([answer.status, withoutRequestId(answer)], `${method}, ${length}`).toEqual([404, expected])
      }
    }
  })

  it.each(Object.entries(KINDS))("%s works with the school's own ids", async (collection, kind) => {
    for (const { method, path } of operationsIn(collection).filter((one) => one.method !== 'DELETE')) {
      const isNew = method === 'POST' && /\/(wishes|enrolments|busy-calendars|enrol)$/.test(path)
      const own = path.endsWith('/enrolments') && { template_id: ourIds.license_class_template }
      const body = isNew ? { ...bodyFor(method, path), ...own } : bodyFor(method, path)
      const answer = await ours.client.send(method, path.replace('{id}', ourIds[kind]), body)
      const good = isNew ? 201 : 200
      expect(answer.status, `${method} ${path}`).toBe(REFUSED.includes(path) ? 409 : good)
    }
  })
})

describe('a reference in a body', () => {
  // A decision on a lesson of any school that the change does not affect gets 409, and so does a move in a plan that is applied.
  const references = () =>
    operations()
      .filter(({ path }) => !/\/(absences|decided|changes|plans\/\{id\})$/.test(path))
      .flatMap(({ method, path, references }) => references.map((field) => ({ method, path, field })))

  it('is always covered by this test', () => {
    expect(references().length).toBeGreaterThanOrEqual(10)
    for (const { field, method, path } of references()) {
      expect(Object.keys(REFERENCES), `${method} ${path}`).toContain(field)
    }
  })

  it("to another school's row, an unknown one or one of another kind gets the plain 404 and writes nothing (S55)", async () => {
    const before = await both()
    for (const { method, path, field } of references()) {
      const kind = REFERENCES[field] as Kind
      const whole = method === 'POST' ? wholeBody(path) : bodyFor(method, path)
      const query = path === '/slots/search' ? '?minutes=60' : ''
      const at = `${path.replace('{id}', ourIds[KINDS[collectionOf(path)] ?? 'student'])}${query}`
      const expected = await plain404(method, at, within(path, { ...whole, [field]: randomUUID() }))
      for (const id of othersOf(kind, deletedIds[kind])) {
        const answer = await ours.client.send(method, at, within(path, { ...whole, [field]: id }))
        const label = `${method} ${path} ${field} ${id}`
        expect([answer.status, withoutRequestId(answer)], label).toEqual([404, expected])
      }
    }
    expect(await both()).toEqual(before)
  })
})

/** The period of the files that need one. Paths that are not below take a `limit`. */
const PERIOD = '?from=2000-01-01&to=2099-12-31'
const QUERIES: Readonly<Record<string, readonly string[]>> = {
  '/bootstrap': [''],
  '/busy-times': [''],
  '/tenant': [''],
  '/exports/students.csv': [''],
  '/exports/vehicles.csv': [''],
  '/exports/opening-balances.csv': [''],
  '/exports/appointments.csv': [PERIOD],
  '/exports/worked-time.csv': [PERIOD],
}

/** Responses that are not lists, the file of missed lessons, which is empty, the compressed file of the school, minutes, whose filters are 404, and those of `retention`, `due-signatures` and `training-records.test.ts`. Numbers have `test/db/isolation-records.test.ts`. */
const NO_LISTS = [
  '/inbox',
  '/changes/since',
  '/setup',
  '/slots',
  '/gaps',
  '/holidays',
  '/topics',
  '/minutes',
  '/minutes.csv',
  '/minutes.pdf',
  '/minutes/rows',
  '/retention',
  '/retention/runs',
  '/records.csv',
  '/records',
  '/signatures/due',
  '/records.pdf',
  '/exports/missed-appointments.csv',
  '/exports/school.ndjson.gz',
]

describe('a GET response', () => {
  const lists = () =>
    operations().filter(
      ({ method, path }) => method === 'GET' && !/[{]|^.numbers/.test(path) && !NO_LISTS.includes(path),
    )

  it('contains data of its own school and nothing of another (S54)', async () => {
    expect(lists().length).toBeGreaterThanOrEqual(7)
    for (const { path } of lists()) {
      for (const query of QUERIES[path] ?? ['', '?limit=1000']) {
        const { text } = await ours.client.get(`${path}${query}`)
        expect(text).not.toContain(CANARY)
        for (const id of [...Object.values(theirIds), theirs.tenantId, theirs.user.id]) {
          expect(text, path).not.toContain(id)
        }
        // The canary must be in the response of its own school. Otherwise, its absence would prove nothing.
        const { offer, plan, instructor } = theirIds
        const song = { '/offers': offer, '/plans': plan, '/busy-times': instructor }[path] ?? CANARY
        expect((await theirs.client.get(`${path}${query}`)).text, path).toContain(song)
      }
    }
  })

  it("is empty if filtered by another school's row", async () => {
    const filters = lists().flatMap(({ path, operation }) =>
      (operation.parameters ?? [])
        .map(({ name }) => ({ path, name }))
        .filter(({ name }) => name.endsWith('_id')),
    )
    expect(filters).toHaveLength(8)
    const others = { resource_id: theirIds.appointment, actor_id: theirs.user.id }
    for (const { path, name } of filters) {
      const id = name in others ? others[name as keyof typeof others] : theirIds[REFERENCES[name] as Kind]
      const { status, body } = await ours.client.get(`${path}?${name}=${id}`)
      expect([status, body]).toEqual([200, []])
      expect((await theirs.client.get(`${path}?${name}=${id}`)).body.length, name).toBeGreaterThan(0)
    }
  })
})
