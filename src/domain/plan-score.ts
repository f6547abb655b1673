import { minutesOf } from './interval.ts'
import { dayOfMinute } from './local-time.ts'
import type { Choice, PlanAsk, PlanLesson, PlanProblem } from './plan-problem.ts'

/** The worth of a student's first, second and every further lesson of an ISO week. */
const SHARES = [1, 0.6, 0.3]
const LONGEST_WAIT_WEEKS = 4
const POINTS_OF_OWN_INSTRUCTOR = 15

type Scoring = Pick<PlanProblem, 'weights' | 'shortest_minutes'>

/** Returns the points for each of the student's proposed lessons of a week, given by start, without the gaps beside them. */
export function pointsOf(
  { booked, waited_weeks, has_exam }: PlanAsk,
  proposed: readonly Choice[],
  { weights }: Scoring,
): readonly number[] {
  const waited = Math.min(waited_weeks, LONGEST_WAIT_WEEKS) / LONGEST_WAIT_WEEKS
  const urgency = 1 + weights.waiting * waited + Number(has_exam)
  return proposed.map((choice, index) => {
    const share = SHARES[Math.min(booked + index, SHARES.length - 1)] ?? 0
    const own = choice.instructor.is_own ? weights.own_instructor * POINTS_OF_OWN_INSTRUCTOR : 0
    return minutesOf(choice) * urgency * share + own
  })
}

/** Returns the points that a proposed lesson loses by the free time beside it. */
export function gapPointsOf(
  before: PlanLesson | undefined,
  after: PlanLesson | undefined,
  scoring: Scoring,
): number {
  if (!before || !after) return 0
  return scoring.weights.full_days * gapMinutesBetween(before, after, scoring)
}

/** Returns the free minutes between neighbours on a day if they are too short for a lesson. */
export function gapMinutesBetween(
  before: PlanLesson,
  after: PlanLesson,
  { shortest_minutes }: Pick<Scoring, 'shortest_minutes'>,
): number {
  if (dayOfMinute(before.start) !== dayOfMinute(after.start)) return 0
  const minutes = after.start - before.end
  return minutes > 0 && minutes < shortest_minutes ? minutes : 0
}
