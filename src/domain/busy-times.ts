import type { BusyTime, TimedProposal } from './agenda.ts'
import type { BusyPolicy } from './busy-policy.ts'
import { earliestOverlap, intervalOf } from './interval.ts'
import type { Refusal } from './refusal.ts'

const earliestBusyTime = earliestOverlap<BusyTime>(intervalOf)

/** Returns the earliest time of a proposal in which the instructor is busy elsewhere. */
export function busyTimeWithin(
  proposed: Pick<TimedProposal, 'start' | 'end'>,
  times: readonly BusyTime[] = [],
): BusyTime | undefined {
  return times.length === 0 ? undefined : earliestBusyTime(proposed, times)
}

/** Checks that the proposal overlaps no busy time of a calendar that the instructor keeps elsewhere. */
export function busyRefusalFor(
  proposed: TimedProposal,
  times: readonly BusyTime[] | undefined,
  policy: BusyPolicy = 'ignore',
): Refusal | undefined {
  const busy = policy === 'refuse' ? busyTimeWithin(proposed, times) : undefined
  if (!busy) return undefined
  const { start_at, end_at } = busy
  return { code: 'instructor_busy_elsewhere', params: { start_at, end_at } }
}
