import type { Absence, ThingRules, TimedProposal } from './agenda.ts'
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
