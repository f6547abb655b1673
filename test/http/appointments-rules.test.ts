import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { aSchool, type School } from '../support/factory.ts'
import { at } from '../support/times.ts'

const service = useService()
let school: School
let instructor_id: string
let student_id: string

beforeAll(async () => {
  school = await aSchool(service())
})
beforeEach(async () => {
  instructor_id = (await school.instructor()).id
  student_id = (await school.student()).id
})

const book = (fields: object) => school.book({ instructor_id, ...fields })
const lesson = (fields: object) => school.lesson({ instructor_id, ...fields })
const listed = async () => (await school.client.get(`/appointments?instructor_id=${instructor_id}`)).body
const change = (id: string, fields: object) => school.client.patch(`/appointments/${id}`, fields)
const limit = (fields: object) => school.client.patch(`/instructors/${instructor_id}`, fields)

/** Deactivates the instructor, so that every booking is refused. */
async function makeUnbookable(): Promise<void> {
  expect((await limit({ active: false })).status).toBe(200)
}

describe('exemption from the booking rules', () => {
  it('applies when only status and notes change', async () => {
    const { id } = await lesson(at('08:00', '09:30'))
    await makeUnbookable()
    for (const fields of [
      {},
      { notes: 'x' },
      { status: 'completed' },
      { status: 'no_show', notes: null },
      { status: 'planned' },
      { status: 'cancelled', notes: 'krank' },
    ]) {
      expect((await change(id, fields)).status, JSON.stringify(fields)).toBe(200)
    }
  })

  it('applies to a new cancelled appointment', async () => {
    const standing = await lesson({ ...at('08:00', '09:30'), student_id })
    await limit({ active: false, max_daily_units: 0 })
    const { status, body } = await book({ ...at('08:30', '09:00'), student_id, status: 'cancelled' })
    expect([status, body.status, body.overrides_used]).toEqual([201, 'cancelled', []])
    expect(await listed()).toEqual([standing, body])
  })

  it('applies to a change that leaves the appointment cancelled', async () => {
    await lesson({ ...at('08:00', '09:30'), student_id })
    const { id } = await lesson(at('12:00', '13:00'))
    const both = await change(id, { status: 'cancelled', student_id, ...at('08:00', '09:30') })
    expect([both.status, both.body.status, both.body.start_at]).toEqual([
      200,
      'cancelled',
      '2026-05-04 08:00',
    ])
    const moved = await change(id, at('08:15', '09:45'))
    expect([moved.status, moved.body.status]).toEqual([200, 'cancelled'])
  })
})

describe('the booking rules', () => {
  it.each([
    ['title', { title: 'x' }],
    ['student_id', { student_id: null }],
    ['lesson_type_id', {}],
    ['instructor_id', {}],
    ['start_at', { start_at: '2026-05-04 08:00' }],
    ['end_at', { end_at: '2026-05-04 09:30' }],
  ])(
    'apply to a change that names %s, even with the same value or together with status or notes',
    async (field, given) => {
      const type = { lesson_type_id: school.lessonTypes.PRACTICE }
      const same = { lesson_type_id: type, instructor_id: { instructor_id } }[field] ?? given
      const { id } = await lesson(at('08:00', '09:30'))
      await makeUnbookable()
      for (const more of [{}, { notes: 'x' }, { status: 'completed' }]) {
        const { status, body } = await change(id, { ...same, ...more })
        expect([status, body.code]).toEqual([409, 'instructor_inactive'])
      }
    },
  )

  it.each(['planned', 'completed', 'no_show'])(
    'apply when a cancelled appointment becomes %s',
    async (status) => {
      const cancelled = await lesson({ ...at('08:00', '09:30'), status: 'cancelled' })
      const rival = await lesson(at('09:00', '10:00'))
      const refused = await change(cancelled.id, { status })
      const params = { appointment_id: rival.id, start_at: '2026-05-04 09:00', end_at: '2026-05-04 10:00' }
      expect([refused.status, refused.body.code, refused.body.params]).toEqual([
        409,
        'instructor_busy',
        params,
      ])
      expect((await school.client.get(`/appointments/${cancelled.id}`)).body).toEqual(cancelled)
      await limit({ max_daily_units: 3, max_daily_override: 9 })
      const moved = await change(cancelled.id, { status, ...at('10:00', '11:30') })
      expect([moved.status, moved.body.status, moved.body.overrides_used]).toEqual([200, status, ['daily']])
    },
  )
})

describe('a moved appointment (S80)', () => {
  it('does not conflict with its own old time', async () => {
    const { id } = await lesson({ ...at('08:00', '09:30'), student_id })
    for (const times of [
      at('08:15', '09:45'),
      at('08:00', '10:00'),
      at('08:30', '09:00'),
      at('08:30', '09:00'),
    ]) {
      const { status, body } = await change(id, times)
      expect([status, body.start_at, body.end_at]).toEqual([200, times.start_at, times.end_at])
    }
  })

  it('does not count twice towards the limits of its day and week', async () => {
    await limit({ max_daily_units: 2, max_weekly_units: 2, max_continuous_minutes: 90 })
    const { id } = await lesson(at('08:00', '09:30'))
    expect((await change(id, at('09:00', '10:30'))).status).toBe(200)
    expect((await change(id, at('09:00', '10:30', '2026-05-10'))).status).toBe(200)
    expect((await change(id, at('09:00', '10:31', '2026-05-10'))).body.code).toBe('daily_limit_exceeded')
  })

  it('needs no break after its own old time', async () => {
    await limit({ required_break_minutes: 30 })
    const { id } = await lesson(at('08:00', '09:00'))
    expect((await change(id, at('09:00', '10:00'))).status).toBe(200)
  })
})

describe('conflicts and limits', () => {
  it('adjacent lessons do not overlap, for the instructor and the student (S81)', async () => {
    for (const times of [at('10:00', '11:00'), at('11:00', '12:00'), at('09:00', '10:00')]) {
      expect((await book({ ...times, student_id })).status).toBe(201)
    }
    for (const times of [at('10:59', '11:01'), at('08:00', '09:01'), at('11:59', '12:30')]) {
      expect((await book(times)).body.code).toBe('instructor_busy')
    }
  })

  it.each([
    ['at the same time', '10:00', '11:00'],
    ['inside another', '10:15', '10:45'],
    ['around another', '09:00', '12:00'],
    ['across the start of another', '09:30', '10:01'],
    ['across the end of another', '10:59', '11:30'],
  ])('a lesson %s is rejected as an overlap', async (_, start, end) => {
    await lesson({ ...at('10:00', '11:00'), student_id })
    const { id: another } = await school.instructor()
    expect((await book(at(start, end))).body.code).toBe('instructor_busy')
    const elsewhere = await school.book({ instructor_id: another, student_id, ...at(start, end) })
    expect([elsewhere.status, elsewhere.body.code]).toEqual([409, 'student_busy'])
  })

  it('cancelled and deleted appointments free their time, completed ones and no-shows do not', async () => {
    const { id } = await lesson({ ...at('08:00', '09:30'), student_id })
    for (const status of ['completed', 'no_show', 'planned']) {
      await change(id, { status })
      expect((await book(at('08:00', '09:30'))).body.code, status).toBe('instructor_busy')
    }
    await change(id, { status: 'cancelled' })
    const second = await book({ ...at('08:00', '09:30'), student_id })
    expect(second.status).toBe(201)
    await school.client.delete(`/appointments/${second.body.id}`)
    expect((await book({ ...at('08:00', '09:30'), student_id })).status).toBe(201)
  })

  it('an appointment without a student occupies only its instructor', async () => {
    const { id: another } = await school.instructor()
    await lesson(at('08:00', '09:30'))
    expect((await school.book({ instructor_id: another, ...at('08:00', '09:30') })).status).toBe(201)
  })

  it('a lesson type that does not count toward limits adds no units but can still conflict', async () => {
    await limit({ max_daily_units: 2, max_weekly_units: 2 })
    const types = (await school.client.get('/lesson-types')).body
    const free = types.find((type: { counts_toward_limits: boolean }) => !type.counts_toward_limits)
    expect((await book({ ...at('06:00', '07:30'), lesson_type_id: free.id })).status).toBe(201)
    expect((await book(at('08:00', '09:30'))).status).toBe(201)
    expect((await book({ ...at('12:00', '15:00'), lesson_type_id: free.id })).status).toBe(201)
    expect((await book(at('17:00', '17:01'))).body.code).toBe('daily_limit_exceeded')
    expect((await book({ ...at('14:00', '16:00'), lesson_type_id: free.id })).body.code).toBe(
      'instructor_busy',
    )
    const practice = { lesson_type_id: school.lessonTypes.PRACTICE }
    const [first] = await listed()
    expect((await change(first.id, practice)).body.code).toBe('daily_limit_exceeded')
  })

  it('a limit of 0 units allows no booking, and null means no limit', async () => {
    await limit({ max_daily_units: 0 })
    expect((await book(at('08:00', '08:01'))).body.code).toBe('daily_limit_exceeded')
    await limit({ max_daily_units: null, max_weekly_units: 0 })
    expect((await book(at('08:00', '08:01'))).body.code).toBe('weekly_limit_exceeded')
    await limit({ max_weekly_units: null })
    expect((await book(at('00:00', '23:59'))).status).toBe(201)
  })
})
