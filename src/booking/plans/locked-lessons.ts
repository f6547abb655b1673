import type { PlannedLesson } from '../../contract/plan.ts'
import type { DroppedLesson } from '../../db/schema/tables.ts'
import { intervalOf, minutesOf } from '../../domain/interval.ts'
import { dateOf, dayOfMinute, localDateFor, mondayOf } from '../../domain/local-time.ts'
import type { PlanInput } from '../../domain/plan-input.ts'
import type { LockedLesson, PlanAsk, PlanLessonType, PlanWindow } from '../../domain/plan-problem.ts'
import type { LoadedProblem } from './load-problem.ts'

export type StandingLessons = {
  readonly lessons: readonly PlannedLesson[]
  readonly dropped: readonly DroppedLesson[]
}

/** Returns the input of a plan in which lessons stand, and for each the hours of its student, if it is in any. */
export function withLocked(
  { input, lessonWith }: Pick<LoadedProblem, 'input' | 'lessonWith'>,
  { lessons, dropped }: StandingLessons,
): { readonly input: PlanInput; readonly wishOf: (lesson: PlannedLesson) => PlanWindow | undefined } {
  const keyOf = (student_id: string, week: string) => `${student_id} ${week}`
  const weekOf = ({ start_at }: PlannedLesson) => mondayOf(dateOf(start_at))
  const kept = Map.groupBy(lessons, (one) => keyOf(one.student_id, weekOf(one)))
  const left = Map.groupBy(dropped, (one) => keyOf(one.student_id, one.week_start))
  const asks = new Map<string, PlanAsk>()
  for (const ask of input.asks) {
    const key = keyOf(ask.student_id, weekOfAsk(ask))
    const [keeps, drops] = [kept.get(key)?.length ?? 0, left.get(key)?.length ?? 0]
    asks.set(key, { ...ask, lessons: Math.max(keeps, ask.lessons - drops) })
  }
  for (const [key, [first, ...more]] of kept)
    if (first && !asks.has(key)) asks.set(key, unasked(first.student_id, more.length + 1))
  const askOf = (one: PlannedLesson) => asks.get(keyOf(one.student_id, weekOf(one)))
  const wishOf = (one: PlannedLesson) => windowFor(one, askOf(one))
  const locked = lessons.flatMap((one): LockedLesson[] => {
    const ask = askOf(one)
    const type = lessonWith(one)
    const [instructor] = type?.instructors ?? []
    if (!ask || !type || !instructor) return []
    const { vehicle_ids, start_at, end_at } = one
    const time = { id: one.id, start_at, end_at, counts_toward_limits: type.counts_toward_limits }
    return [
      {
        ask,
        window: wishOf(one) ?? ownWindow(one, type),
        type,
        instructor: { ...instructor, vehicle_ids },
        time,
      },
    ]
  })
  return { input: { ...input, asks: [...asks.values()], locked }, wishOf }
}

function weekOfAsk({ windows: [window] }: PlanAsk): string {
  return window ? mondayOf(localDateFor(dayOfMinute(window.start))) : ''
}

function unasked(student_id: string, lessons: number): PlanAsk {
  return { student_id, lessons, booked: 0, waited_weeks: 0, has_exam: false, windows: [] }
}

/** Returns hours of the student that contain the lesson, those of its wish rather than others. */
function windowFor(one: PlannedLesson, ask: PlanAsk | undefined): PlanWindow | undefined {
  const { start, end } = intervalOf(one)
  const around = ask?.windows.filter((window) => window.start <= start && end <= window.end) ?? []
  return around.find(({ wish_id }) => wish_id === one.wish_id) ?? around[0]
}

function ownWindow(one: PlannedLesson, type: PlanLessonType): PlanWindow {
  const interval = intervalOf(one)
  return { ...interval, wish_id: null, minutes: minutesOf(interval), types: [type] }
}
