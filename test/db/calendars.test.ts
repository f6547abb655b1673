import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import type { Calendar } from '../../src/db/calendars/calendar-rows.ts'
import { loadCalendars } from '../../src/db/calendars/calendars.ts'
import type { Interval } from '../../src/domain/interval.ts'
import { localDateTimeFor, minuteOf } from '../../src/domain/local-time.ts'
import { MAX_OPEN_APPOINTMENTS } from '../../src/domain/ranges.ts'
import { pick, type RandomInteger, randomIntegers, SEED } from '../concurrency/random-integers.ts'
import { useService } from '../support/app.ts'
import { aSchool, type School } from '../support/factory.ts'
import { dateAfter, slot, times } from '../support/races.ts'
import type { StoredLesson } from '../support/stored-lessons.ts'

const service = useService()
const PEOPLE = 4
/** The first of 35 days around the turn of the year and of the ISO year, which differ. */
const FIRST_DAY = '2030-12-16'
const DAYS = 35
const ASKED_AT = '2031-01-02 12:00'
const ASKED = 150

let school: School
let tables: Tables

type Lesson = StoredLesson & { readonly id: string; readonly deleted: boolean }
type Vacation = { readonly instructor_id: string; readonly start_date: string; readonly end_date: string }
type Person = { readonly id: string; readonly version: number }

/** The content of the tables. */
type Tables = {
  readonly lessons: readonly Lesson[]
  readonly vacations: readonly Vacation[]
  readonly calendars: readonly Person[]
  readonly instructors: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  readonly deletedStudents: ReadonlySet<string>
}

beforeAll(async () => {
  const random = randomIntegers(SEED)
  school = await aSchool(service())
  const instructors = await Promise.all(times(PEOPLE, () => school.instructor(someRules(random))))
  const students = await Promise.all(times(PEOPLE, () => school.student()))
  for (const day of times(DAYS, Number)) {
    await Promise.all(
      instructors.map(({ id }, index) => {
        const time = slot(
          dateAfter(FIRST_DAY, day),
          420 + 240 * index + 15 * random(4),
          pick([45, 90, 180], random),
        )
        const student = random(4) ? students[(day + index) % PEOPLE] : undefined
        return aLesson({ instructor_id: id, student_id: student?.id, ...time }, random)
      }),
    )
  }
  await aRareLesson(instructors[0]?.id)
  await school.client.delete(`/students/${students[0]?.id}`)
  tables = await readTables()
})

/** Creates a lesson that may be cancelled, deleted or not counted. */
async function aLesson(fields: object, random: RandomInteger): Promise<void> {
  const { PRACTICE, INTERNAL } = school.lessonTypes
  const status = random(5) ? 'planned' : 'cancelled'
  const { id } = await school.lesson({ ...fields, status, lesson_type_id: random(3) ? PRACTICE : INTERNAL })
  if (random(6) === 0) await school.client.delete(`/appointments/${id}`)
}

/** Creates a lesson that is cancelled and deleted, whatever the seed. */
async function aRareLesson(instructor_id: unknown): Promise<void> {
  const time = slot(FIRST_DAY, 0, 45)
  const lesson_type_id = school.lessonTypes.INTERNAL
  const { id } = await school.lesson({ instructor_id, lesson_type_id, status: 'cancelled', ...time })
  await school.client.delete(`/appointments/${id}`)
}

function someRules(random: RandomInteger) {
  return {
    max_daily_units: random(2) ? null : 90,
    required_break_minutes: random(2) * 15,
    availability_windows: times(7 * random(2), (day) => ({ weekday: day + 1, start: '00:00', end: '24:00' })),
  }
}

/** Inserts vacations by SQL, because there are lessons in them, and reads all tables. */
async function readTables(): Promise<Tables> {
  const { db } = service()
  const tenant = school.tenantId
  await sql`insert into vacations (tenant_id, instructor_id, position, start_date, end_date)
    select tenant_id, id, n, date '2030-12-20' + 8 * n, date '2030-12-20' + 8 * n + n from instructors, generate_series(0, 3) n
    where tenant_id = ${tenant}`.execute(db)
  const lessons = await sql<Lesson>`select id, instructor_id, student_id, lesson_type_id, status,
      deleted_at is not null as deleted, to_char(start_at, 'YYYY-MM-DD HH24:MI') as start_at,
      to_char(end_at, 'YYYY-MM-DD HH24:MI') as end_at from appointments where tenant_id = ${tenant}`.execute(
    db,
  )
  const vacations = await sql<Vacation>`select * from vacations where tenant_id = ${tenant}`.execute(db)
  // Open appointments are counted only in calendars that have been written often enough.
  await sql`update calendars set version = version + ${MAX_OPEN_APPOINTMENTS}
    where tenant_id = ${tenant} and kind = 'student' and hashtext(id::text) % 2 = 0`.execute(service().db)
  const calendars = await sql<Person>`select id, version from calendars where tenant_id = ${tenant}`.execute(
    db,
  )
  const deleted =
    await sql<Person>`select id from students where tenant_id = ${tenant} and deleted_at is not null`.execute(
      db,
    )
  const { body } = await school.client.get('/instructors')
  return {
    lessons: lessons.rows,
    vacations: vacations.rows,
    calendars: calendars.rows,
    instructors: new Map(body.map((one: { id: string }) => [one.id, one])),
    deletedStudents: new Set(deleted.rows.map(({ id }) => id)),
  }
}

it(`loadCalendars returns the stored lessons and rules for any ids and range (RACE_SEED=${SEED})`, async () => {
  const random = randomIntegers(SEED)
  expect(new Set(tables.lessons.map(({ status, deleted }) => `${status} ${deleted}`)).size).toBe(4)
  let met = 0
  for (const _ of times(ASKED, Number)) {
    const range = aRange(random)
    const asked = tables.calendars.filter(() => random(2)).map(({ id }) => id)
    const except = (random(2) ? pick(tables.lessons, random)?.id : undefined) ?? randomUUID()
    const lesson_type_id = school.lessonTypes.INTERNAL ?? ''
    const { of, lesson_type } = await loadCalendars(service().db, tenantOf(school), {
      occupants: [...asked, randomUUID()].map(asInstructor),
      now: ASKED_AT,
      range,
      lesson_type_id,
      except,
    })
    const expected = new Map(asked.map((id) => [id, expectedOf(id, range, except)]))
    expect(new Map([...of].map(([id, calendar]) => [id, sorted(calendar)]))).toEqual(expected)
    if (asked.length > 0) expect(lesson_type).toMatchObject({ counts_toward_limits: false })
    met += [...of.values()].flatMap(({ appointments }) => appointments).length
  }
  expect(met).toBeGreaterThan(1000)
})

/** The kind of people does not matter to the loader. */
function asInstructor(id: string) {
  return { kind: 'instructor', id } as const
}

/** Returns a range of a minute to five weeks. It often begins or ends near the edge of a lesson. */
function aRange(random: RandomInteger): Interval {
  const [first, last] = times(2, () => {
    const lesson = pick(tables.lessons, random)
    const edge = minuteOf((random(2) ? lesson?.start_at : lesson?.end_at) ?? '')
    return random(3) ? edge + random(3) - 1 : minuteOf(`${FIRST_DAY} 00:00`) + random(DAYS * 1440)
  })
  const [start = 0, end = 0] = [first ?? 0, last ?? 0].toSorted((a, b) => a - b)
  return { start, end: Math.max(end, start + 1) }
}

function expectedOf(id: string, range: Interval, except: string) {
  const [from, to] = [localDateTimeFor(range.start), localDateTimeFor(range.end)]
  const instructor = tables.instructors.get(id)
  const version = tables.calendars.find((one) => one.id === id)?.version
  const appointments = tables.lessons
    .filter(({ instructor_id, student_id }) => instructor_id === id || student_id === id)
    .filter((lesson) => lesson.id !== except && !lesson.deleted && lesson.status !== 'cancelled')
    .filter(({ start_at, end_at }) => start_at < to && end_at > from)
    .map(({ id: lesson, start_at, end_at, lesson_type_id }) => {
      const counts_toward_limits = lesson_type_id === school.lessonTypes.PRACTICE
      return { id: lesson, start_at, end_at, counts_toward_limits }
    })
  const touched = tables.vacations
    .filter(({ instructor_id }) => instructor_id === id)
    // If the range ends at midnight, the day that begins then may be loaded, too.
    .filter(({ start_date, end_date }) => start_date <= to.slice(0, 10) && end_date >= from.slice(0, 10))
    .map(({ start_date, end_date }) => ({ start_date, end_date, note: null }))
  const open = tables.lessons
    .filter(({ id: lesson, student_id }) => student_id === id && lesson !== except)
    .filter(({ deleted, status, end_at }) => !deleted && status !== 'cancelled' && end_at > ASKED_AT)
  const rules = instructor && { ...rulesOf(instructor), absences: [], vacations: touched.toSorted(byText) }
  return {
    id,
    version,
    kind: instructor ? 'instructor' : 'student',
    deleted: tables.deletedStudents.has(id),
    enrolments: [],
    license_classes: [],
    rules,
    thing: undefined,
    usual_vehicle_id: null,
    appointments: appointments.toSorted(byText),
    open_appointments: instructor || (version ?? 0) < MAX_OPEN_APPOINTMENTS ? undefined : open.length,
  }
}

function rulesOf(instructor: Readonly<Record<string, unknown>>) {
  const { id, active, availability_windows: windows } = instructor
  const { max_daily_units, max_daily_override, max_weekly_units, max_weekly_override } = instructor
  const { required_break_minutes, max_continuous_minutes } = instructor
  const limits = { max_daily_units, max_daily_override, max_weekly_units, max_weekly_override }
  const breaks = { required_break_minutes, max_continuous_minutes }
  return {
    id,
    active,
    ...limits,
    ...breaks,
    availability_windows: Array.isArray(windows) && windows.toSorted(byText),
  }
}

function sorted({ rules, appointments, ...calendar }: Calendar) {
  const lists = rules && {
    availability_windows: rules.availability_windows.toSorted(byText),
    vacations: rules.vacations.toSorted(byText),
  }
  return { ...calendar, rules: rules && { ...rules, ...lists }, appointments: appointments.toSorted(byText) }
}

function byText(a: object, b: object): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1
}

function tenantOf({ tenantId }: Pick<School, 'tenantId'>) {
  return { id: tenantId, timezone: 'Europe/Berlin' }
}

it('loadCalendars returns no calendars or lesson types of another school', async () => {
  const others = await aSchool(service())
  const range = { start: minuteOf('2030-01-01 00:00'), end: minuteOf('2032-01-01 00:00') }
  const occupants = tables.calendars.map(({ id }) => asInstructor(id))
  const lesson_type_id = school.lessonTypes.PRACTICE ?? ''
  const request = { occupants, range, lesson_type_id, except: randomUUID(), now: ASKED_AT }
  expect((await loadCalendars(service().db, tenantOf(others), request)).of.size).toBe(0)
  const foreign = { ...request, lesson_type_id: others.lessonTypes.PRACTICE ?? '' }
  const loaded = await loadCalendars(service().db, tenantOf(school), foreign)
  expect([loaded.of.size, loaded.lesson_type]).toEqual([2 * PEOPLE, undefined])
})
