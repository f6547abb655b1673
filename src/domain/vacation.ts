import type { TimedProposal, Vacation } from './agenda.ts'
import { daysTouchedBy } from './interval.ts'
import { dayOf, localDateFor } from './local-time.ts'
import type { Refusal } from './refusal.ts'

/** Rule 3: a day that the proposal touches lies in a vacation. The vacation that begins first is named. */
export function vacationRefusalFor(
  proposed: TimedProposal,
  vacations: readonly Vacation[],
): Refusal | undefined {
  if (vacations.length === 0) return undefined
  const dates = daysTouchedBy(proposed).map(localDateFor)
  const hit = vacations
    .filter(({ start_date, end_date }) => dates.some((date) => start_date <= date && date <= end_date))
    .toSorted((a, b) => dayOf(a.start_date) - dayOf(b.start_date) || dayOf(a.end_date) - dayOf(b.end_date))[0]
  return (
    hit && {
      code: 'instructor_on_vacation',
      params: { start_date: hit.start_date, end_date: hit.end_date, note: hit.note },
    }
  )
}
