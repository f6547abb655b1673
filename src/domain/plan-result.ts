import { minutesOf } from './interval.ts'
import { dayOfMinute, type LocalDateTime } from './local-time.ts'
import type { FoundPlan } from './plan.ts'
import { PlanBoard, type PlanRefusal } from './plan-board.ts'
import { type Choice, isProposed, type PlanLesson, type PlanProblem, placeOf } from './plan-problem.ts'
import type { LeftOut } from './plan-reasons.ts'
import { gapMinutesBetween } from './plan-score.ts'

/** A proposed lesson, without what it was chosen from. */
export type ProposedLesson = {
  readonly student_id: string
  readonly wish_id: string | null
  readonly instructor_id: string
  readonly lesson_type_id: string
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
  readonly vehicle_ids: readonly string[]
  readonly score: number
}

/** A lesson that a student asked for, and the reason why it is missing. */
export type MissingLesson = {
  readonly student_id: string
  readonly wish_id: string | null
  readonly lesson_type_id: string | null
  readonly minutes: number
  readonly reason: { readonly code: string; readonly params: Readonly<Record<string, unknown>> }
  /** The proposed lessons in the way, as positions in the list of them. */
  readonly instead_of: readonly number[]
}

export type PlanFigures = {
  readonly score: number
  readonly lessons: number
  readonly minutes: number
  readonly wished_minutes: number
  readonly own_instructor_lessons: number
  readonly travel_minutes: number
  readonly unusable_gap_minutes: number
  readonly minutes_of: Readonly<Record<string, number>>
}

export type PlanResult = {
  readonly proposed: readonly ProposedLesson[]
  readonly left_out: readonly MissingLesson[]
  readonly figures: PlanFigures
}

/** Returns a plan as plain data. */
export function resultOf({ proposed, left_out }: FoundPlan, problem: PlanProblem): PlanResult {
  const position = new Map(proposed.map(({ choice }, index) => [choice, index]))
  const missing = left_out.map((one) => missingIn(one, position))
  return {
    proposed: proposed.map(({ choice, score }) => lessonOf(choice, score)),
    left_out: missing,
    figures: figuresOf(proposed, missing, problem),
  }
}

/** Returns the refusals of each locked lesson that booking would refuse beside the others, by its position. */
export function brokenIn(problem: PlanProblem): ReadonlyMap<number, readonly PlanRefusal[]> {
  const board = new PlanBoard(problem)
  const choices = problem.locked.map((one) => board.choiceOf(one))
  for (const choice of choices) board.add(choice)
  const broken = new Map<number, readonly PlanRefusal[]>()
  for (const [index, choice] of choices.entries()) {
    board.remove(choice)
    const refusals = board.refusalsOf(choice)
    if (refusals.length > 0) broken.set(index, refusals)
    board.add(choice)
  }
  return broken
}

function lessonOf({ ask, window, type, instructor, source }: Choice, score: number): ProposedLesson {
  return {
    student_id: ask.student_id,
    wish_id: window.wish_id,
    instructor_id: instructor.instructor_id,
    lesson_type_id: type.lesson_type_id,
    start_at: source.start_at,
    end_at: source.end_at,
    vehicle_ids: instructor.vehicle_ids,
    score: rounded(score),
  }
}

function rounded(points: number): number {
  return Math.round(points * 100) / 100
}

function missingIn({ ask, nth, reason }: LeftOut, position: ReadonlyMap<Choice, number>): MissingLesson {
  const { code } = reason
  const isTaken = code === 'taken' || code === 'several_in_the_way' || code === 'free_now'
  const window = isTaken ? reason.choice.window : ask.windows[0]
  const types = window?.types ?? []
  const type = isTaken ? reason.choice.type : types[Math.min(nth, types.length - 1)]
  const lesson = {
    student_id: ask.student_id,
    wish_id: window?.wish_id ?? null,
    lesson_type_id: type?.lesson_type_id ?? null,
    minutes: window?.minutes ?? 0,
  }
  if (isTaken) {
    const { start_at } = reason.choice.source
    const { instructor_id } = reason.choice.instructor
    const inTheWay = code === 'free_now' ? [] : reason.instead_of
    const instead_of = inTheWay.flatMap((one) => position.get(one) ?? [])
    return { ...lesson, reason: { code, params: { start_at, instructor_id } }, instead_of }
  }
  const params = code === 'no_start' ? { refusals: reason.refusals } : {}
  return { ...lesson, reason: { code, params }, instead_of: [] }
}

type Scored = { readonly choice: Choice; readonly score: number }

function figuresOf(
  proposed: readonly Scored[],
  left_out: readonly Pick<MissingLesson, 'minutes'>[],
  problem: PlanProblem,
): PlanFigures {
  const choices = proposed.map(({ choice }) => choice)
  const minutes = sumOf(choices.map(minutesOf))
  const byInstructor = Map.groupBy(choices, ({ instructor }) => instructor.instructor_id)
  const neighbours = [...byInstructor.values()].flatMap(([first]) => neighboursIn(first?.calendars[0] ?? []))
  const sums = [...byInstructor].map(([id, own]) => [id, sumOf(own.map(minutesOf))] as const)
  return {
    score: rounded(sumOf(proposed.map(({ score }) => score))),
    lessons: proposed.length,
    minutes,
    wished_minutes: minutes + sumOf(left_out.map((one) => one.minutes)),
    own_instructor_lessons: choices.filter(({ instructor }) => instructor.is_own).length,
    travel_minutes: sumOf(neighbours.map(([before, after]) => travelBetween(before, after, problem))),
    unusable_gap_minutes: sumOf(neighbours.map((pair) => gapMinutesBetween(...pair, problem))),
    minutes_of: Object.fromEntries(sums),
  }
}

/** Returns the neighbours of a day of which the plan proposes at least one. */
function neighboursIn(lessons: readonly PlanLesson[]): readonly (readonly [PlanLesson, PlanLesson])[] {
  return lessons.slice(1).flatMap((after, index) => {
    const before = lessons[index]
    if (!before || dayOfMinute(before.start) !== dayOfMinute(after.start)) return []
    return isProposed(before) || isProposed(after) ? [[before, after] as const] : []
  })
}

function travelBetween(before: PlanLesson, after: PlanLesson, problem: PlanProblem): number {
  const from = placeOf(before, problem)
  const to = placeOf(after, problem)
  if (from === null || to === null) return 0
  return problem.travelTimes.find(({ id }) => id === from)?.travel_minutes[to] ?? 0
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0)
}
