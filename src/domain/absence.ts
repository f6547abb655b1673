import type { Absence, TimedProposal } from './agenda.ts'
import { type Interval, intervalOf, joined, overlaps } from './interval.ts'
import type { Refusal } from './refusal.ts'

/** Checks that the proposal overlaps no absence. Reports the earliest of several. */
export function absenceRefusalFor(
  proposed: TimedProposal,
  absences: readonly Absence[] = [],
): Refusal | undefined {
  const absence = absences
    .toSorted((a, b) => (a.start_at < b.start_at ? -1 : 1))
    .find((one) => overlaps(intervalOf(one), proposed))
  return absence && { code: 'instructor_on_vacation', params: absence }
}

export function absentTimesOf(absences: readonly Absence[] = []): readonly Interval[] {
  return joined(absences.map(intervalOf))
}
