import { type Obstacle, PlanBoard } from './plan-board.ts'
import { type AskedLesson, type Choice, isProposed, type PlanAsk, type PlanProblem } from './plan-problem.ts'
import type { Steps } from './steps.ts'

/** The reason why a lesson is missing in a plan. */
export type LeftOutReason =
  | { readonly code: 'no_instructor' }
  /** No start in the student's hours is free: the first reason of each start and instructor, counted. */
  | {
      readonly code: 'no_start'
      readonly refusals: readonly { readonly code: Obstacle; readonly count: number }[]
    }
  /** Only in a plan that was changed by hand. */
  | { readonly code: 'free_now'; readonly choice: Choice }
  | {
      readonly code: 'taken' | 'several_in_the_way'
      readonly choice: Choice
      /** Without these lessons, the start would be free. */
      readonly instead_of: readonly Choice[]
    }

export type LeftOut = { readonly ask: PlanAsk; readonly nth: number; readonly reason: LeftOutReason }

/** The starts of a lesson to compare for a reason. */
const SOME = 40

/** The reasons for which an instructor does not work at a time. */
const NOT_AT_WORK: ReadonlySet<Obstacle> = new Set([
  'instructor_inactive',
  'instructor_on_vacation',
  'outside_availability',
])

/** Returns the reason for each lesson that is missing on the board. */
export function* reasonsFor(
  asked: readonly AskedLesson[],
  board: PlanBoard,
  problem: PlanProblem,
): Steps<readonly LeftOut[]> {
  const booked = new PlanBoard(problem)
  const left: LeftOut[] = []
  for (const lesson of asked) {
    if (lesson.taken) continue
    const { ask, nth } = lesson
    const choices = lesson.choices.length > 0 ? lesson.choices : yield* someFree(lesson, booked)
    const reason =
      choices.length === 0 ? noStartFor(lesson, booked) : yield* takenFor({ ...lesson, choices }, board)
    left.push({ ask, nth, reason })
    yield
  }
  return left
}

/** Returns the first starts that are free without the plan, if none of those that were looked at is. */
function* someFree({ ask, nth, is_sample }: AskedLesson, booked: PlanBoard): Steps<readonly Choice[]> {
  const free: Choice[] = []
  if (!is_sample) return free
  for (const choice of booked.startsFor(ask, nth)) {
    if (!booked.obstacleTo(choice)) free.push(choice)
    if (free.length === SOME) break
    yield
  }
  return free
}

function noStartFor({ ask, nth }: AskedLesson, booked: PlanBoard): LeftOutReason {
  const counts = new Map<Obstacle, number>()
  for (const choice of booked.startsFor(ask, nth)) {
    const code = booked.obstacleTo(choice)
    if (code) counts.set(code, (counts.get(code) ?? 0) + 1)
  }
  const codes = [...counts.keys()]
  if (codes.every((code) => NOT_AT_WORK.has(code))) return { code: 'no_instructor' }
  const refusals = [...counts].map(([code, count]) => ({ code, count })).sort((a, b) => b.count - a.count)
  return { code: 'no_start', refusals }
}

/** Returns the start with the fewest lessons in the way, those of other students rather than the student's own. */
function* takenFor({ ask, choices }: AskedLesson, board: PlanBoard): Steps<LeftOutReason> {
  const free = choices.find((choice) => board.hasRoomFor(choice) && !board.obstacleTo(choice))
  if (free) return { code: 'free_now', choice: free }
  let fewest: { readonly choice: Choice; readonly instead_of: readonly Choice[] } | undefined
  const costOf = (instead_of: readonly Choice[]) =>
    instead_of.length + (instead_of.some((one) => one.ask === ask) ? 0.5 : 0)
  for (const choice of choices.filter((_, index) => index % Math.ceil(choices.length / SOME) === 0)) {
    const instead_of = inTheWayOf(choice, board)
    if (!fewest || costOf(instead_of) < costOf(fewest.instead_of)) fewest = { choice, instead_of }
    if (costOf(fewest.instead_of) === 1) break
    yield
  }
  if (!fewest) throw new Error('a lesson with choices has a start')
  return { code: fewest.instead_of.length === 1 ? 'taken' : 'several_in_the_way', ...fewest }
}

/** Returns proposed lessons without which the choice would be free: one if one is enough, otherwise none that could stay. */
function inTheWayOf(choice: Choice, board: PlanBoard): readonly Choice[] {
  const around = [...new Set(choice.calendars.flat().filter(isProposed))]
  if (board.hasRoomFor(choice)) {
    // It breaks a limit, which any of several lessons may free.
    const alone = around.find((one) => {
      board.remove(one)
      const isFree = !board.obstacleTo(choice)
      board.add(one)
      return isFree
    })
    if (alone) return [alone]
  }
  for (const one of around) board.remove(one)
  const inTheWay = around.filter((one) => {
    board.add(one)
    const isFree = !board.obstacleTo(choice)
    if (!isFree) board.remove(one)
    return !isFree
  })
  for (const one of inTheWay) board.add(one)
  return inTheWay
}
