/** The minutes by which an actual length may differ from the planned one because clocks and taps are not exact. */
export const TOLERANCE_MINUTES = 5

type Length = {
  readonly status: string
  readonly minutes: number
  readonly actual_minutes?: number | null
}

/** Completed lessons that were longer or shorter than planned by more than the tolerance. */
export type OffPlan = {
  readonly lessons: number
  readonly planned_minutes: number
  readonly actual_minutes: number
}

/**
 * Returns the minutes of a lesson that count: the actual ones if it is completed and they are known, or the planned ones if
 * it was shorter by no more than the tolerance.
 */
export function countedMinutesOf({ status, minutes, actual_minutes }: Length): number {
  if (status !== 'completed' || actual_minutes == null) return minutes
  return actual_minutes >= minutes - TOLERANCE_MINUTES ? Math.max(actual_minutes, minutes) : actual_minutes
}

/** Sums up the lessons that are off plan; empty if there are none. */
export function offPlanIn(lessons: readonly (Length & { readonly count: number })[]): {
  readonly off_plan?: OffPlan
} {
  const off = lessons.filter(isOffPlan)
  if (off.length === 0) return {}
  const sumOver = (numberIn: (one: Length) => number) =>
    off.reduce((sum, one) => sum + numberIn(one) * one.count, 0)
  return {
    off_plan: {
      lessons: sumOver(() => 1),
      planned_minutes: sumOver(({ minutes }) => minutes),
      actual_minutes: sumOver(({ actual_minutes }) => actual_minutes ?? 0),
    },
  }
}

function isOffPlan({ status, minutes, actual_minutes }: Length): boolean {
  if (status !== 'completed' || actual_minutes == null) return false
  return Math.abs(actual_minutes - minutes) > TOLERANCE_MINUTES
}
