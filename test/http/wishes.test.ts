import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, aUser, enter, type Row, type School } from '../support/factory.ts'

const service = useService()
let school: School
let student: Row
let path: string

beforeEach(async () => {
  school = await aSchool(service())
  student = await school.student()
  path = `/students/${student.id}/wishes`
})

const BLANK = {
  weekdays: null,
  time_from: null,
  time_to: null,
  lesson_type_id: null,
  instructor_id: null,
  from: null,
  until: null,
}

describe('the wishes of a student', () => {
  it('can be created, listed from the oldest, withdrawn, and restored by an undo', async () => {
    const { id: instructor_id } = await school.instructor()
    const given = {
      weekdays: [3, 1],
      time_from: '14:00',
      time_to: '24:00',
      minutes: 90,
      lesson_type_id: school.lessonTypes.RURAL,
      instructor_id,
      from: '2099-01-31',
      until: '2099-01-31',
    }
    const made = await school.client.post(path, given)
    const first = must(201, made)
    expect(first).toMatchObject({ ...given, weekdays: [1, 3], student_id: student.id, version: 1 })
    expect(made.headers.get('location')).toBe(`/api/v1${path}/${first.id}`)
    const second = must(201, await school.client.post(path, { minutes: 45 }))
    expect(second).toMatchObject({ ...BLANK, minutes: 45 })
    expect(must(200, await school.client.get(path))).toEqual([first, second])
    expect((await school.client.get(`${path}?limit=1`)).headers.get('link')).toContain('rel="next"')
    expect((await school.client.delete(`${path}/${first.id}`, { 'if-match': '"7"' })).status).toBe(412)
    const withdrawn = await school.client.delete(`${path}/${first.id}`)
    expect(withdrawn.status).toBe(204)
    expect((await school.client.delete(`${path}/${first.id}`)).status).toBe(404)
    expect(must(200, await school.client.get(path))).toEqual([second])
    const undone = await school.client.post(`/changes/sets/${withdrawn.headers.get('x-request-id')}/undo`)
    expect(must(200, undone).undone).toEqual([first.id])
    expect(must(200, await school.client.get(path))).toMatchObject([{ id: first.id }, { id: second.id }])
  })

  it('report every invalid field, and are limited to 20 that have not expired', async () => {
    const faults = async (body: object) =>
      must(400, await school.client.post(path, body)).errors.map(({ pointer }: Row) => pointer)
    expect(await faults({})).toEqual(['/minutes'])
    expect(await faults({ minutes: 0, weekdays: [0], until: 'x' })).toEqual([
      '/minutes',
      '/weekdays/0',
      '/until',
    ])
    expect(await faults({ minutes: 45, weekdays: [1, 1] })).toEqual(['/weekdays'])
    expect(await faults({ minutes: 45, time_from: '10:00', time_to: '10:00' })).toEqual(['/time_to'])
    expect(await faults({ minutes: 91, time_from: '22:30', time_to: '24:00' })).toEqual(['/minutes'])
    expect(await faults({ minutes: 45, from: '2099-02-01', until: '2099-01-31' })).toEqual(['/until'])
    expect(await faults({ minutes: 45, time_to: '00:30' })).toEqual(['/minutes'])
    must(
      201,
      await school.client.post(path, {
        minutes: 90,
        time_from: '22:30',
        time_to: '24:00',
        until: '2001-01-01',
      }),
    )
    for (let wishes = 0; wishes < 20; wishes += 1) must(201, await school.client.post(path, { minutes: 45 }))
    expect(must(400, await school.client.post(path, { minutes: 45 })).errors[0].code).toBe('too_many')
    const [{ id, until }] = must(200, await school.client.get(path))
    expect(until).toBeNull()
    const withdrawn = await school.client.delete(`${path}/${id}`)
    must(201, await school.client.post(path, { minutes: 45 }))
    const undo = `/changes/sets/${withdrawn.headers.get('x-request-id')}/undo`
    const refused = [{ resource: 'wish', resource_id: id, code: 'too_many' }]
    expect(must(200, await school.client.post(undo))).toMatchObject({ undone: [], refused })
    expect(must(200, await school.client.get(path))).toHaveLength(20)
  })

  it('return 404 for references to other schools, other students and deleted students', async () => {
    const theirs = await aSchool(service())
    const { id: wish_id } = must(201, await school.client.post(path, { minutes: 45 }))
    const { id: instructor_id } = await theirs.instructor()
    for (const reference of [
      { instructor_id },
      { instructor_id: randomUUID() },
      { lesson_type_id: theirs.lessonTypes.RURAL },
    ])
      expect((await school.client.post(path, { minutes: 45, ...reference })).status).toBe(404)
    expect((await theirs.client.get(path)).status).toBe(404)
    expect((await theirs.client.post(path, { minutes: 45 })).status).toBe(404)
    expect((await theirs.client.delete(`${path}/${wish_id}`)).status).toBe(404)
    const other = await school.student()
    expect((await school.client.delete(`/students/${other.id}/wishes/${wish_id}`)).status).toBe(404)
    must(204, await school.client.delete(`/students/${student.id}`))
    expect((await school.client.get(path)).status).toBe(404)
  })

  it("are created once per Idempotency-Key, and readable by the student's instructors only", async () => {
    const { id: instructor_id } = await school.instructor()
    const key = { 'idempotency-key': randomUUID() }
    const first = await school.client.post(path, { minutes: 45 }, key)
    const again = await school.client.post(path, { minutes: 45 }, key)
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
    expect(again.body).toEqual(first.body)
    const user = await aUser(service(), school.tenantId, { role: 'instructor', instructor_id })
    const { client } = await enter(service(), { tenantId: school.tenantId, user })
    expect((await client.get(path)).status).toBe(404)
    await school.lesson({
      instructor_id,
      student_id: student.id,
      start_at: '2099-03-02 08:00',
      end_at: '2099-03-02 09:30',
    })
    expect(must(200, await client.get(path))).toEqual([first.body])
    expect((await client.post(path, { minutes: 45 })).status).toBe(403)
  })
})
