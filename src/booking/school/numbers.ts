import { NIL } from 'uuid'
import type { Actor } from '../../contract/actor.ts'
import { loadCalendars } from '../../db/calendars/calendars.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import {
  type KindCount,
  MISSED_KINDS,
  type MissedKind,
  sumLessons,
  type WorkedMinutes,
} from '../../db/numbers/lessons.ts'
import { readIdleStudents } from '../../db/numbers/students.ts'
import { readTests, sumTests, type TakenTest, type TestSum } from '../../db/numbers/tests.ts'
import type { Database } from '../../db/schema/tables.ts'
import { readClosures } from '../../db/school/closures.ts'
import { holidayCalendarOf } from '../../db/school/holidays.ts'
import { readInstructors } from '../../db/school/instructors.ts'
import {
  dayOf,
  daysLater,
  type LocalDate,
  midnightOf,
  mondayOf,
  weekStartOf,
} from '../../domain/local-time.ts'
import {
  availableMinutes,
  closedDaysIn,
  comingDays,
  DAYS_PER_WEEK,
  type DayRange,
  type FreeDay,
  freeDays,
  quartersOf,
  weeksIn,
} from '../../domain/numbers.ts'
import { clockChangesIn, localNow, localToday } from '../../domain/time-zone.ts'
import type { TimeSlicer } from '../time-slicer.ts'
import { candidatesOf } from './exam-candidates.ts'

/** The database, and how its parts of the work are read and the computations split. */
export type Reading = { readonly db: DatabasePool; readonly slicer: TimeSlicer }

export type WeekOfUse = {
  readonly instructor_id: string
  readonly week: string
  readonly worked_minutes: number
  /** Null for an instructor without working hours. */
  readonly available_minutes: number | null
}

export type NumbersOfTests = {
  readonly to_test: readonly {
    readonly license_class: string
    readonly test: TakenTest['test']
    readonly n: number
    readonly median_days: number | null
    readonly quarter_days: readonly [number, number] | null
  }[]
  readonly passed: readonly {
    readonly license_class: string
    readonly test: TakenTest['test']
    readonly attempt: Attempt
    readonly taken: number
    readonly passed: number
  }[]
}

export type Attempt = 'first' | 'repeat'

/** The numbers of a school in a period, without the addresses of their rows. */
export type Numbers = NumbersOfTests & {
  readonly use: readonly WeekOfUse[]
  readonly free: readonly {
    readonly week: string
    readonly instructor_id: string
    readonly minutes: number
  }[]
  readonly by_type: readonly {
    readonly lesson_type_id: string
    readonly count: number
    readonly minutes: number
  }[]
  readonly missed: Readonly<Record<MissedKind, number>>
  readonly lists: Readonly<Record<'no_lesson' | 'special_owed' | 'ready', number>>
}

/** Returns the numbers of a period. The database sums up lessons and tests; the rest is counted from its rows. */
export async function numbersOf(reading: Reading, actor: Actor, range: DayRange): Promise<Numbers> {
  const { db, slicer } = reading
  const { id: tenantId, timezone } = actor.tenant
  const changes = clockChangesIn(daysLater(range.from, -1), daysLater(range.to, 1), timezone)
  await slicer.pause()
  // One after the other: at the same time they would occupy every core of the database while other schools book.
  const sums = await sumLessons(db, tenantId, range, changes)
  const { use, free } = await hoursOf(reading, actor, range)
  const tests = await sumTests(db, tenantId, range)
  const { idle, special_owed, ready } = await studentsOf(reading, actor)
  await slicer.pause()
  return {
    use: use(sums.worked),
    free: [...Map.groupBy(free, ({ instructor_id, week }) => `${week} ${instructor_id}`).values()].map(
      sumOfWeek,
    ),
    by_type: sums.types,
    missed: missedIn(sums.missed),
    to_test: daysToTest(tests),
    passed: passedIn(tests),
    lists: { no_lesson: idle.length, special_owed: special_owed.length, ready: ready.length },
  }
}

async function studentsOf(reading: Reading, actor: Actor) {
  const [idle, candidates] = await Promise.all([
    idleStudents(reading.db, actor, DEFAULT_WEEKS),
    candidatesOf(reading, actor),
  ])
  return { idle, ...candidates }
}

/** Returns the free hours, and a function that joins the minutes worked with the working hours. */
async function hoursOf(reading: Reading, actor: Actor, range: DayRange) {
  const free = await freeRows(reading, actor)
  const hours = await workingHoursOf(reading, actor, range)
  return { free, use: (worked: WorkedMinutes) => weeksOfUse(hours, worked, range) }
}

export const DEFAULT_WEEKS = 3

function missedIn(counts: readonly KindCount[]): Numbers['missed'] {
  const countOf = (kind: MissedKind) => counts.find((one) => one.kind === kind)?.count ?? 0
  return Object.fromEntries(MISSED_KINDS.map((kind) => [kind, countOf(kind)])) as Numbers['missed']
}

type Hours = {
  readonly id: string
  readonly active: boolean
  readonly available: ReadonlyMap<string, number> | null
}

/** Returns the working hours of all instructors by week, by name. */
async function workingHoursOf({ db, slicer }: Reading, { tenant }: Actor, range: DayRange): Promise<Hours[]> {
  const instructors = await readInstructors(db, tenant.id)
  const closures = await readClosures(db, tenant.id, range)
  const holidayOn = await holidayCalendarOf(tenant, 'refuse')
  const closed = await slicer.run(closedDaysIn(range, { holidayOn, closures }))
  const weeks = weeksIn(range)
  const hours: Hours[] = []
  for (const { id, active, ...rules } of instructors.toSorted(byName))
    hours.push({ id, active, available: await slicer.run(availableMinutes({ rules, closed }, weeks)) })
  return hours
}

/** Lists active instructors with each week, and others with the weeks in which they worked. */
function weeksOfUse(hours: readonly Hours[], worked: WorkedMinutes, range: DayRange): WeekOfUse[] {
  const weeks = weeksIn(range)
  return hours.flatMap(({ id, active, available }) => {
    const own = worked.get(id)
    return weeks.flatMap(({ name: week, first }) => {
      const worked_minutes = own?.get(weekStartOf(first))
      if (!active && worked_minutes === undefined) return []
      const available_minutes = available && (available.get(week) ?? 0)
      return { instructor_id: id, week, worked_minutes: worked_minutes ?? 0, available_minutes }
    })
  })
}

type Named = { readonly first_name: string; readonly last_name: string }

function byName(a: Named, b: Named): number {
  return a.last_name.localeCompare(b.last_name) || a.first_name.localeCompare(b.first_name)
}

export type FreeRow = FreeDay & { readonly instructor_id: string }

function sumOfWeek(days: readonly FreeRow[]) {
  const [{ week, instructor_id } = { week: '', instructor_id: '' }] = days
  return { week, instructor_id, minutes: days.reduce((sum, { minutes }) => sum + minutes, 0) }
}

/** Returns the days of the coming four weeks on which active instructors have free working hours. */
export async function freeRows({ db, slicer }: Reading, { tenant, now }: Actor): Promise<readonly FreeRow[]> {
  const local = localNow(now, tenant.timezone)
  const range = comingDays(localToday(now, tenant.timezone))
  const [first, last] = [mondayOf(range.from), daysLater(mondayOf(range.to), DAYS_PER_WEEK)]
  const { of, closures } = await loadCalendars(
    db,
    tenant,
    {
      occupants: [],
      everyInstructor: true,
      range: { start: midnightOf(dayOf(first)), end: midnightOf(dayOf(last)) },
      ...{ lesson_type_id: null, except: NIL, now: local },
    },
    (steps) => slicer.run(steps),
  )
  const holidayOn = await holidayCalendarOf(tenant, 'refuse')
  const closed = await slicer.run(closedDaysIn(range, { holidayOn, closures }))
  const weeks = weeksIn(range)
  const rows: FreeRow[] = []
  for (const { id, rules, appointments } of of.values()) {
    if (!rules) continue
    const bookings = { rules, appointments, closed, unit_minutes: tenant.unit_minutes, now: local }
    const days = await slicer.run(freeDays(bookings, weeks))
    rows.push(...days.map((day) => ({ instructor_id: id, ...day })))
  }
  return rows.toSorted(
    (a, b) => a.date.localeCompare(b.date) || a.instructor_id.localeCompare(b.instructor_id),
  )
}

/** Returns the first passes of a range with the days from the beginning of the training, without students who moved in. */
export function passesIn(tests: readonly TakenTest[]): readonly (TakenTest & { readonly days: number })[] {
  return tests
    .filter((one) => one.is_first_pass && !one.has_moved_in)
    .map((one) => ({ ...one, days: dayOf(one.date) - dayOf(one.begins_on) }))
}

function daysToTest(tests: readonly TestSum[]): Numbers['to_test'] {
  return groupsOf(tests, ({ license_class, test }) => [license_class, test]).map((group) => {
    const days = group.flatMap((one) => one.days)
    const { median, quarters } = quartersOf(days)
    const [{ license_class, test }] = group
    return { license_class, test, n: days.length, median_days: median, quarter_days: quarters }
  })
}

export function attemptOf({ is_first }: Pick<TakenTest, 'is_first'>): Attempt {
  return is_first ? 'first' : 'repeat'
}

function passedIn(tests: readonly TestSum[]): Numbers['passed'] {
  return groupsOf(tests, (one) => [one.license_class, one.test, attemptOf(one)]).map(([sum]) => {
    const { license_class, test, taken, passed } = sum
    return { license_class, test, attempt: attemptOf(sum), taken, passed }
  })
}

type Group = readonly [TestSum, ...TestSum[]]

/** Groups tests by class, theory before practice, first attempts before others. */
function groupsOf(tests: readonly TestSum[], keyOf: (test: TestSum) => readonly string[]): readonly Group[] {
  const rank = { theory: '0', practical: '1', first: '0', repeat: '1' } as Readonly<Record<string, string>>
  const groups = Map.groupBy(tests, (one) =>
    keyOf(one)
      .map((part, index) => (index === 0 ? part : rank[part]))
      .join('\n'),
  )
  return [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => group as unknown as Group)
}

export async function idleStudents(db: Database, { tenant, now }: Actor, weeks: number) {
  const today: LocalDate = localToday(now, tenant.timezone)
  const since = daysLater(today, -weeks * DAYS_PER_WEEK)
  return readIdleStudents(db, { tenantId: tenant.id, now: localNow(now, tenant.timezone), since, today })
}

export async function testsIn(
  db: Database,
  { tenant }: Actor,
  range: DayRange,
): Promise<readonly TakenTest[]> {
  return readTests(db, tenant.id, range)
}
