import type { Actor } from '../../contract/actor.ts'
import { notFound, Problem } from '../../contract/problem.ts'
import type { Slot } from '../../contract/slot.ts'
import type { Wish } from '../../contract/wish.ts'
import { findStoredAppointment, type StoredAppointment } from '../../db/appointments/appointments.ts'
import {
  type AssessCancellation,
  loadCancellationAssessment,
} from '../../db/appointments/cancellation-assessment.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import type { Database } from '../../db/schema/tables.ts'
import { listWishesOf } from '../../db/students/wishes.ts'
import { fitsWish } from '../../domain/gaps.ts'
import { type Interval, intervalOf, minutesOf } from '../../domain/interval.ts'
import {
  type LocalDateTime,
  localDateTimeFor,
  MINUTES_PER_DAY,
  minuteOf,
  minuteOfDay,
} from '../../domain/local-time.ts'
import { leavesUselessRemainder } from '../../domain/slots.ts'
import { type SpreadTimes, spreadTimes } from '../../domain/spread-times.ts'
import { localNow } from '../../domain/time-zone.ts'
import { requireExpected } from '../expected-version.ts'
import { changeAppointment } from '../lessons/change-appointment.ts'
import { foundAmong, loadForSlots } from '../lessons/find-slots.ts'
import { requireComing, requireOwn, type SeenLesson } from '../lessons/student-lessons.ts'
import type { TimeSlicer } from '../time-slicer.ts'

/** Instructors rely on the next day's plan: students may not move a lesson into the next 24 hours. */
const DAYS_OF_NOTICE = 1
const DAYS_RELEASED = 28
const STEP_MINUTES = 30
/** The hours to offer: instructors without working hours are free at night, too. */
const HOURS = { start: minuteOfDay('07:00'), end: minuteOfDay('21:00') }
const MAX_SLOTS = 200
const TIMES_A_PAGE = 10
const MAX_PAGES = 6
const MAX_WISHES_SEARCHED = 3

export type ReleasedTime = Pick<Slot, 'start_at' | 'end_at'>

type FoundTime = ReleasedTime & { readonly isWasteful: boolean }

/** The times to move a lesson to, and the number of the next page if there are more. */
export type ReleasedTimes = Omit<SpreadTimes<ReleasedTime>, 'hasMore'> & { readonly next: number | null }

/** Whether a student may still move a lesson: while cancelling it is free of charge. */
export function isInTime(
  assess: AssessCancellation,
  { now: at }: Pick<Actor, 'now'>,
  lesson: Pick<StoredAppointment, 'start_at' | 'lesson_type_id'>,
): boolean {
  const { is_late, fee_percent } = assess(lesson, {
    by: 'student',
    reason: null,
    note: null,
    at,
    charge: null,
  })
  return !is_late && fee_percent === 0
}

type SearchBounds = { readonly pages: number; readonly slicer: TimeSlicer }

/** Lists free times of a lesson's instructor: those the student wishes for, then others. Empty if it is too late to move it. */
export async function findReleasedTimes(
  db: Database,
  actor: Actor,
  lesson: StoredAppointment,
  { pages, slicer }: SearchBounds,
): Promise<ReleasedTimes> {
  const count = Math.min(Math.max(pages, 1), MAX_PAGES)
  const assess = await loadCancellationAssessment(db, actor.tenant)
  const soonest = minuteOf(localNow(actor.now, actor.tenant.timezone)) + DAYS_OF_NOTICE * MINUTES_PER_DAY
  const { lesson_type_id, student_id } = lesson
  // Slots with too little notice must not use up the limit.
  let start = soonest
  for (let day = 0; day < DAYS_RELEASED; day += 1) {
    const at = soonest + day * MINUTES_PER_DAY
    if (!isInTime(assess, actor, { start_at: localDateTimeFor(at), lesson_type_id })) start = at
    await slicer.pause()
  }
  const range = { start, end: soonest + DAYS_RELEASED * MINUTES_PER_DAY }
  const stored = student_id ? await listWishesOf(db, actor.tenant.id, [student_id]) : []
  const wishes = stored.filter(wishFor(lesson)).slice(0, MAX_WISHES_SEARCHED)
  const found: FoundTime[] = []
  if (isInTime(assess, actor, lesson)) {
    const slotsWithin = await searchFor(db, actor, lesson, { assess, range, slicer })
    found.push(...(await slotsWithin(count * MAX_SLOTS)))
    for (const wish of wishes) found.push(...(await slotsWithin(MAX_SLOTS, wish)))
  }
  const times = new Map(found.map((time) => [time.start_at, time]))
  const inOrder = [...times.values()].toSorted((a, b) => (a.start_at < b.start_at ? -1 : 1))
  const { instructor_id } = lesson
  const minutes = minutesOf(intervalOf(lesson))
  const isWished = (time: FoundTime) =>
    wishes.some((wish) => fitsWish({ ...wish, minutes }, { instructor_id, ...time }))
  const { wished, others, hasMore } = spreadTimes(inOrder, isWished, count * TIMES_A_PAGE)
  return { wished, others, next: hasMore && count < MAX_PAGES ? count + 1 : null }
}

/** Returns whether a wish may be for a lesson. Its length is the lesson's, whatever was wished. */
function wishFor({ instructor_id, lesson_type_id }: StoredAppointment) {
  return (wish: Wish) =>
    (wish.instructor_id ?? instructor_id) === instructor_id &&
    (wish.lesson_type_id ?? lesson_type_id) === lesson_type_id
}

type Search = {
  readonly assess: AssessCancellation
  readonly range: Interval
  readonly slicer: TimeSlicer
}

/** Loads the calendars of a lesson. Returns a function that lists released times, those of a wish if one is given. */
async function searchFor(
  db: Database,
  actor: Actor,
  lesson: StoredAppointment,
  { assess, range, slicer }: Search,
): Promise<(limit: number, wish?: Wish) => Promise<readonly FoundTime[]>> {
  const { id, student_id, instructor_id, lesson_type_id, vehicle_ids, start_at } = lesson
  const query = {
    appointment_id: id,
    student_id,
    lesson_type_id,
    instructor_ids: [instructor_id],
    vehicles: vehicle_ids.length > 0 ? { ids: vehicle_ids } : undefined,
    minutes: minutesOf(intervalOf(lesson)),
    range,
    weekdays: undefined,
    hours: HOURS,
    step: STEP_MINUTES,
    with_overrides: false,
    order: 'time' as const,
  }
  const loaded = await loadForSlots(db, actor, query, slicer)
  return async (limit, wish) => {
    const wished = wish && { weekdays: wish.weekdays ?? undefined, hours: hoursOf(wish) }
    const page = { after: undefined, limit, slicer }
    const released: FoundTime[] = []
    for (const slot of await foundAmong(loaded, actor, { ...query, ...wished }, page)) {
      const { start_at: at, end_at } = slot.proposal
      const time = { start_at: at, end_at, isWasteful: leavesUselessRemainder(slot, loaded.shortest_minutes) }
      if (at !== start_at && isInTime(assess, actor, { ...time, lesson_type_id })) released.push(time)
      await slicer.pause()
    }
    return released
  }
}

function hoursOf({ time_from, time_to }: Wish): Interval {
  return {
    start: Math.max(HOURS.start, minuteOfDay(time_from ?? '00:00')),
    end: time_to === null || time_to === '24:00' ? HOURS.end : Math.min(HOURS.end, minuteOfDay(time_to)),
  }
}

type Moving = SeenLesson & { readonly start_at: LocalDateTime }

/**
 * Moves a coming lesson of the student to a released time. Throws `not_found`, also if the school does not let students move
 * lessons, `already_begun`, and `stale` if the lesson has changed or the time is no longer free.
 */
export async function moveLesson(
  database: DatabasePool,
  actor: Actor,
  { id, version, start_at }: Moving,
  slicer: TimeSlicer,
): Promise<void> {
  const { tenant } = actor
  if (!tenant.students_may_move) throw notFound()
  const lesson = requireOwn(actor, await findStoredAppointment(database, tenant.id, id))
  requireComing(actor, lesson)
  const isExpected = (current: number) => current === version
  requireExpected(isExpected, lesson)
  if (lesson.status !== 'planned') throw new Problem('stale')
  const start = minuteOf(start_at)
  const range = { start, end: start + minutesOf(intervalOf(lesson)) }
  const soonest = minuteOf(localNow(actor.now, tenant.timezone)) + DAYS_OF_NOTICE * MINUTES_PER_DAY
  const assess = await loadCancellationAssessment(database, tenant)
  const isReleased = soonest <= start && start <= soonest + DAYS_RELEASED * MINUTES_PER_DAY
  if (!isReleased || !isInTime(assess, actor, lesson)) throw new Problem('stale')
  const slotsWithin = await searchFor(database, actor, lesson, { assess, range, slicer })
  const [time] = await slotsWithin(1)
  if (!time) throw new Problem('stale')
  try {
    await changeAppointment(database, actor, id, {
      change: { start_at: time.start_at, end_at: time.end_at },
      isExpected,
    })
  } catch (error) {
    if (error instanceof Problem && error.refusals) throw new Problem('stale')
    throw error
  }
}
