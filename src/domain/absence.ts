import type { Absence, TimedProposal } from './agenda.ts'
import { type Interval, intervalOf, joined } from './interval.ts'
import type { Refusal } from './refusal.ts'

/** Checks that the proposal overlaps no absence; of several reports the one that begins first. */
export function absenceRefusalFor(
  proposed: TimedProposal,
  absences: readonly Absence[] = [],
): Refusal | undefined {
  const { start_at: from, end_at: to } = proposed.source
  const [absence] = absences
    .filter(({ start_at, end_at }) => start_at < to && from < end_at)
    .sort((a, b) => (a.start_at < b.start_at ? -1 : 1))
  if (!absence) return undefined
  const { start_at, end_at, note } = absence
  return { code: 'instructor_on_vacation', params: { start_at, end_at, note } }
}

/** Returns the absences as intervals, sorted and joined. */
export function absentTimesOf(absences: readonly Absence[] = []): readonly Interval[] {
  return joined(absences.map(intervalOf))
}
