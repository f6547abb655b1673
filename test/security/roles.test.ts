import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { aSchool, aUser, logIn, type Row, type School } from '../support/factory.ts'
import { operationsOf } from '../support/openapi.ts'
import { bearer } from '../support/session.ts'
import { INSTRUCTOR, OWNERS_ALONE } from './role-table.ts'

const service = useService()

type Things = Readonly<
  Record<'instructors' | 'students' | 'enrolments' | 'appointments' | 'schedule-requests' | 'changes', Row>
>
type Whose = 'own' | 'other' | 'foreign' | 'unknown'

let school: School
let own: Things
let other: Things
let foreign: Things
let instructor: Client
let office: Client

beforeAll(async () => {
  school = await aSchool(service())
  own = await thingsOf(school, '08')
  other = await thingsOf(school, '12')
  foreign = await thingsOf(await aSchool(service()), '08')
  instructor = await clientOf('instructor', own.instructors.id)
  office = await clientOf('office')
})

describe('an instructor', () => {
  it('has a defined permission for every operation that requires a token', () => {
    expect(Object.keys(INSTRUCTOR).sort()).toEqual(
      guarded()
        .map(({ operation }) => operation.operationId)
        .sort(),
    )
  })

  it('gets 403 for every forbidden operation, whoever owns the resource, before the body is checked', async () => {
    for (const { method, path, operation } of guarded().filter(reaching('none'))) {
      for (const whose of ['own', 'other', 'foreign', 'unknown'] as const) {
        const answer = await instructor.send(method, pathTo(path, whose), method === 'GET' ? undefined : {})
        expect([operation.operationId, whose, answer.status, answer.body.code]).toEqual([
          operation.operationId,
          whose,
          403,
          'forbidden',
        ])
      }
    }
  })

  it('can use their own resources and gets 404 for all others', async () => {
    const ofOne = guarded()
      .filter(reaching('own'))
      // See `http/attendees.test.ts`, `http/busy-calendars.test.ts`, `http/created-resources.test.ts`, `http/lesson-signatures.test.ts` and `http/record-pdf.test.ts` for the others.
      .filter(({ path }) => path.includes('{id}') && !/\{((student|wish|calendar)_id|digest)\}/.test(path))
      .filter(
        ({ operation }) => !['signLesson', 'signRecord', 'printConfirmation'].includes(operation.operationId),
      )
    expect(ofOne.length).toBeGreaterThan(0)
    for (const { method, path, operation } of ofOne) {
      const body = bodyOf(method, path)
      const statuses: number[] = []
      for (const whose of ['own', 'other', 'foreign', 'unknown'] as const) {
        statuses.push((await instructor.send(method, pathTo(path, whose), body)).status)
      }
      const done = method === 'DELETE' ? 204 : path.endsWith('/busy-calendars') && body ? 201 : 200
      expect([operation.operationId, ...statuses]).toEqual([operation.operationId, done, 404, 404, 404])
    }
  })

  it.each(['/students', '/students?with=progress', '/instructors', '/appointments', '/schedule-requests'])(
    'gets only their own rows from %s',
    async (path) => {
      const kind = path.slice(1).split('?')[0] as keyof Things
      const ids = ({ body }: { body: Row[] }) => body.map(({ id }) => id)
      expect(ids(await instructor.get(path))).toEqual([own[kind].id])
      expect(ids(await office.get(path)).sort()).toEqual([own[kind].id, other[kind].id].sort())
    },
  )

  it('gets an empty list when filtering lessons by another instructor', async () => {
    const { id } = other.instructors
    expect((await instructor.get(`/appointments?instructor_id=${id}`)).body).toEqual([])
  })

  it('can send schedule requests only for themselves', async () => {
    const ask = async (things: Things) => {
      const { id: instructor_id } = things.instructors
      return (await instructor.post('/schedule-requests', { instructor_id, availability_windows: [] })).status
    }
    expect([await ask(own), await ask(other), await ask(foreign)]).toEqual([201, 404, 404])
  })

  it('gets only their own rows from the bootstrap, under the same keys as the office', async () => {
    const { body } = await instructor.get('/bootstrap')
    const { body: whole } = await office.get('/bootstrap')
    expect(Object.keys(body)).toEqual(Object.keys(whole))
    expect(body.user).toMatchObject({ role: 'instructor', instructor_id: own.instructors.id })
    expect(body.students.map(({ id }: Row) => id)).toEqual([own.students.id])
    expect(body.instructors.map(({ id }: Row) => id)).toEqual([own.instructors.id])
    expect([body.lessonTypes, body.templates]).toEqual([whole.lessonTypes, whole.templates])
  })

  it('no longer sees a student whose lesson was moved to another instructor', async () => {
    const student = await school.student()
    const lesson = await lessonOf(school, { instructors: own.instructors, students: student }, '14')
    expect((await instructor.get(`/students/${student.id}`)).status).toBe(200)
    await school.client.patch(`/appointments/${lesson.id}`, { instructor_id: other.instructors.id })
    expect((await instructor.get(`/students/${student.id}`)).status).toBe(404)
    await school.client.delete(`/appointments/${lesson.id}`)
  })
})

describe('an instructor on their own lesson', () => {
  it.each(['completed', 'no_show', 'planned'])('can set the status %s and notes', async (status) => {
    const answer = await instructor.patch(address(), { status, notes: 'Motorway next.' })
    expect([answer.status, answer.body.status]).toEqual([200, status])
  })

  it.each([
    { start_at: '2026-07-01 09:00' },
    { end_at: '2026-07-01 09:45' },
    { student_id: null },
    { title: 'Another' },
    { lesson_type_id: randomUUID() },
    { instructor_id: randomUUID() },
    { status: 'cancelled' },
    { status: 'completed', end_at: '2026-07-01 09:45' },
  ])('gets 403 for the change %o', async (change) => {
    const before = (await instructor.get(address())).body
    const answer = await instructor.patch(address(), change)
    expect([answer.status, answer.body.code]).toEqual([403, 'forbidden'])
    expect((await instructor.get(address())).body).toEqual(before)
  })

  it('cannot plan it again once it was cancelled, but can add notes', async () => {
    await office.patch(address(), { status: 'cancelled' })
    expect((await instructor.patch(address(), { status: 'planned' })).status).toBe(403)
    expect((await instructor.patch(address(), { notes: 'Rang off.' })).status).toBe(200)
    await office.patch(address(), { status: 'planned' })
  })

  const address = () => `/appointments/${own.appointments.id}`
})

describe.each(['office', 'owner'] as const)('the %s', (role) => {
  it('gets 403 only for operations reserved to owners, and 404 for other schools (S108)', async () => {
    const client = role === 'office' ? office : school.client
    for (const { method, path, operation } of guarded()) {
      if (method === 'DELETE' || operation.operationId === 'changePassword') continue
      const body = method === 'GET' ? undefined : {}
      const { status } = await client.send(method, pathTo(path, 'own'), body)
      const isRefused = role === 'office' && OWNERS_ALONE.includes(operation.operationId)
      expect([operation.operationId, status === 403]).toEqual([operation.operationId, isRefused])
      if (!path.includes('{id}') || method !== 'GET' || isRefused) continue
      expect((await client.send(method, pathTo(path, 'foreign'))).status, operation.operationId).toBe(404)
    }
  })
})

const guarded = () => operationsOf(service()).filter(({ operation }) => operation.security === undefined)
const reaching =
  (reach: string) =>
  ({ operation }: { operation: { operationId: string } }) =>
    INSTRUCTOR[operation.operationId] === reach

/** Returns a body that an instructor may write. */
function bodyOf(method: string, path: string): object | undefined {
  if (method === 'POST' && path.endsWith('/calendar-feed')) return { detail: 'lesson' }
  if (method === 'POST' && path.endsWith('/busy-calendars'))
    return { name: 'Private', url: 'https://203.0.113.7/' }
  if (method !== 'PATCH') return undefined
  return path.startsWith('/appointments') ? { notes: 'Parks well.' } : {}
}

function pathTo(path: string, whose: Whose): string {
  const kind = path.split('/')[1] as keyof Things
  const id = whose === 'unknown' ? randomUUID() : { own, other, foreign }[whose][kind]?.id
  const query = path.endsWith('/confirmation.pdf') ? '?part=theory' : ''
  const named = path.replace('{id}', id ?? '').replace('{student_id}', own.students.id)
  return named.replace('{week_start}', '2026-05-04') + query
}

async function clientOf(role: 'office' | 'instructor', instructor_id?: string): Promise<Client> {
  const user = await aUser(service(), school.tenantId, { role, instructor_id })
  const { token } = await logIn(new Client(service()), user.email)
  return new Client(service(), bearer(token))
}

async function thingsOf(place: School, hour: string): Promise<Things> {
  const people = { instructors: await place.instructor(), students: await place.student() }
  const [template] = (await place.client.get('/license-class-templates')).body
  const enrolled = { template_id: template.id }
  const { body: enrolments } = await place.client.post(`/students/${people.students.id}/enrolments`, enrolled)
  const asked = { instructor_id: people.instructors.id, availability_windows: [] }
  const { body } = await place.client.post('/schedule-requests', asked)
  const appointments = await lessonOf(place, people, hour)
  const noted = await place.client.patch(`/appointments/${appointments.id}`, { practised: 'Parking.' })
  const changes = { id: noted.headers.get('x-request-id') ?? '' }
  return { ...people, enrolments, appointments, changes, 'schedule-requests': body }
}

function lessonOf(
  place: School,
  { instructors, students }: Pick<Things, 'instructors' | 'students'>,
  hour: string,
): Promise<Row> {
  const times = { start_at: `2026-07-01 ${hour}:00`, end_at: `2026-07-01 ${hour}:30` }
  return place.lesson({ instructor_id: instructors.id, student_id: students.id, ...times })
}
