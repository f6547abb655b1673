import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { changesOf, historyOf } from '../support/changes.ts'
import { aSchool, type School } from '../support/factory.ts'
import { PLAIN_LESSON } from '../support/group-fields.ts'

const service = useService()
let school: School
let others: School

beforeAll(async () => {
  school = await aSchool(service())
  others = await aSchool(service())
})

type Fields = Readonly<Record<string, unknown>>

const TIMES = { start_at: '2031-03-03 08:00', end_at: '2031-03-03 09:30' }
const LATER = { start_at: '2031-03-03 10:00', end_at: '2031-03-03 11:30' }

/** Returns the fields in the log: those on the wire except the id and times of writing. */
function shownFields({ id: _, created_at: __, updated_at: ___, ...fields }: Fields): Fields {
  return fields
}

const byUs = () => ({ kind: 'user', id: school.user.id, name: 'Anna Office' })

describe('the history of a lesson', () => {
  it('lists booking, move, deletion and restoration, newest first, with actor and fields', async () => {
    const instructor = await school.instructor()
    const student = await school.student()
    const lesson = await school.lesson({ instructor_id: instructor.id, student_id: student.id, ...TIMES })
    const path = `/appointments/${lesson.id}`
    const moved = await school.client.patch(path, LATER)
    const deleted = await school.client.delete(path)
    const restored = await school.client.post(`${path}/restore`)
    const values = {
      instructor_id: instructor.id,
      student_id: student.id,
      lesson_type_id: school.lessonTypes.PRACTICE,
      title: lesson.title,
      status: 'planned',
      notes: null,
      pickup_place: null,
      practised: null,
      actual_start_at: null,
      actual_end_at: null,
      ...PLAIN_LESSON,
      cancellation: null,
      overrides_used: [],
    }
    const history = await historyOf(school.client, path)
    expect(history.map(({ action, before, after }) => ({ action, before, after }))).toEqual([
      { action: 'restored', before: null, after: { ...values, ...LATER, version: 4 } },
      { action: 'deleted', before: { ...values, ...LATER, version: 2 }, after: null },
      { action: 'changed', before: { ...TIMES, version: 1 }, after: { ...LATER, version: 2 } },
      { action: 'created', before: null, after: { ...values, ...TIMES, version: 1 } },
    ])
    for (const { actor, resource, resource_id } of history)
      expect({ actor, resource, resource_id }).toEqual({
        actor: byUs(),
        resource: 'appointment',
        resource_id: lesson.id,
      })
    const requests = [restored, deleted, moved].map(({ headers }) => headers.get('x-request-id'))
    expect(history.map(({ set_id }) => set_id)).toEqual([...requests, expect.any(String)])
    expect(requests).not.toContain(history.at(-1)?.set_id)
    const times = history.map(({ at }) => at)
    expect(times).toEqual(times.toSorted().toReversed())
    expect(Math.abs(Date.parse(times[0] ?? '') - Date.now())).toBeLessThan(60_000)
  })

  it('includes the override that a move uses', async () => {
    const { id: instructor_id } = await school.instructor({ max_daily_units: 2, max_daily_override: 4 })
    await school.lesson({ instructor_id, ...TIMES })
    const lesson = await school.lesson({
      instructor_id,
      ...TIMES,
      start_at: '2031-03-04 08:00',
      end_at: '2031-03-04 09:30',
    })
    await school.client.patch(`/appointments/${lesson.id}`, LATER)
    const [moved] = await historyOf(school.client, `/appointments/${lesson.id}`)
    expect(moved?.before).toMatchObject({ overrides_used: [] })
    expect(moved?.after).toEqual({ ...LATER, overrides_used: ['daily'], version: 2 })
  })
})

describe('the history of a student', () => {
  it('groups a deletion or a restoration with its lesson changes under one set_id', async () => {
    const { id: instructor_id } = await school.instructor()
    const student = await school.student({ notes: 'nervous' })
    const path = `/students/${student.id}`
    const lesson = await school.lesson({ instructor_id, student_id: student.id, ...TIMES })
    const past = { start_at: '2020-03-03 08:00', end_at: '2020-03-03 09:30' }
    const done = await school.lesson({ instructor_id, student_id: student.id, ...past })
    const clash = await school.lesson({ instructor_id, student_id: student.id, ...LATER })
    await school.client.patch(path, { phone: '112', notes: 'nervous' })
    await school.client.delete(path)
    await school.lesson({ instructor_id, ...LATER })
    const { body } = await school.client.post(`${path}/restore`)
    expect([body.restored, body.refused.length]).toEqual([[lesson.id], 1])

    const [restored, deleted, changed, created] = await historyOf(school.client, path)
    expect(created).toMatchObject({
      action: 'created',
      before: null,
      after: shownFields(student),
      actor: byUs(),
    })
    expect(changed?.before).toEqual({ phone: null, version: 1 })
    expect(changed?.after).toEqual({ phone: '112', version: 2 })
    const standing = { ...shownFields(student), phone: '112' }
    expect(deleted).toMatchObject({ action: 'deleted', before: { ...standing, version: 2 }, after: null })
    expect(restored).toMatchObject({ action: 'restored', before: null, after: shownFields(body.student) })

    expect(await setOf(deleted?.set_id)).toEqual(
      new Set([
        ['student', student.id, 'deleted', undefined],
        ['appointment', lesson.id, 'changed', 'cancelled'],
        ['appointment', clash.id, 'changed', 'cancelled'],
      ]),
    )
    expect(await setOf(restored?.set_id)).toEqual(
      new Set([
        ['student', student.id, 'restored', undefined],
        ['appointment', lesson.id, 'changed', 'planned'],
        // The lesson stays cancelled, and is no longer restored with the student.
        ['appointment', clash.id, 'changed', undefined],
      ]),
    )
    expect(await historyOf(school.client, `/appointments/${done.id}`)).toHaveLength(1)
    const [planned, cancelled] = await historyOf(school.client, `/appointments/${lesson.id}`)
    expect([cancelled?.before, cancelled?.after]).toEqual([
      { status: 'planned', cancellation: null, version: 1 },
      { status: 'cancelled', cancellation: expect.objectContaining({ by: 'school' }), version: 2 },
    ])
    expect([planned?.before, planned?.after]).toEqual([
      { status: 'cancelled', cancellation: cancelled?.after?.cancellation, version: 2 },
      { status: 'planned', cancellation: null, version: 3 },
    ])
  })
})

/** Returns the resources of a set_id, with their current status. */
async function setOf(setId: string | undefined): Promise<ReadonlySet<readonly unknown[]>> {
  const changes = (await changesOf(school.client)).filter(({ set_id }) => set_id === setId)
  return new Set(
    changes.map(({ resource, resource_id, action, after }) => [
      resource,
      resource_id,
      action,
      resource === 'appointment' ? after?.status : undefined,
    ]),
  )
}

describe('the history of an instructor', () => {
  it('lists changes of windows, vacations and limits, each with only the changed fields', async () => {
    const instructor = await school.instructor({ max_daily_units: 8 })
    const path = `/instructors/${instructor.id}`
    const windows = [
      { weekday: 1, start: '08:00', end: '12:00' },
      { weekday: 2, start: '13:00', end: '24:00' },
    ]
    const vacation = { start_date: '2031-12-24', end_date: '2032-01-02' }
    await school.client.patch(path, { availability_windows: windows, max_daily_units: 8 })
    await school.client.patch(path, { vacations: [vacation] })
    await school.client.patch(path, { max_daily_units: null, max_weekly_override: 30, active: false })
    await school.client.patch(path, { availability_windows: windows.slice(1), license_classes: ['B'] })
    const history = await historyOf(school.client, path)
    expect(history.map(({ action }) => action)).toEqual([...Array(4).fill('changed'), 'created'])
    expect(history.at(-1)?.after).toEqual(shownFields(instructor))
    expect(history.slice(0, -1).map(({ before, after }) => [before, after])).toEqual([
      [
        { license_classes: [], availability_windows: windows, version: 4 },
        { license_classes: ['B'], availability_windows: windows.slice(1), version: 5 },
      ],
      [
        { max_daily_units: 8, max_weekly_override: null, active: true, version: 3 },
        { max_daily_units: null, max_weekly_override: 30, active: false, version: 4 },
      ],
      [
        { vacations: [], version: 2 },
        { vacations: [{ ...vacation, note: null }], version: 3 },
      ],
      [
        { availability_windows: [], version: 1 },
        { availability_windows: windows, version: 2 },
      ],
    ])
    for (const { actor } of history) expect(actor).toEqual(byUs())
  })
})

describe('a history', () => {
  it('is available for deleted resources, and by an id in upper case', async () => {
    const { id: instructor_id } = await school.instructor()
    const student = await school.student()
    const lesson = await school.lesson({ instructor_id, ...TIMES })
    for (const path of [`/students/${student.id}`, `/appointments/${lesson.id}`]) {
      expect((await school.client.delete(path)).status).toBe(204)
      expect((await school.client.get(path)).status).toBe(404)
      const history = await historyOf(
        school.client,
        path.toUpperCase().replace(/^\/\w+/, (name) => name.toLowerCase()),
      )
      expect(history.map(({ action }) => action)).toEqual(['deleted', 'created'])
    }
  })

  it('is 404 for an id that is unknown, malformed, or of another school or resource type', async () => {
    const { id: instructor } = await others.instructor()
    const { id: student } = await others.student()
    const { id: appointment } = await others.lesson({ instructor_id: instructor, ...TIMES })
    const ours = { instructors: (await school.student()).id, students: (await school.instructor()).id }
    const wrong = [randomUUID(), 'none', '%00', instructor, student, appointment]
    for (const resource of ['appointments', 'students', 'instructors'] as const)
      for (const id of [...wrong, resource === 'appointments' ? ours.students : ours[resource]]) {
        const answer = await school.client.get(`/${resource}/${id}/history`)
        expect([answer.status, answer.body.code], `${resource} ${id}`).toEqual([404, 'not_found'])
      }
  })

  it('is paged, and returns 304 until the next change', async () => {
    const student = await school.student()
    const path = `/students/${student.id}`
    for (const phone of ['1', '2', '3', '4']) await school.client.patch(path, { phone })
    const whole = await historyOf(school.client, path)
    const first = await school.client.get(`${path}/history?limit=3`)
    const next = /^<\/api\/v1([^>]*)>; rel="next"$/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
    const second = await school.client.get(next)
    expect([...first.body, ...second.body]).toEqual(whole)
    expect([first.body.length, second.headers.get('link')]).toEqual([3, null])
    const tag = { 'if-none-match': (await school.client.get(`${path}/history`)).headers.get('etag') ?? '' }
    expect((await school.client.get(`${path}/history`, tag)).status).toBe(304)
    await school.client.patch(path, { phone: '5' })
    expect((await school.client.get(`${path}/history`, tag)).status).toBe(200)
  })

  it('rejects parameters other than those for paging', async () => {
    const { id } = await school.student()
    const answer = await school.client.get(`/students/${id}/history?resource=student`)
    expect([answer.status, answer.body.errors]).toMatchObject([
      400,
      [{ pointer: '?resource', code: 'unknown_parameter' }],
    ])
  })
})
