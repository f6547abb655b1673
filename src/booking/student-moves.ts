import type { Actor } from '../contract/actor.ts'
import { notFound, Problem } from '../contract/problem.ts'
import type { Slot } from '../contract/slot.ts'
import { findStoredAppointment, type StoredAppointment } from '../db/appointments.ts'
import { type AssessCancellation, loadCancellationAssessment } from '../db/cancellation-assessment.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import type { Database } from '../db/schema/tables.ts'
import { type Interval, intervalOf, minutesOf } from '../domain/interval.ts'
import {
  dateOf,
  type LocalDateTime,
  localDateTimeFor,
  MINUTES_PER_DAY,
  minuteOf,
  minuteOfDay,
} from '../domain/local-time.ts'
import { localNow } from '../domain/time-zone.ts'
import { changeAppointment } from './change-appointment.ts'
import { requireExpected } from './expected-version.ts'
import { findSlots } from './find-slots.ts'
import type { Pieces } from './pieces.ts'
import { requireComing, requireOwn, type SeenLesson } from './student-lessons.ts'

/** Instructors rely on the next day's plan: students may not move a lesson into the next 24 hours. */
const DAYS_OF_NOTICE = 1
const DAYS_RELEASED = 28
const STEP_MINUTES = 30
/** The hours to offer: instructors without working hours are free at night, too. */
const HOURS = { start: minuteOfDay('07:00'), end: minuteOfDay('21:00') }
/** Enough slots to choose the offered times from. */
const MAX_SLOTS = 200
const MAX_TIMES = 10
const MAX_TIMES_A_DAY = 2

export type ReleasedTime = Pick<Slot, 'start_at' | 'end_at'>

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

/** Lists free times of a lesson's instructor, soonest first, a few a day. Empty if it is too late to move the lesson. */
export async function findReleasedTimes(
  db: Database,
  actor: Actor,
  lesson: StoredAppointment,
  pieces: Pieces,
): Promise<readonly ReleasedTime[]> {
  const assess = await loadCancellationAssessment(db, actor.tenant)
  const soonest = minuteOf(localNow(actor.now, actor.tenant.timezone)) + DAYS_OF_NOTICE * MINUTES_PER_DAY
  const days = Array.from({ length: DAYS_RELEASED }, (_, day) => soonest + day * MINUTES_PER_DAY)
  const { lesson_type_id } = lesson
  // Slots with too little notice must not use up the limit.
  const start = days.findLast(
    (day) => !isInTime(assess, actor, { start_at: localDateTimeFor(day), lesson_type_id }),
  )
  const range = { start: start ?? soonest, end: soonest + DAYS_RELEASED * MINUTES_PER_DAY }
  return nonOverlapping(await releasedWithin(db, actor, lesson, { assess, range, limit: MAX_SLOTS, pieces }))
}

type Search = {
  readonly assess: AssessCancellation
  readonly range: Interval
  readonly limit: number
  readonly pieces: Pieces
}

async function releasedWithin(
  db: Database,
  actor: Actor,
  lesson: StoredAppointment,
  { assess, range, limit, pieces }: Search,
): Promise<readonly ReleasedTime[]> {
  const { id, student_id, instructor_id, lesson_type_id, vehicle_ids, start_at } = lesson
  if (!isInTime(assess, actor, lesson)) return []
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
  const { slots } = await findSlots(db, actor, query, { after: undefined, limit, pieces })
  return slots.filter(
    (slot) => slot.start_at !== start_at && isInTime(assess, actor, { ...slot, lesson_type_id }),
  )
}

/** Returns the first times that do not overlap, few for each day, so that one free morning does not fill the list. */
function nonOverlapping(times: readonly ReleasedTime[]): readonly ReleasedTime[] {
  const chosen: ReleasedTime[] = []
  for (const time of times) {
    const last = chosen.at(-1)
    const sameDay = chosen.filter(({ start_at }) => dateOf(start_at) === dateOf(time.start_at))
    if (sameDay.length >= MAX_TIMES_A_DAY || (last && time.start_at < last.end_at)) continue
    chosen.push(time)
    if (chosen.length === MAX_TIMES) break
  }
  return chosen
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
  pieces: Pieces,
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
  const [time] =
    start < soonest || start > soonest + DAYS_RELEASED * MINUTES_PER_DAY
      ? []
      : await releasedWithin(database, actor, lesson, { assess, range, limit: 1, pieces })
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
