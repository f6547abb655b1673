import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { useService } from '../support/app.ts'
import { changesOf, Follower } from '../support/changes.ts'
import type { Answer } from '../support/client.ts'
import { fingerprint } from '../support/corpus.ts'
import { aSchool, type School } from '../support/factory.ts'

const service = useService()
let school: School
let ids: Readonly<Record<'instructor' | 'away' | 'student' | 'gone' | 'lesson' | 'freed', string>>

const TIMES = { start_at: '2031-03-03 08:00', end_at: '2031-03-03 09:30' }
const LATER = { start_at: '2031-03-03 10:00', end_at: '2031-03-03 11:30' }

/** Sets every field, so that each has a value to send again. */
beforeAll(async () => {
  school = await aSchool(service())
  const [template] = (await school.client.get('/license-class-templates')).body
  const { id: instructor } = await school.instructor({
    email: 'jonas@school.example',
    phone: '112',
    phone_2: '114',
    license_classes: ['B', 'BE'],
    max_daily_units: 8,
    max_daily_override: 9,
    availability_windows: [
      { weekday: 1, start: '06:00', end: '24:00' },
      { weekday: 3, start: '06:00', end: '12:00' },
    ],
    vacations: [{ start_date: '2031-12-24', end_date: '2032-01-02' }],
  })
  const { id: away } = await school.instructor({
    vacations: [{ start_date: '2031-03-03', end_date: '2031-03-03' }],
  })
  const { id: student } = await school.student({
    email: 'lena@school.example',
    phone: '113',
    phone_2: '115',
    birth_date: '2013-02-28',
    pickup_place: 'Station',
    language: 'tr',
    lessons_per_week: 2,
    notes: 'nervous',
    messages_consent: true,
    message_channel: 'webhook',
    license_class_template_id: template.id,
    preferred_instructor_id: instructor,
  })
  const { id: gone } = await school.student()
  const { id: lesson } = await school.lesson({
    instructor_id: instructor,
    student_id: student,
    notes: 'x',
    ...TIMES,
  })
  const { id: freed } = await school.lesson({ instructor_id: instructor, ...LATER })
  await school.client.delete(`/appointments/${freed}`)
  await school.client.delete(`/students/${gone}`)
  await school.lesson({ instructor_id: instructor, ...LATER })
  ids = { instructor, away, student, gone, lesson, freed }
})

/** Sends a request. Expects that it stores, logs and publishes nothing. */
async function leavesNoTrace(status: number, ask: () => Promise<Answer>): Promise<Answer> {
  const follower = await Follower.begin(school.client)
  const listed = await changesOf(school.client)
  const stored = await fingerprint(service(), school.tenantId)
  const answer = await ask()
  expect(answer.status, answer.text).toBe(status)
  expect(await fingerprint(service(), school.tenantId)).toBe(stored)
  expect(await changesOf(school.client)).toEqual(listed)
  expect(await follower.poll()).toEqual([])
  return answer
}

type Attempt = readonly [what: string, status: number, ask: () => Promise<Answer>]

const STALE = { 'if-match': '"77"' }

describe('a rejected request', () => {
  it.each<Attempt>([
    ['a booking that overlaps a lesson', 409, () => school.book({ instructor_id: ids.instructor, ...TIMES })],
    ['a booking during a vacation', 409, () => school.book({ instructor_id: ids.away, ...TIMES })],
    [
      'a booking for an unknown instructor',
      404,
      () => school.book({ instructor_id: randomUUID(), ...TIMES }),
    ],
    ['a booking for a deleted student', 404, () => book({ student_id: ids.gone })],
    ['a booking that ends before it begins', 400, () => book({ end_at: '2031-03-03 07:00' })],
    ['a move that overlaps a lesson', 409, () => school.client.patch(`/appointments/${ids.lesson}`, LATER)],
    [
      'a stale change of an appointment',
      412,
      () => school.client.patch(`/appointments/${ids.lesson}`, { notes: 'y' }, STALE),
    ],
    [
      'a stale deletion of an appointment',
      412,
      () => school.client.delete(`/appointments/${ids.lesson}`, STALE),
    ],
    [
      'a change of a deleted appointment',
      404,
      () => school.client.patch(`/appointments/${ids.freed}`, { notes: 'y' }),
    ],
    ['a second deletion of an appointment', 404, () => school.client.delete(`/appointments/${ids.freed}`)],
    ['a restore that overlaps a lesson', 409, () => school.client.post(`/appointments/${ids.freed}/restore`)],
    ['a new student without a last name', 400, () => school.client.post('/students', { first_name: 'x' })],
    [
      'a student with an unknown preferred instructor',
      404,
      () => changeStudent({ preferred_instructor_id: randomUUID() }),
    ],
    ['a student with an extra field', 400, () => changeStudent({ phone: '1', version: 3 })],
    [
      'a stale change of a student',
      412,
      () => school.client.patch(`/students/${ids.student}`, { phone: '1' }, STALE),
    ],
    ['a stale deletion of a student', 412, () => school.client.delete(`/students/${ids.student}`, STALE)],
    ['a second deletion of a student', 404, () => school.client.delete(`/students/${ids.gone}`)],
    [
      'a change of a deleted student',
      404,
      () => school.client.patch(`/students/${ids.gone}`, { phone: '1' }),
    ],
    [
      'a stale change of an instructor',
      412,
      () => school.client.patch(`/instructors/${ids.instructor}`, { phone: '1' }, STALE),
    ],
    ['a stale change of the school', 412, () => school.client.patch('/tenant', { name: 'x' }, STALE)],
    [
      'an invalid availability window',
      400,
      () => changeInstructor({ availability_windows: [{ weekday: 8 }] }),
    ],
    [
      'a change of an unknown instructor',
      404,
      () => school.client.patch(`/instructors/${randomUUID()}`, { phone: '1' }),
    ],
  ])('leaves no change: %s (%i)', async (_, status, ask) => {
    await leavesNoTrace(status, ask)
  })
})

function book(fields: object): Promise<Answer> {
  return school.book({
    instructor_id: ids.instructor,
    start_at: '2031-03-03 16:00',
    end_at: '2031-03-03 17:00',
    ...fields,
  })
}

function changeStudent(fields: object): Promise<Answer> {
  return school.client.patch(`/students/${ids.student}`, fields)
}

function changeInstructor(fields: object): Promise<Answer> {
  return school.client.patch(`/instructors/${ids.instructor}`, fields)
}

const NAMES = { appointments: 'lesson', students: 'student', instructors: 'instructor' } as const

describe.each(['appointments', 'students', 'instructors'] as const)(
  'a PATCH of %s that changes nothing',
  (resource) => {
    const path = () => `/${resource}/${ids[NAMES[resource]]}`

    /** Returns every writable field with its current value. */
    async function equalValues(): Promise<Record<string, unknown>> {
      const {
        id: _,
        version: __,
        created_at: ___,
        updated_at: ____,
        overrides_used: _____,
        cancellation: ________,
        no_show_fee_percent: __________,
        confirmed_at: _________,
        series_id: ______,
        license_class: _______,
        archived_at: ___________,
        ...fields
      } = (await school.client.get(path())).body
      return fields
    }

    it.each([
      ['is empty', async () => [{}]],
      ['sends all current values', async () => [await equalValues()]],
      [
        'sends one current value',
        async () => Object.entries(await equalValues()).map(([name, value]) => ({ [name]: value })),
      ],
    ])('leaves version, ETag and updated_at unchanged if it %s', async (_, bodiesOf) => {
      const before = await school.client.get(path())
      const bodies = await bodiesOf()
      expect(bodies.length).toBeGreaterThan(0)
      for (const body of bodies) {
        const answer = await leavesNoTrace(200, () => school.client.patch(path(), body))
        expect(answer.body).toEqual(before.body)
        expect(answer.headers.get('etag')).toBe(before.headers.get('etag'))
      }
    })
  },
)

describe('a restore without a deletion', () => {
  it.each([
    ['an appointment', () => `/appointments/${ids.lesson}/restore`],
    ['a student', () => `/students/${ids.student}/restore`],
  ])('leaves no change for %s', async (_, path) => {
    await leavesNoTrace(200, () => school.client.post(path()))
  })
})
