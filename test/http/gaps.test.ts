import { beforeEach, describe, expect, it } from 'vitest'
import { newId } from '../../src/contract/new-id.ts'
import { daysLater } from '../../src/domain/local-time.ts'
import { useService } from '../support/app.ts'
import { must } from '../support/client.ts'
import { aSchool, type Row, type School } from '../support/factory.ts'
import { plantTwin } from '../support/twin.ts'

const service = useService()
let school: School
let instructor: Row
let template: string

/** A Monday. */
const DAY = '2099-03-02'
const at = (from: string, to: string, day = DAY) => ({ start_at: `${day} ${from}`, end_at: `${day} ${to}` })

beforeEach(async () => {
  school = await aSchool(service())
  instructor = await school.instructor({ license_classes: ['B'] })
  const templates = must(200, await school.client.get('/license-class-templates'))
  template = templates.find(({ code }: Row) => code === 'B').id
})

const learner = (fields: object = {}) => school.student({ license_class_template_id: template, ...fields })
const wish = async ({ id }: Row, fields: object = {}) =>
  must(201, await school.client.post(`/students/${id}/wishes`, { minutes: 90, ...fields }))
const gaps = async (from = '08:00', to = '09:30', of: Row = instructor): Promise<Row[]> => {
  const { start_at, end_at } = at(from, to)
  const query = new URLSearchParams({ instructor_id: of.id, start_at, end_at })
  return must(200, await school.client.get(`/gaps?${query}`))
}
const students = async (...times: [string?, string?]) =>
  (await gaps(...times)).map(({ student_id }) => student_id)
/** Returns the codes of the reasons. The longest wait depends on the minute of creation, so it becomes `waiting`. */
const codes = ({ reasons }: Row) =>
  (reasons as Row[]).map(({ code }) => (code === 'waited_longest' ? 'waiting' : code))

describe('GET /gaps', () => {
  it('goes by when a student can come in that week, in place of the wishes', async () => {
    const answers = async ({ id }: Row, body: object, week = DAY) =>
      must(200, await school.client.put(`/students/${id}/availability/${week}`, body))
    const time = (time_from: string, date = DAY) => ({ date, time_from, time_to: '12:00', minutes: 90 })
    const [can, cannot, later, longer, wished, next] = await Promise.all(
      Array.from({ length: 6 }, () => learner()),
    )
    for (const one of [can, cannot, later, wished, next]) await wish(one as Row)
    await answers(can as Row, { lessons: 1, windows: [time('09:00', '2099-03-03'), time('08:00')] })
    await answers(cannot as Row, { lessons: 0, windows: null })
    await answers(later as Row, { lessons: 1, windows: [time('08:15')] })
    await answers(longer as Row, { lessons: 1, windows: [{ ...time('08:00'), minutes: 91 }] })
    await answers(wished as Row, { lessons: 1, windows: null })
    await answers(next as Row, { lessons: 0, windows: [] }, '2099-03-09')
    const found = await gaps()
    const by = new Map(found.map((one) => [one.student_id, one]))
    expect(new Set(by.keys())).toEqual(new Set([can, wished, next].map((one) => one?.id)))
    const own = by.get(can?.id) as Row
    expect([own.wish_id, own.minutes, codes(own)[0]]).toEqual([null, 90, 'matches_week'])
    expect((own.reasons as Row[])[0]?.params).toEqual({ week_start: DAY })
    for (const one of [wished, next]) expect(codes(by.get(one?.id) as Row)[0]).toBe('matches_wish')
  })

  it('lists students with a matching wish first, then those without a wish, each with reasons', async () => {
    const idle = await learner()
    const keen = await learner({ preferred_instructor_id: instructor.id })
    const { id: wish_id } = await wish(keen)
    const other = await learner()
    await wish(other, { weekdays: [2] })
    const found = await gaps()
    expect(found.map(({ student_id }) => student_id)).toEqual([keen.id, idle.id])
    const [first, second] = found as [Row, Row]
    expect(first).toMatchObject({ wish_id, minutes: 90 })
    expect(codes(first)).toEqual(['matches_wish', 'waiting', 'special_drive_missing', 'preferred_instructor'])
    expect(second.wish_id).toBeNull()
    expect(codes(second)).toEqual(['waiting', 'special_drive_missing', 'no_wish'])
    for (const { student_id, lesson_type_id, minutes } of found) {
      const end_at = minutes === 90 ? `${DAY} 09:30` : `${DAY} 08:45`
      const asked = { student_id, lesson_type_id, instructor_id: instructor.id, start_at: `${DAY} 08:00` }
      const { body } = await school.client.post('/appointments/check', { ...asked, end_at })
      expect(body.allowed).toBe(true)
    }
  })

  it.each([
    ['any time: match', {}, true],
    ['its weekday: match', { weekdays: [1, 5] }, true],
    ['another weekday: no match', { weekdays: [2] }, false],
    ['exactly its hours: match', { time_from: '08:00', time_to: '09:30' }, true],
    ['later hours: no match', { time_from: '08:01' }, false],
    ['earlier hours: no match', { time_to: '09:29' }, false],
    ['a shorter lesson at its start: match', { minutes: 45, time_to: '08:45' }, true],
    ['a longer lesson: no match', { minutes: 91 }, false],
    ['its date as the last day: match', { until: DAY }, true],
    ['an earlier last day: no match', { until: '2099-03-01' }, false],
  ])('compares a gap to a wish for %s', async (_, fields, isListed) => {
    const student = await learner()
    await wish(student, fields)
    expect(await students()).toEqual(isListed ? [student.id] : [])
  })

  it('matches the instructor and lesson type of a wish', async () => {
    const other = await school.instructor({ license_classes: ['B'] })
    const student = await learner()
    const motorway = school.lessonTypes.MOTORWAY
    await wish(student, { instructor_id: other.id, lesson_type_id: motorway })
    expect(await gaps()).toEqual([])
    expect(await gaps('08:00', '09:30', other)).toMatchObject([{ lesson_type_id: motorway }])
  })

  it('omits a student who has cancelled a lesson at that time, but not one whose lesson the school cancelled', async () => {
    const [ill, left] = [await learner(), await learner()]
    for (const student of [ill, left]) await wish(student)
    const cancelled = async ({ id: student_id }: Row, time: object, by: string) => {
      const lesson = await school.lesson({ instructor_id: instructor.id, student_id, ...time })
      must(200, await school.client.post(`/appointments/${lesson.id}/cancel`, { by }))
    }
    await cancelled(ill, at('08:30', '10:00'), 'student')
    await cancelled(left, at('08:30', '10:00'), 'school')
    expect(await students()).toEqual([left.id])
    expect(await students('10:00', '11:30')).toEqual([ill.id, left.id])
  })

  it('does not omit a student for what one with the same id has cancelled or moved in another school', async () => {
    const student = await learner()
    await wish(student)
    const ids = { instructor_id: instructor.id, student_id: student.id }
    const lesson = await school.lesson({ ...ids, ...at('08:00', '09:30') })
    must(200, await school.client.post(`/appointments/${lesson.id}/cancel`, { by: 'student' }))
    // A twin's lessons are a week later.
    const twin = await plantTwin(service(), school.tenantId, 'spatz')
    const moved = { start_at: `${daysLater(DAY, 14)} 08:00`, end_at: `${daysLater(DAY, 14)} 09:30` }
    const row = { tenant_id: twin, id: newId(), set_id: newId(), undoes: null, before: JSON.stringify(moved) }
    const actor = { actor_kind: 'student', actor_id: student.id, actor_name: 'Lena' } as const
    const change = {
      resource: 'appointment',
      resource_id: lesson.id,
      action: 'changed',
      after: '{}',
    } as const
    await service()
      .db.insertInto('changes')
      .values({ ...row, ...actor, ...change })
      .execute()
    for (const days of [0, 7, 14]) {
      const day = daysLater(DAY, days)
      const query = new URLSearchParams({ ...ids, ...at('08:00', '09:30', day) })
      query.delete('student_id')
      const listed = must(200, await school.client.get(`/gaps?${query}`)) as Row[]
      expect(listed.map(({ student_id }) => student_id)).toEqual(days === 0 ? [] : [student.id])
    }
  })

  it('omits deleted students and those excluded by a rule or by licence class', async () => {
    const busy = await learner()
    await wish(busy)
    const other = await school.instructor()
    await school.lesson({ instructor_id: other.id, student_id: busy.id, ...at('09:00', '10:30') })
    const templates = must(200, await school.client.get('/license-class-templates'))
    const { id: motorbike } = templates.find(({ license_class }: Row) => license_class === 'A')
    await wish(await school.student({ license_class_template_id: motorbike }))
    const gone = await learner()
    await wish(gone)
    must(204, await school.client.delete(`/students/${gone.id}`))
    expect(await students()).toEqual([])
    const free = await learner()
    await wish(free)
    expect(await students()).toEqual([free.id])
    await school.lesson({ instructor_id: instructor.id, ...at('09:15', '10:00') })
    expect(await students()).toEqual([])
    expect(await students('08:00', '09:15')).toEqual([])
    await wish(free, { minutes: 60 })
    expect(await students('08:00', '09:15')).toEqual([free.id])
    expect(await students()).toEqual([free.id])
  })

  it('omits students without a wish who have a lesson within 14 days or no open requirement', async () => {
    const soon = await learner()
    const late = await learner()
    await school.student()
    const other = await school.instructor()
    await school.lesson({
      instructor_id: other.id,
      student_id: soon.id,
      ...at('08:00', '09:30', '2099-03-15'),
    })
    await school.lesson({
      instructor_id: other.id,
      student_id: late.id,
      ...at('08:00', '09:30', '2099-03-16'),
    })
    expect(await students()).toEqual([late.id])
  })

  it('omits students whose lesson would end in the hour skipped by daylight saving time', async () => {
    const short = await learner()
    await wish(short, { minutes: 60 })
    const whole = await learner()
    await wish(whole, { minutes: 120 })
    const day = '2099-03-29'
    const query = new URLSearchParams({ instructor_id: String(instructor.id), ...at('01:30', '03:30', day) })
    const found: Row[] = must(200, await school.client.get(`/gaps?${query}`))
    expect(found.map(({ student_id }) => student_id)).toEqual([whole.id])
  })

  it('counts a group as a lesson of each attendee', async () => {
    const attendee = await learner()
    const theory = {
      instructor_id: (await school.instructor()).id,
      lesson_type_id: school.lessonTypes.THEORY_BASIC,
      attendees: [{ student_id: attendee.id }],
    }
    const group = must(
      201,
      await school.client.post('/appointments', { ...theory, ...at('18:00', '19:30', '2099-03-05') }),
    )
    expect(await students()).toEqual([])
    must(204, await school.client.delete(`/appointments/${group.id}`))
    expect(await students()).toEqual([attendee.id])
    must(201, await school.client.post('/appointments', { ...theory, ...at('18:00', '19:30', '2001-03-05') }))
    const [found] = await gaps()
    expect(found?.reasons).toContainEqual({
      code: 'waited_longest',
      params: { days: expect.any(Number), since: '2001-03-05 19:30' },
    })
  })

  it('matches a wish for a night drive only after dusk', async () => {
    const student = await learner()
    await wish(student, { lesson_type_id: school.lessonTypes.NIGHT })
    expect(await students('12:00', '13:30')).toEqual([])
    expect(await students('20:00', '21:30')).toEqual([student.id])
  })

  it('ranks students by the time since their last lesson', async () => {
    const recent = await learner()
    const never = await learner()
    await wish(recent)
    await wish(never)
    await school.lesson({
      instructor_id: instructor.id,
      student_id: recent.id,
      start_at: '2001-03-02 08:00',
      end_at: '2001-03-02 09:30',
    })
    expect(await students()).toEqual([recent.id, never.id])
    const [first] = await gaps()
    expect(first?.reasons).toContainEqual({
      code: 'waited_longest',
      params: { days: expect.any(Number), since: '2001-03-02 09:30' },
    })
  })

  it("rejects invalid times with 400 and another school's instructor with 404", async () => {
    const ask = (query: Record<string, string>) => school.client.get(`/gaps?${new URLSearchParams(query)}`)
    const whole = { instructor_id: instructor.id, ...at('08:00', '09:30') }
    expect((await ask({ instructor_id: instructor.id })).status).toBe(400)
    expect((await ask({ ...whole, end_at: whole.start_at })).body.errors).toMatchObject([
      { pointer: '?end_at' },
    ])
    expect((await ask({ ...whole, ...at('02:30', '03:30', '2026-03-29') })).status).toBe(400)
    const theirs = await aSchool(service())
    expect((await ask({ ...whole, instructor_id: (await theirs.instructor()).id })).status).toBe(404)
    expect((await ask({ ...whole, ...at('08:00', '09:30', '2001-03-02') })).body).toEqual([])
  })
})
