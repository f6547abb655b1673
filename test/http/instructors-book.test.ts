import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { Client } from '../support/client.ts'
import { aSchool, aUser, logIn, type Row, type School } from '../support/factory.ts'
import { bearer } from '../support/session.ts'

const service = useService()
let school: School
let me: Row
let other: Row
let [mine, preferring, strange]: Row[] = []
let client: Client

const at = (hour: number, day = '05') => ({
  start_at: `2031-05-${day} ${String(hour).padStart(2, '0')}:00`,
  end_at: `2031-05-${day} ${String(hour).padStart(2, '0')}:45`,
})
const allow = (instructors_may: string) => school.client.patch('/tenant', { instructors_may })
const practice = () => ({ lesson_type_id: school.lessonTypes.PRACTICE })
const book = (fields: Record<string, unknown>, hour: number) =>
  client.post('/appointments', { ...practice(), instructor_id: me?.id, ...at(hour), ...fields })

beforeAll(async () => {
  school = await aSchool(service())
  me = await school.instructor({ license_classes: ['B'] })
  other = await school.instructor({ license_classes: ['B'] })
  mine = await school.student()
  preferring = await school.student({ preferred_instructor_id: me.id })
  strange = await school.student()
  await school.lesson({ instructor_id: me.id, student_id: mine.id, ...at(7, '04') })
  const visitor = new Client(service())
  const { email } = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id: me.id })
  client = visitor.with(bearer((await logIn(visitor, email)).token))
})

/** Returns the ids of the students that the instructor sees, in a list and one by one. */
async function seen(): Promise<readonly string[]> {
  const [bootstrap, listed] = await Promise.all([client.get('/bootstrap'), client.get('/students')])
  const ids = listed.body.map(({ id }: Row) => id)
  expect(bootstrap.body.students.map(({ id }: Row) => id)).toEqual(ids)
  for (const { id } of [mine, preferring, strange] as Row[]) {
    const statuses = ['', '/progress', '/opening-balance', '/wishes'].map(async (part) => {
      return (await client.get(`/students/${id}${part}`)).status
    })
    expect(new Set(await Promise.all(statuses))).toEqual(new Set([ids.includes(id) ? 200 : 404]))
  }
  return ids
}

const idsOf = (students: readonly (Row | undefined)[]) => new Set(students.map((one) => one?.id))

describe('instructors without permission to book', () => {
  it('see only the students of their own lessons', async () => {
    expect(new Set(await seen())).toEqual(idsOf([mine]))
  })

  it('get 403 for bookings, checks and searches, which is the default', async () => {
    expect((await school.client.get('/tenant')).body.instructors_may).toBe('nothing')
    expect((await allow('everything')).status).toBe(400)
    expect((await book({ student_id: mine?.id }, 8)).status).toBe(403)
    expect(
      (await client.post('/appointments/check', { ...practice(), instructor_id: me.id, ...at(8) })).status,
    ).toBe(403)
    expect((await client.get('/slots?minutes=45')).status).toBe(403)
    const series = {
      appointment: { ...practice(), instructor_id: me.id, ...at(8) },
      repeat: { every_weeks: 1, count: 2 },
    }
    expect((await client.post('/appointments/series', series)).status).toBe(403)
  })
})

describe('instructors who may book their own students', () => {
  beforeAll(async () => {
    expect((await allow('own_students')).body.instructors_may).toBe('own_students')
  })

  it('can book students of their lessons and those who prefer them, for themselves only', async () => {
    expect((await book({ student_id: mine?.id }, 8)).status).toBe(201)
    expect((await book({ student_id: preferring?.id }, 9)).status).toBe(201)
    expect((await book({ student_id: strange?.id }, 10)).status).toBe(404)
    expect((await book({ student_id: null }, 10)).status).toBe(201)
    expect((await book({ instructor_id: other.id, student_id: mine?.id }, 11)).status).toBe(403)
  })

  it('see the students whom they may book', async () => {
    expect(new Set(await seen())).toEqual(idsOf([mine, preferring]))
  })

  it('are subject to the rules: a conflict gets 409 instructor_busy', async () => {
    const answer = await book({ student_id: mine?.id }, 8)
    expect([answer.status, answer.body.code]).toEqual([409, 'instructor_busy'])
  })

  it('can move and cancel their own lessons, but not hand over or delete them', async () => {
    const { body: lesson } = await book({ student_id: mine?.id }, 12)
    const path = `/appointments/${lesson.id}`
    expect((await client.patch(path, at(13))).body).toMatchObject(at(13))
    expect((await client.patch(path, { instructor_id: other.id })).status).toBe(403)
    expect((await client.patch(path, { student_id: strange?.id })).status).toBe(404)
    expect((await client.patch(path, { status: 'cancelled' })).body.status).toBe('cancelled')
    expect((await client.delete(path)).status).toBe(403)
    const { body: second } = await book({ student_id: mine?.id }, 12)
    const cancelled = await client.post(`/appointments/${second.id}/cancel`, { by: 'student' })
    expect(cancelled.body.cancellation).toMatchObject({ by: 'student' })
  })

  it("get 404 for another instructor's lesson", async () => {
    const lesson = await school.lesson({ instructor_id: other.id, student_id: mine?.id, ...at(14) })
    expect((await client.patch(`/appointments/${lesson.id}`, at(15))).status).toBe(404)
    expect((await client.post(`/appointments/${lesson.id}/cancel`, { by: 'student' })).status).toBe(404)
    expect((await client.post('/appointments/check', { appointment_id: lesson.id, ...at(15) })).status).toBe(
      404,
    )
    expect((await client.get(`/slots?minutes=45&appointment_id=${lesson.id}`)).status).toBe(404)
  })

  it('can check and search for themselves only, including alternatives', async () => {
    const check = (fields: Record<string, unknown>) =>
      client.post('/appointments/check', {
        ...practice(),
        instructor_id: me.id,
        student_id: mine?.id,
        ...at(8),
        ...fields,
      })
    const refused = await check({})
    expect(refused.body.allowed).toBe(false)
    expect(new Set(refused.body.alternatives.map((slot: Row) => slot.instructor_id))).toEqual(
      new Set([me.id]),
    )
    expect((await check({ instructor_id: other.id })).status).toBe(403)
    expect((await check({ student_id: strange?.id })).status).toBe(404)
    const range = 'minutes=45&from=2031-05-05&to=2031-05-06'
    const slots = await client.get(`/slots?${range}`)
    expect(new Set(slots.body.map((slot: Row) => slot.instructor_id))).toEqual(new Set([me.id]))
    expect((await client.get(`/slots?${range}&instructor_id=${other.id}`)).status).toBe(403)
    expect((await client.get(`/slots?${range}&student_id=${strange?.id}`)).status).toBe(404)
  })

  it('can book a series or a batch within the same bounds', async () => {
    const repeat = { every_weeks: 1, count: 2 }
    const appointment = { ...practice(), instructor_id: me.id, student_id: mine?.id, ...at(16) }
    const series = (fields: Record<string, unknown>) =>
      client.post('/appointments/series', { appointment: { ...appointment, ...fields }, repeat })
    expect((await series({})).body.booked).toHaveLength(2)
    expect((await series({ instructor_id: other.id })).status).toBe(403)
    expect((await series({ student_id: strange?.id })).status).toBe(404)
    const batch = (fields: Record<string, unknown>) =>
      client.post('/appointments/batch', { appointments: [{ ...appointment, ...at(17), ...fields }] })
    expect((await batch({ instructor_id: other.id })).status).toBe(403)
    expect((await batch({})).status).toBeLessThan(300)
  })
})

it('instructors who may book any student see and book all students, for themselves only', async () => {
  await allow('any_student')
  expect(new Set(await seen())).toEqual(idsOf([mine, preferring, strange]))
  expect((await book({ student_id: strange?.id }, 18)).status).toBe(201)
  expect((await book({ instructor_id: other.id, student_id: strange?.id }, 19)).status).toBe(403)
})
