import type { Actor } from '../../contract/actor.ts'
import { notFound, Problem } from '../../contract/problem.ts'
import { findStoredAppointment, type StoredAppointment } from '../../db/appointments/appointments.ts'
import {
  type AssessCancellation,
  loadCancellationAssessment,
} from '../../db/appointments/cancellation-assessment.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import type { Database } from '../../db/schema/tables.ts'
import { intervalOf, minutesOf } from '../../domain/interval.ts'
import type { LocalDateTime } from '../../domain/local-time.ts'
import { requireExpected } from '../expected-version.ts'
import { changeAppointment } from '../lessons/change-appointment.ts'
import { requireComing, requireOwn, type SeenLesson } from '../lessons/student-lessons.ts'
import type { TimeSlicer } from '../time-slicer.ts'
import {
  findFreeTime,
  findFreeTimes,
  firstOpenStart,
  type OfferedTimes,
  openRange,
  type TimeSearch,
} from './free-times.ts'

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
export async function findTimesToMove(
  db: Database,
  actor: Actor,
  lesson: StoredAppointment,
  { pages, slicer }: SearchBounds,
): Promise<OfferedTimes> {
  const assess = await loadCancellationAssessment(db, actor.tenant)
  if (!isInTime(assess, actor, lesson)) return { wished: [], others: [], next: null }
  const search = searchFor(actor, lesson, assess)
  const { lesson_type_id } = lesson
  const isOpenAt = (start_at: LocalDateTime) => isInTime(assess, actor, { start_at, lesson_type_id })
  const start = await firstOpenStart(search.range, isOpenAt, slicer)
  return findFreeTimes(db, actor, { ...search, range: { ...search.range, start } }, { pages, slicer })
}

function searchFor(actor: Actor, lesson: StoredAppointment, assess: AssessCancellation): TimeSearch {
  const { id, student_id, instructor_id, lesson_type_id, vehicle_ids, start_at: former } = lesson
  return {
    ...{ appointment_id: id, student_id, lesson_type_id },
    instructor_ids: [instructor_id],
    vehicles: vehicle_ids.length > 0 ? { ids: vehicle_ids } : undefined,
    minutes: minutesOf(intervalOf(lesson)),
    range: openRange(actor),
    isOpen: ({ start_at }) => start_at !== former && isInTime(assess, actor, { start_at, lesson_type_id }),
  }
}

type Moving = SeenLesson & { readonly start_at: LocalDateTime }

/**
 * Moves a coming lesson of the student to an offered time. Throws `not_found`, also if the school does not let students move
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
  const assess = await loadCancellationAssessment(database, tenant)
  if (!isInTime(assess, actor, lesson)) throw new Problem('stale')
  const time = await findFreeTime(database, actor, searchFor(actor, lesson, assess), { start_at, slicer })
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
