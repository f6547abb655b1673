// @module-tag embedded: searches read multiranges beside lessons
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BUSY_POLICIES, type BusyPolicy } from '../../src/domain/busy-policy.ts'
import { localDateTimeFor, minuteOf, minutesLater } from '../../src/domain/local-time.ts'
import { useService } from '../support/app.ts'
import { NOW } from '../support/cancellation-office.ts'
import { must } from '../support/client.ts'
import type { Row } from '../support/factory.ts'
import { rounds } from '../support/rounds.ts'
import { BIRTH, useActingStudent } from '../support/use-acting-student.ts'

const service = useService()
const acting = useActingStudent(service)
const SEED = Number(process.env.RACE_SEED ?? Date.now() % 1_000_000)

/** The day after that of the clock, on which everybody works without limits. */
const DAY = '2030-05-07'
const FIRST = minuteOf(`${DAY} 07:00`)

type Time = { readonly start_at: string; readonly end_at: string; readonly instructor_id: string }
type Decision = Partial<Time> & { readonly action: string }
type World = { readonly policy: BusyPolicy; readonly busy: readonly (readonly [number, number, number])[] }

/** Busy times by quarters of an hour from seven o'clock, each of one of two instructors. */
const worlds: fc.Arbitrary<World> = fc.record({
  policy: fc.constantFrom(...BUSY_POLICIES),
  busy: fc.array(fc.tuple(fc.nat(1), fc.nat(44), fc.integer({ min: 1, max: 24 })), {
    minLength: 1,
    maxLength: 6,
  }),
})

/** Shows that each search offers such times, and that the test sees it. */
const ALL_DAY: World = {
  policy: 'ignore',
  busy: [
    [0, 0, 56],
    [1, 0, 56],
  ],
}

let people: readonly Row[] = []
let student: Row

beforeAll(async () => {
  const { school } = acting().office
  const teaching = { license_classes: ['B'] }
  people = [await school.instructor(teaching), await school.instructor(teaching)]
  const templates: readonly Row[] = (await school.client.get('/license-class-templates')).body
  const license_class_template_id = templates.find(({ code }) => code === 'B')?.id
  student = await school.student({ ...BIRTH, license_class_template_id })
  const hours = { weekdays: [2], time_from: '07:00', time_to: '21:00', minutes: 60 }
  must(201, await school.client.post(`/students/${student.id}/wishes`, hours))
})

afterAll(() => service().setClock(undefined))

const busyOf = ({ busy }: World): readonly Time[] =>
  busy.map(([who, start, length]) => ({
    start_at: localDateTimeFor(FIRST + 15 * start),
    end_at: localDateTimeFor(FIRST + 15 * (start + length)),
    instructor_id: people[who]?.id ?? '',
  }))

async function store(times: readonly Time[]): Promise<void> {
  const { tenantId } = acting().office.school
  const { db } = service()
  await sql`delete from busy_times where tenant_id = ${tenantId}`.execute(db)
  for (const { start_at, end_at, instructor_id } of times)
    await sql`insert into busy_times (tenant_id, instructor_id, calendar_id, times) values (${tenantId}, ${instructor_id},
      gen_random_uuid(), tsmultirange(tsrange(${start_at}::timestamp, ${end_at}::timestamp)))`.execute(db)
}

/** Returns the times of the day that each kind of search offers. */
async function offered(busy: readonly Time[]): Promise<Readonly<Record<string, readonly Time[]>>> {
  const { client, lessonTypes } = acting().office.school
  const lesson_type_id = lessonTypes.PRACTICE ?? ''
  const [own = { id: '' }] = people
  const get = async (path: string, query: Readonly<Record<string, string>>) =>
    must(200, await client.get(`${path}?${new URLSearchParams(query)}`))
  const [start = ''] = busy.map(({ start_at }) => start_at)
  const wanted = { start_at: start, end_at: minutesLater(start, 60) }
  const asked = { ...wanted, instructor_id: busy[0]?.instructor_id ?? '' }
  const gaps: readonly Row[] = await get('/gaps', asked)
  const lesson = { ...asked, lesson_type_id, title: 'Lesson' }
  const blocking = await client.post('/appointments', {
    ...lesson,
    end_at: minutesLater(start, 45),
    student_id: null,
  })
  const check = must(200, await client.post('/appointments/check', { ...lesson, student_id: student.id }))
  if (blocking.status === 201) must(204, await client.delete(`/appointments/${blocking.body.id}`))
  const plan = must(
    201,
    await client.post('/plans', { from: DAY, to: DAY, student_ids: [student.id], effort: 1 }),
  )
  const moved = await acting()
    .office.lessonAt(`${DAY} 09:00`, { instructor_id: own.id, student_id: student.id })
    .catch(() => undefined)
  const absence = must(
    200,
    await client.post(`/instructors/${own.id}/absence-plan`, {
      ...{ start_date: DAY, end_date: DAY, start_time: '08:30', end_time: '11:00', may_move: 1 },
    }),
  )
  if (moved) must(204, await client.delete(`/appointments/${moved.id}`))
  const decisions: readonly Decision[] = absence.ladder.flatMap(
    (step: { decisions: Decision[] }) => step.decisions,
  )
  return {
    slots: await get('/slots', { minutes: '60', lesson_type_id, from: DAY, to: DAY, limit: '200' }),
    gaps: gaps.length > 0 ? [asked] : [],
    alternatives: check.alternatives,
    plans: plan.proposed,
    'the choices of a plan of an absence': absence.appointments.flatMap(
      (one: { move: Time[]; take_over: Time[] }) => [...one.move, ...one.take_over],
    ),
    'the ladder': decisions.flatMap(({ action, ...place }) =>
      moved && (action === 'move' || action === 'take_over')
        ? [{ ...timesOf(moved), instructor_id: own.id, ...place }]
        : [],
    ),
    "the student's page": await onPage(lesson_type_id),
  }
}

const timesOf = ({ start_at, end_at }: Row) => ({ start_at: String(start_at), end_at: String(end_at) })

async function onPage(lesson_type_id: string): Promise<readonly Time[]> {
  const browser = await acting().opened(student)
  expect((await browser.pressBooking({ act: 'prove', ...BIRTH })).status).toBe(303)
  const { text } = await browser.searchToBook(lesson_type_id)
  return [...text.matchAll(/name="start_at" value="(.{16}) ([^"]+)"/g)].map(
    ([, start_at = '', instructor_id = '']) => ({
      start_at,
      end_at: minutesLater(start_at, 45),
      instructor_id,
    }),
  )
}

it('no search offers a time in which the instructor is busy elsewhere, unless the school ignores it', {
  tags: 'rounds',
}, async () => {
  const { client } = acting().office.school
  const samples = fc.sample(worlds, { numRuns: rounds(24), seed: SEED })
  for (const world of [ALL_DAY, ...samples]) {
    service().setClock(NOW)
    const busy = busyOf(world)
    await store(busy)
    must(
      200,
      await client.patch('/tenant', {
        busy_calendars: world.policy,
        student_booking: { mode: 'book' },
      }),
    )
    for (const [search, times] of Object.entries(await offered(busy))) {
      const hits = times.filter((time) => busy.some((one) => isHit(one, time)))
      if (world === ALL_DAY) expect([search, hits.length > 0]).toEqual([search, true])
      if (world.policy !== 'ignore')
        expect([search, hits], `seed ${SEED}, ${JSON.stringify(world)}`).toEqual([search, []])
    }
  }
})

function isHit(busy: Time, time: Time): boolean {
  return (
    busy.instructor_id === time.instructor_id && busy.start_at < time.end_at && time.start_at < busy.end_at
  )
}
