import { lockSession } from '../../auth/lock-session.ts'
import type { Actor } from '../../contract/actor.ts'
import {
  type Availability,
  availabilityFaultsFor,
  type NewAvailability,
  type StoredAvailability,
} from '../../contract/availability.ts'
import { newId } from '../../contract/new-id.ts'
import { invalidRequest, notFound, Problem } from '../../contract/problem.ts'
import { readTaughtLessonTypes } from '../../db/appointments/affected-appointments.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import { inTransaction } from '../../db/connection/transaction.ts'
import { insertRow, updateRow } from '../../db/resource-rows.ts'
import type { Database } from '../../db/schema/tables.ts'
import { AVAILABILITY, findAvailability } from '../../db/students/availability.ts'
import { findStudent } from '../../db/students/students.ts'
import { listWishesOf } from '../../db/students/wishes.ts'
import { type AvailableTime, timesOfWish } from '../../domain/available-times.ts'
import {
  dayOf,
  type LocalDate,
  MINUTES_PER_DAY,
  MINUTES_PER_WEEK,
  midnightOf,
  minuteOf,
  minuteOfDay,
} from '../../domain/local-time.ts'
import { practiceTypeIn } from '../../domain/plan-asks.ts'
import { localNow } from '../../domain/time-zone.ts'
import { loadForSlots, slotsAmong } from '../lessons/find-slots.ts'
import type { ManagedResource } from '../managed-resource.ts'
import type { TimeSlicer } from '../time-slicer.ts'
import { lockLiveStudent } from './wishes.ts'

const STEP_MINUTES = 15

export type StudentWeek = { readonly student_id: string; readonly week_start: LocalDate }
type Answer = Pick<StoredAvailability, 'lessons' | 'windows'>

/** Returns the answer of a student for a week. Throws `not_found`, also if there is none. */
export async function readAvailability(
  db: Database,
  actor: Actor,
  week: StudentWeek,
  slicer: TimeSlicer,
): Promise<Availability> {
  const student = await findStudent(db, actor.tenant.id, week.student_id)
  const choice = student && (await findAvailability(db, actor.tenant.id, week))
  return withFits(db, actor, week, { choice, slicer })
}

/** Returns the answer to store in place of the one before; null to take that back, undefined to leave it as it is. */
type ChangeAnswer = (stored: Answer | undefined) => NewAvailability | null | undefined

/** Stores the answer of a student for a week, and returns what is stored. Throws `not_found` and `invalid_request`. */
export async function writeAvailability(
  database: DatabasePool,
  actor: Actor,
  week: StudentWeek,
  change: ChangeAnswer,
): Promise<Answer | undefined> {
  return inTransaction(database, async (db) => {
    await lockLiveStudent(db, actor, week.student_id)
    await lockSession(db, actor)
    const stored = await findAvailability(db, actor.tenant.id, week)
    const next = change(stored)
    if (next === undefined) return stored
    if (next === null) {
      if (stored) await updateRow(db, actor, AVAILABILITY, { stored, next: { ...stored, deleted: true } })
      return undefined
    }
    const faults = availabilityFaultsFor(week.week_start, next)
    if (faults.length > 0) throw invalidRequest([...faults])
    const choice = { lessons: next.lessons, windows: next.windows?.toSorted(byTime) ?? null }
    if (stored) await updateRow(db, actor, AVAILABILITY, { stored, next: { ...stored, ...choice } })
    else await insertRow(db, actor, AVAILABILITY, { id: newId(), ...week, ...choice })
    return choice
  })
}

/** Takes an answer back, so that the wishes hold again. Throws `not_found`, also if there is none. */
export async function deleteAvailability(
  database: DatabasePool,
  actor: Actor,
  week: StudentWeek,
): Promise<void> {
  await writeAvailability(database, actor, week, (stored) => {
    if (!stored) throw notFound()
    return null
  })
}

/** Undoes writes of answers. Lock their students first. */
export const MANAGED_AVAILABILITY: ManagedResource<StoredAvailability> = {
  rows: AVAILABILITY,
  lock: async () => undefined,
  restorable: async (db, { tenant }, stored) => {
    if (await findAvailability(db, tenant.id, stored)) throw new Problem('stale')
    return stored
  },
}

function byTime(a: AvailableTime, b: AvailableTime): number {
  return `${a.date} ${a.time_from} ${a.time_to}` < `${b.date} ${b.time_from} ${b.time_to}` ? -1 : 1
}

/** Hours of a day, with the lesson type and instructor of the wish that they belong to. */
type AskedTime = AvailableTime & {
  readonly lesson_type_id?: string | null
  readonly instructor_id?: string | null
}

type FitRequest = { readonly choice: Answer | undefined; readonly slicer: TimeSlicer }

/** Returns an answer with whether a lesson could be booked now in each of its times, or in each of those of the wishes. Throws `not_found` without an answer. */
export async function withFits(
  db: Database,
  actor: Actor,
  { student_id, week_start }: StudentWeek,
  { choice, slicer }: FitRequest,
): Promise<Availability> {
  if (!choice) throw notFound()
  const { lessons, windows } = choice
  const times: readonly AskedTime[] = windows ?? (await timesWished(db, actor, { student_id, week_start }))
  const possible = new Set<AskedTime>()
  const byLesson = Map.groupBy(times, (time) => `${time.lesson_type_id} ${time.instructor_id}`)
  for (const alike of byLesson.values()) {
    const search = { student_id, week_start, times: alike, slicer }
    for (const time of await possibleTimes(db, actor, search)) possible.add(time)
  }
  const fits = times.map((time) => {
    return { date: time.date, time_from: time.time_from, possible: possible.has(time) }
  })
  return { week_start, lessons, windows, fits }
}

async function timesWished(db: Database, { tenant }: Actor, { student_id, week_start }: StudentWeek) {
  const wishes = await listWishesOf(db, tenant.id, [student_id])
  const times = wishes.flatMap((wish) =>
    timesOfWish(wish, week_start).map((time): AskedTime => {
      return { ...time, lesson_type_id: wish.lesson_type_id, instructor_id: wish.instructor_id }
    }),
  )
  return times.toSorted(byTime)
}

type TimesSearch = StudentWeek & { readonly times: readonly AskedTime[]; readonly slicer: TimeSlicer }

/** Returns the times with a slot; all have the same lesson type and instructor. */
async function possibleTimes(
  db: Database,
  actor: Actor,
  { student_id, week_start, times, slicer }: TimesSearch,
): Promise<readonly AskedTime[]> {
  const { lesson_type_id, instructor_id } = times[0] ?? {}
  const monday = midnightOf(dayOf(week_start))
  const range = { start: Math.max(monday, nowOf(actor)), end: monday + MINUTES_PER_WEEK }
  if (range.start >= range.end) return []
  const type = lesson_type_id ?? practiceTypeIn(await readTaughtLessonTypes(db, actor.tenant.id))?.id
  const query = {
    student_id,
    lesson_type_id: type ?? null,
    instructor_ids: instructor_id ? [instructor_id] : undefined,
    appointment_id: undefined,
    vehicles: { beside: [] },
    weekdays: undefined,
    step: STEP_MINUTES,
    with_overrides: false,
    order: 'time' as const,
  }
  const loaded = await loadForSlots(
    db,
    actor,
    { ...query, minutes: undefined, range, hours: undefined },
    slicer,
  )
  const found: AskedTime[] = []
  for (const time of times) {
    const day = midnightOf(dayOf(time.date))
    const within = { start: Math.max(day, range.start), end: day + MINUTES_PER_DAY }
    const hours = { start: minuteOfDay(time.time_from), end: minuteOfDay(time.time_to) }
    const asked = { ...query, minutes: time.minutes, range: within, hours }
    const page = { after: undefined, limit: 1, slicer }
    if (within.start >= within.end) continue
    const { slots } = await slotsAmong(loaded, actor, asked, page)
    if (slots.length > 0) found.push(time)
  }
  return found
}

function nowOf({ now, tenant }: Actor): number {
  return minuteOf(localNow(now, tenant.timezone))
}
