import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import type { Answer } from '../support/client.ts'
import { fingerprint, NO_DATES } from '../support/corpus.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
let school: School
let instructor_id: string
let lessonId: string

const LESSON = { start_at: '2026-05-04 08:00', end_at: '2026-05-04 09:30' }

beforeAll(async () => {
  school = await aSchool(service())
  instructor_id = (await school.instructor()).id
  lessonId = (await school.lesson({ instructor_id, ...LESSON })).id
})

const times = (start_at: string, end_at: string) => ({ start_at, end_at })

async function ofAnInstructor(of: School, fields: object = {}) {
  const { id } = await of.instructor({ ...fields })
  return (between: { start_at: string; end_at: string }) => of.book({ instructor_id: id, ...between })
}

function pointersOf({ status, body }: Answer): readonly string[] {
  expect([status, body.code]).toEqual([400, 'invalid_request'])
  return body.errors.map((fault: { pointer: string }) => fault.pointer)
}

const BAD_FORMS = [
  ...NO_DATES.map((date) => `${date} 08:00`),
  '2026-05-04',
  '08:00',
  '2026-05-04T08:00',
  '2026-05-04 08:00:00',
  '2026-05-04 08:00Z',
  '2026-05-04 08:00+02',
  '2026-05-04T08:00:00+02:00',
  '2026-05-04 8:00',
  '2026-5-4 08:00',
  '26-05-04 08:00',
  ' 2026-05-04 08:00',
  '2026-05-04 08:00 ',
  '2026-05-04  08:00',
  '2026-05-04\t08:00',
  '2026-05-04\u00a008:00',
  '2026-05-04 08:00\n',
  '2026-05-04 24:00',
  '2026-05-04 25:00',
  '2026-05-04 08:60',
  '2026-05-04 08.00',
  '2026-05-04 08:00 AM',
  '2026-02-29 08:00',
  '2026-04-31 08:00',
  '2100-01-01 00:00',
  '1999-12-31 23:59',
  '0000-00-00 00:00',
  '12026-05-04 08:00',
  '-2026-05-04 08:00',
  '２０２６-05-04 08:00',
  '2026-W19-1 08:00',
  '2026-124 08:00',
  'J2461165 08:00',
  'now',
  'today',
  'infinity',
  '-infinity',
  'epoch',
  '1777874400',
]

describe.each(['start_at', 'end_at'])('%s', (field) => {
  it('rejects any value that is not YYYY-MM-DD HH:MM in the years 2000 to 2099 (I10)', async () => {
    const before = await fingerprint(service(), school.tenantId)
    for (const text of BAD_FORMS) {
      const created = await school.book({ instructor_id, ...LESSON, [field]: text })
      expect(pointersOf(created), text).toEqual([`/${field}`])
      const changed = await school.client.patch(`/appointments/${lessonId}`, { [field]: text })
      expect(pointersOf(changed), text).toEqual([`/${field}`])
    }
    expect(await fingerprint(service(), school.tenantId)).toBe(before)
  })
})

it.each([
  ['the first minute of 2000', '2000-01-01 00:00', '2000-01-01 00:01'],
  ['the last minutes of 2099', '2099-12-31 23:00', '2099-12-31 23:59'],
  ['a leap day', '2028-02-29 08:00', '2028-02-29 09:00'],
  ['a lesson over midnight', '2026-12-31 23:30', '2027-01-01 00:30'],
  ['an end at midnight', '2026-06-01 23:00', '2026-06-02 00:00'],
  ['a lesson of exactly 24 hours', '2026-07-01 08:00', '2026-07-02 08:00'],
  ['24 hours across the spring clock change', '2027-03-27 12:00', '2027-03-28 12:00'],
  ['24 hours across the autumn clock change', '2027-10-30 12:00', '2027-10-31 12:00'],
  ['the repeated autumn hour', '2026-10-25 02:00', '2026-10-25 03:00'],
  ['a time inside the repeated autumn hour', '2029-10-28 02:30', '2029-10-28 02:45'],
  ['a time up to the skipped spring hour', '2026-03-29 00:30', '2026-03-29 01:59'],
  ['a time from the end of the skipped spring hour', '2026-03-29 03:00', '2026-03-29 04:00'],
  ['a time across the skipped spring hour', '2030-03-31 01:30', '2030-03-31 03:30'],
])('POST /appointments stores %s and returns it unchanged', async (_, start_at, end_at) => {
  const { status, body } = await school.book({ instructor_id, start_at, end_at })
  expect([status, body.start_at, body.end_at]).toEqual([201, start_at, end_at])
  expect((await school.client.get(`/appointments/${body.id}`)).body).toMatchObject({ start_at, end_at })
})

describe('start_at and end_at', () => {
  it.each([
    ['an end before the start', '2026-05-04 10:00', '2026-05-04 09:59'],
    ['an end equal to the start', '2026-05-04 10:00', '2026-05-04 10:00'],
    ['an end on the day before', '2026-05-04 08:00', '2026-05-03 09:00'],
    ['a length of 24 hours and one minute', '2026-05-06 08:00', '2026-05-07 08:01'],
    ['a length of 100 years', '2000-01-01 08:00', '2099-12-31 08:00'],
  ])('are rejected with %s (I10)', async (_, start_at, end_at) => {
    expect(pointersOf(await school.book({ instructor_id, start_at, end_at }))).toEqual(['/end_at'])
    const changed = await school.client.patch(`/appointments/${lessonId}`, { start_at, end_at })
    expect(pointersOf(changed)).toEqual(['/end_at'])
  })

  it.each([
    ['a start at the stored end', { start_at: '2026-05-04 09:30' }],
    ['a start after the stored end', { start_at: '2026-05-04 10:00' }],
    ['an end at the stored start', { end_at: '2026-05-04 08:00' }],
    ['an end before the stored start', { end_at: '2026-05-03 09:30' }],
    ['an end 1441 minutes after the stored start', { end_at: '2026-05-05 08:01' }],
    ['a start 1441 minutes before the stored end', { start_at: '2026-05-03 09:29' }],
  ])('are rejected if a change of one leads to %s (S79)', async (_, change) => {
    const before = await fingerprint(service(), school.tenantId)
    for (const more of [{}, { status: 'cancelled' }]) {
      const answer = await school.client.patch(`/appointments/${lessonId}`, { ...change, ...more })
      expect(pointersOf(answer)).toEqual(['/end_at'])
    }
    expect(await fingerprint(service(), school.tenantId)).toBe(before)
  })

  it('may be set exactly 24 hours apart by changing one of them', async () => {
    const { id } = await school.instructor()
    const lesson = await school.lesson({ instructor_id: id, ...LESSON })
    const { status, body } = await school.client.patch(`/appointments/${lesson.id}`, {
      end_at: '2026-05-05 08:00',
    })
    expect([status, body.end_at]).toEqual([200, '2026-05-05 08:00'])
  })

  it('are not compared if one is an invalid date, but are compared if both are skipped times', async () => {
    const answer = await school.book({ instructor_id, ...times('2026-02-30 08:00', '2026-01-01 08:00') })
    expect(pointersOf(answer)).toEqual(['/start_at'])
    const skipped = await school.book({ instructor_id, ...times('2026-03-29 02:30', '2026-03-29 02:00') })
    expect([...pointersOf(skipped)].sort()).toEqual(['/end_at', '/end_at', '/start_at'])
  })
})

describe('a time skipped by the spring clock change', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29 02:00', '2026-03-29 02:59'],
    ['Europe/London', '2026-03-29 01:00', '2026-03-29 01:59'],
    ['America/New_York', '2026-03-08 02:00', '2026-03-08 02:59'],
    ['Africa/Cairo', '2026-04-24 00:00', '2026-04-24 00:59'],
    ['Australia/Lord_Howe', '2026-10-04 02:00', '2026-10-04 02:29'],
    ['Pacific/Apia', '2011-12-30 00:00', '2011-12-30 23:59'],
  ])(
    'cannot be booked by a school in %s from %s to %s, but the times around it can',
    async (timezone, first, last) => {
      const there = await aSchool(service(), { timezone })
      const book = await ofAnInstructor(there)
      const shifted = (text: string, minutes: number) =>
        new Date(Date.parse(`${text.replace(' ', 'T')}Z`) + minutes * 60_000)
          .toISOString()
          .slice(0, 16)
          .replace('T', ' ')
      for (const skipped of [first, last]) {
        expect(pointersOf(await book(times(skipped, shifted(last, 1))))).toEqual(['/start_at'])
        expect(pointersOf(await book(times(shifted(first, -1), skipped)))).toEqual(['/end_at'])
      }
      const { status, body } = await book(times(shifted(first, -30), shifted(first, -1)))
      expect(status, body.detail).toBe(201)
      expect((await book(times(shifted(last, 1), shifted(last, 30)))).status).toBe(201)
      const moved = await there.client.patch(`/appointments/${body.id}`, { end_at: first })
      expect(pointersOf(moved)).toEqual(['/end_at'])
    },
  )

  it('can be booked in a school whose time zone does not skip it', async () => {
    const tokyo = await aSchool(service(), { timezone: 'Asia/Tokyo' })
    const book = await ofAnInstructor(tokyo)
    expect((await book(times('2026-03-29 02:15', '2026-03-29 02:45'))).status).toBe(201)
    expect((await book(times('2026-03-08 02:15', '2026-03-08 02:45'))).status).toBe(201)
  })
})

it.each([
  ['spring', '2026-03-29 01:30', '2026-03-29 03:30'],
  ['autumn', '2026-10-25 01:30', '2026-10-25 03:30'],
])(
  'two hours of wall-clock time are 120 minutes across the %s clock change (F23)',
  async (_, start_at, end_at) => {
    const inLimit = await ofAnInstructor(school, { max_continuous_minutes: 120 })
    expect((await inLimit({ start_at, end_at })).status).toBe(201)
    const overLimit = await ofAnInstructor(school, { max_continuous_minutes: 119 })
    const refused = await overLimit({ start_at, end_at })
    expect([refused.status, refused.body.params]).toEqual([
      409,
      { minutes: 120, limit_minutes: 119, start_at, end_at },
    ])
  },
)

it('lessons in the repeated hour conflict by wall-clock time', async () => {
  const book = await ofAnInstructor(school)
  expect((await book(times('2026-10-25 02:00', '2026-10-25 02:30'))).status).toBe(201)
  expect((await book(times('2026-10-25 02:15', '2026-10-25 02:45'))).body.code).toBe('instructor_busy')
  expect((await book(times('2026-10-25 02:30', '2026-10-25 03:00'))).status).toBe(201)
})
