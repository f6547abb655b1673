import type { Absence, BusyTime, ThingRules, TimedProposal } from './agenda.ts'
import type { BusyPolicy } from './busy-policy.ts'
import { earliestOverlap, type Interval, intervalOf, joined } from './interval.ts'
import type { LocalDateTime } from './local-time.ts'
import type { Refusal } from './refusal.ts'

type Period = { readonly start_at: LocalDateTime; readonly end_at: LocalDateTime }

const earliestAbsence = earliestOverlap<Absence>(intervalOf)

/** Checks that the proposal overlaps no absence. Reports the earliest of several. */
export function absenceRefusalFor(
  proposed: TimedProposal,
  absences: readonly Absence[] = [],
): Refusal | undefined {
  const absence = earliestAbsence(proposed, absences)
  return absence && { code: 'instructor_on_vacation', params: absence }
}

/** Returns the policy for choices: times that would only be warned of are not offered. */
export function policyOfChoices(policy: BusyPolicy): BusyPolicy {
  return policy === 'ignore' ? 'ignore' : 'refuse'
}

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

const earliestOfThing = earliestOverlap<Period>(intervalOf)

/** Whether a thing such as a vehicle is away at some time of the interval. */
export function isAbsent({ absences }: Pick<ThingRules, 'absences'>, interval: Interval): boolean {
  return earliestOfThing(interval, absences) !== undefined
}

/** The times of lists of absences, which searches need for each of their days. */
const absentTimes = new WeakMap<readonly Period[], readonly Interval[]>()

/** Returns the absent times: sorted, joined where they touch or overlap. The list must not change. */
export function absentTimesOf(absences: readonly Period[]): readonly Interval[] {
  const known = absentTimes.get(absences)
  if (known) return known
  const times = joined(absences.map(intervalOf))
  absentTimes.set(absences, times)
  return times
}
