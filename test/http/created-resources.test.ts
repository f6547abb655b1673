import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool, aUser, enter, type School } from '../support/factory.ts'

const service = useService()
let school: School
let theirs: School
let posts: readonly (readonly [path: string, body: object])[]

beforeAll(async () => {
  ;[school, theirs] = [await aSchool(service()), await aSchool(service())]
  const { id: instructor_id } = await school.instructor()
  const { id: student_id } = await school.student()
  const lesson_type_id = school.lessonTypes.PRACTICE
  const times = { start_at: '2099-03-02 08:00', end_at: '2099-03-02 09:30' }
  const [template] = (await school.client.get('/license-class-templates')).body
  posts = [
    ['/students', { first_name: 'Lena', last_name: 'Vogt' }],
    ['/instructors', { first_name: 'Ute', last_name: 'Brandt' }],
    ['/offers', { instructor_id, lesson_type_id, ...times, student_ids: [student_id] }],
    ['/appointments', { instructor_id, lesson_type_id, ...times }],
    ['/schedule-requests', { instructor_id, start_date: '2099-03-02', end_date: '2099-03-03' }],
    ['/vehicles', { name: 'Golf', kind: 'car' }],
    ['/locations', { name: 'North' }],
    ['/closures', { start_date: '2099-05-04', end_date: '2099-05-05', note: 'Fair' }],
    [`/students/${student_id}/enrolments`, { template_id: template.id }],
    [`/students/${student_id}/wishes`, { minutes: 90 }],
    ['/webhooks', { url: 'https://203.0.113.5/hook' }],
    ['/users', { email: `${randomUUID()}@school.example`, name: 'Eva', role: 'office' }],
  ]
})

it('a created resource is readable at its Location, with an entity tag, by its own school only', async () => {
  for (const [path, body] of posts) {
    const made = await school.client.post(path, body)
    const location = made.headers.get('location')?.replace('/api/v1', '') ?? ''
    const read = await school.client.get(location)
    expect([made.status, read.status], path).toEqual([201, 200])
    const { secret: _, ...shown } = made.body.user ?? made.body
    if (path !== '/offers') expect(read.body).toEqual(shown)
    expect(read.headers.get('etag')).toMatch(/^"1[".]/)
    const known = { 'if-none-match': String(read.headers.get('etag')) }
    expect((await school.client.get(location, known)).status, path).toBe(304)
    for (const other of [location.replace(/[^/]+$/, randomUUID()), location.replace(/[^/]+$/, 'x')])
      expect((await school.client.get(other)).body.code, other).toBe('not_found')
    expect((await theirs.client.get(location)).body.code, path).toBe('not_found')
  }
})

it('the office cannot read users or webhooks, and instructors only wishes of their own students', async () => {
  const { id: instructor_id } = await school.instructor()
  const as = async (role: object) =>
    (
      await enter(service(), {
        tenantId: school.tenantId,
        user: await aUser(service(), school.tenantId, role),
      })
    ).client
  const office = await as({ role: 'office' })
  for (const path of [`/users/${school.user.id}`, `/webhooks/${randomUUID()}`])
    expect((await office.get(path)).body.code).toBe('forbidden')
  const student = await school.student()
  const wishes = `/students/${student.id}/wishes`
  const wish = (await school.client.post(wishes, { minutes: 45 })).body
  const instructor = await as({ role: 'instructor', instructor_id })
  expect((await instructor.get(`${wishes}/${wish.id}`)).body.code).toBe('not_found')
  const other = await school.student()
  expect((await school.client.get(`/students/${other.id}/wishes/${wish.id}`)).body.code).toBe('not_found')
  await school.lesson({
    instructor_id,
    student_id: student.id,
    start_at: '2099-04-02 08:00',
    end_at: '2099-04-02 09:30',
  })
  expect((await instructor.get(`${wishes}/${wish.id}`)).body).toEqual(wish)
})

it('locations and closures keep their history after deletion', async () => {
  for (const [path, body] of posts.filter(([path]) => ['/locations', '/closures'].includes(path))) {
    const { id } = (await school.client.post(path, body)).body
    expect((await school.client.delete(`${path}/${id}`)).status).toBe(204)
    expect((await school.client.get(`${path}/${id}`)).status).toBe(404)
    const history = await school.client.get(`${path}/${id}/history`)
    expect(history.body.map(({ action }: { action: string }) => action)).toEqual(['deleted', 'created'])
    expect((await school.client.get(`/changes?resource_id=${id}`)).body).toEqual(history.body)
    expect((await theirs.client.get(`${path}/${id}/history`)).status).toBe(404)
  }
})
