import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { openOwnDatabase, startService, type TestService, useService } from '../support/app.ts'
import { changesOf } from '../support/changes.ts'
import { FIELDS, fingerprint, UNWRITABLE } from '../support/corpus.ts'
import { aSchool, type School } from '../support/factory.ts'
import { Recorder } from '../support/plans.ts'
import { aCachedLogin } from '../support/session.ts'
import { storeLessons } from '../support/stored-lessons.ts'

const service = useService()
/** A Monday noon on the school's clock, which is one hour ahead of UTC. */
const NOW = new Date('2031-03-03T11:00:00Z')

let school: School
let instructor: string

beforeEach(async () => {
  service().setClock(NOW)
  school = await aSchool(service())
  instructor = (await school.instructor()).id
})

const lesson = (start_at: string, end: string, fields: object = {}) =>
  school.lesson({
    instructor_id: instructor,
    start_at,
    end_at: `${start_at.slice(0, 10)} ${end}`,
    ...fields,
  })
const ask = (change: object, id = instructor) => school.client.post(`/instructors/${id}/impact`, change)

async function hitBy(change: object) {
  const { status, body } = await ask(change)
  expect(status).toBe(200)
  return body.appointments.map((one: { appointment: { id: string }; refusals: { code: string }[] }) => [
    one.appointment.id,
    ...one.refusals.map(({ code }) => code),
  ])
}

describe('POST /instructors/{id}/impact', () => {
  it('returns all 1,100 affected appointments in the same form as GET /appointments', async () => {
    const student_id = (await school.student()).id
    const lessons = Array.from({ length: 1_100 }, (_, at) => {
      const start = Date.parse('2031-03-10T08:00Z') + Math.floor(at / 10) * 86_400_000 + (at % 10) * 3_600_000
      const timeOf = (time: number) => new Date(time).toISOString().slice(0, 16).replace('T', ' ')
      const times = { start_at: timeOf(start), end_at: timeOf(start + 2_700_000) }
      const lesson_type_id = school.lessonTypes.PRACTICE ?? ''
      return { instructor_id: instructor, student_id, lesson_type_id, status: 'planned', ...times }
    })
    await storeLessons(service(), school, lessons)
    const { status, body, headers } = await ask({ active: false })
    expect([status, body.checked, headers.get('content-type')]).toEqual([
      200,
      1_100,
      'application/json; charset=utf-8',
    ])
    const listed = (await school.client.get(`/appointments?instructor_id=${instructor}`)).body
    const refusals = [{ code: 'instructor_inactive', params: { instructor_id: instructor } }]
    expect(body.appointments).toEqual(listed.map((appointment: object) => ({ appointment, refusals })))
  })

  it('returns each affected appointment in full, with its refusals and their params', async () => {
    const { id } = await lesson('2031-03-05 08:00', '09:30')
    await lesson('2031-03-06 08:00', '09:30')
    const vacations = [{ start_date: '2031-03-05', end_date: '2031-03-05' }]
    const { status, body } = await ask({ vacations })
    expect([status, body]).toEqual([
      200,
      {
        checked: 2,
        appointments: [
          {
            appointment: (await school.client.get(`/appointments/${id}`)).body,
            refusals: [{ code: 'instructor_on_vacation', params: { ...vacations[0], note: null } }],
          },
        ],
      },
    ])
  })

  it("checks and counts only appointments that start after now in the school's time zone", async () => {
    await lesson('2031-03-03 12:00', '12:45')
    const coming = await lesson('2031-03-03 12:46', '13:30')
    await lesson('2031-03-04 08:00', '09:00', { status: 'cancelled' })
    const done = await lesson('2031-03-04 08:00', '09:00', { status: 'completed' })
    const deleted = await lesson('2031-03-04 10:00', '11:00')
    await school.client.delete(`/appointments/${deleted.id}`)
    const { id: other } = await school.instructor()
    await lesson('2031-03-04 10:00', '11:00', { instructor_id: other })
    expect((await ask({ active: false })).body.checked).toBe(2)
    expect(await hitBy({ active: false })).toEqual([
      [coming.id, 'instructor_inactive'],
      [done.id, 'instructor_inactive'],
    ])
  })

  it('checks each appointment together with the others by every rule that the change affects', async () => {
    const first = await lesson('2031-03-04 08:00', '09:30')
    const second = await lesson('2031-03-04 09:30', '11:00')
    const both = (code: string) => [
      [first.id, code],
      [second.id, code],
    ]
    expect(await hitBy({ max_daily_units: 3 })).toEqual(both('daily_limit_exceeded'))
    expect(await hitBy({ max_daily_units: 3, max_daily_override: 4 })).toEqual([])
    expect(await hitBy({ max_weekly_units: 3 })).toEqual(both('weekly_limit_exceeded'))
    expect(await hitBy({ required_break_minutes: 1 })).toEqual(both('break_too_short'))
    expect(await hitBy({ max_continuous_minutes: 179 })).toEqual(both('continuous_minutes_exceeded'))
    expect(await hitBy({ availability_windows: [{ weekday: 2, start: '08:00', end: '10:59' }] })).toEqual([
      [second.id, 'outside_availability'],
    ])
    expect(await hitBy({})).toEqual([])
    expect(await hitBy({ phone: '112', license_classes: [], color: '#000000' })).toEqual([])
  })

  it('omits rules that are already broken', async () => {
    const { id } = await lesson('2031-03-04 08:00', '09:30')
    await school.client.patch(`/instructors/${instructor}`, { max_daily_units: 1 })
    expect(await hitBy({ max_daily_units: 0 })).toEqual([])
    expect(await hitBy({ max_daily_units: 0, active: false })).toEqual([[id, 'instructor_inactive']])
  })

  it('includes a stretch that began weeks ago, and appointments up to 2099', async () => {
    for (let day = 1; day <= 28; day += 1)
      await lesson(`2031-02-${String(day).padStart(2, '0')} 20:00`, '20:45')
    for (const day of ['01', '02', '03', '04']) await lesson(`2031-03-${day} 20:00`, '20:45')
    await lesson('2099-12-31 20:00', '20:45')
    const { body } = await ask({ required_break_minutes: 1440, max_continuous_minutes: 1440 })
    expect(body.checked).toBe(3)
    const [first] = body.appointments
    expect(first.refusals[1]).toMatchObject({
      code: 'continuous_minutes_exceeded',
      params: { start_at: '2031-02-01 20:00', end_at: '2031-03-04 20:45' },
    })
    expect(await hitBy({ vacations: [{ start_date: '2099-12-31', end_date: '2099-12-31' }] })).toHaveLength(1)
  })

  it('writes nothing and ignores If-Match', async () => {
    await lesson('2031-03-04 08:00', '09:30')
    const before = [await fingerprint(service(), school.tenantId), await changesOf(school.client)]
    const answer = await school.client.post(
      `/instructors/${instructor}/impact`,
      { active: false, first_name: 'Nobody', vacations: [] },
      { 'if-match': '"77"' },
    )
    expect([answer.status, answer.body.appointments.length]).toEqual([200, 1])
    expect([await fingerprint(service(), school.tenantId), await changesOf(school.client)]).toEqual(before)
  })

  it("returns 404 for another school's instructor, an unknown one and a student", async () => {
    const theirs = await (await aSchool(service())).instructor()
    for (const id of [theirs.id, randomUUID(), (await school.student()).id, 'x']) {
      const { status, body } = await ask({ active: false }, id)
      expect([status, body.code]).toEqual([404, 'not_found'])
    }
  })
})

describe('an impact request with a body that PATCH rejects', () => {
  const cases = Object.entries(FIELDS.instructors).flatMap(([name, { bad, inside = [] }]) => [
    ...bad.map((value) => [name, '', value] as const),
    ...inside.map(([value, at]) => [name, at, value] as const),
  ])

  it('is rejected with the same errors', async () => {
    expect(cases.length).toBeGreaterThan(100)
    for (const [name, at, value] of cases) {
      const asked = await ask({ [name]: value })
      const changed = await school.client.patch(`/instructors/${instructor}`, { [name]: value })
      const label = `${name} ${JSON.stringify(value)?.slice(0, 80)}`
      expect(asked.status, label).toBe(400)
      expect(asked.body.errors, label).toEqual(changed.body.errors)
      expect(asked.body.errors[0].pointer, label).toBe(`/${name}${at}`)
    }
  })

  it('is rejected with 400 for read-only fields and for bodies that are not objects', async () => {
    for (const name of UNWRITABLE.instructors) {
      const { status, body } = await ask({ [name]: 1 })
      expect([status, body.errors[0].pointer]).toEqual([400, `/${name}`])
    }
    for (const body of ['[]', 'null', '"x"', '5', '{', '']) {
      const answer = await school.client.post(`/instructors/${instructor}/impact`, body, {
        'content-type': 'application/json',
      })
      expect(answer.status, body).toBe(400)
    }
  })
})

it('an impact on 2,000 lessons takes nine statements', async () => {
  const db = await openOwnDatabase()
  const recorder = new Recorder(db.pool)
  const recorded = await startService(db)
  try {
    const many = await aSchool(recorded)
    const { id } = await many.instructor()
    await addLessonsOf(recorded, many, id)
    const client = await aCachedLogin(recorded, many)
    recorder.takeAll()
    const path = `/instructors/${id}/impact`
    const untouched = await client.post(path, { phone: '112' })
    expect([untouched.body, recorder.takeAll().length]).toEqual([{ checked: 2000, appointments: [] }, 1])
    const { body } = await client.post(path, { active: false })
    expect([body.checked, body.appointments.length, recorder.takeAll().length]).toEqual([2000, 2000, 9])
  } finally {
    await recorded.close()
    await db.destroy()
  }
})

/** Adds two thousand lessons, eight a day without a pause. */
async function addLessonsOf({ db }: TestService, { tenantId, lessonTypes }: School, id: string) {
  await sql`insert into appointments (tenant_id, id, instructor_id, lesson_type_id, start_at, end_at, title, status,
      overrides_used)
    select ${tenantId}, gen_random_uuid(), ${id}, ${lessonTypes.PRACTICE}, t, t + interval '45 minutes', 'x', 'planned', '{}'
    from generate_series(0, 1999) n,
      lateral (select timestamp '2040-01-01 08:00' + n / 8 * interval '1 day' + n % 8 * interval '45 minutes') d (t)`.execute(
    db,
  )
}
