import type { TimedProposal, Vacation } from './agenda.ts'
import { earliestOverlap, type Interval } from './interval.ts'
import { dateOf, dayOf, dayOfMinute, type LocalDate, localDateFor, midnightOf } from './local-time.ts'
import type { Refusal } from './refusal.ts'

/** Checks rule 3: no day of the proposal is in a vacation. An end at midnight does not touch the next day. */
export function vacationRefusalFor(
  proposed: TimedProposal,
  vacations: readonly Vacation[],
): Refusal | undefined {
  if (vacations.length === 0) return undefined
  const lastDate = localDateFor(dayOfMinute(proposed.end - 1))
  const vacation = vacationWithin(dateOf(proposed.source.start_at), lastDate, vacations)
  if (!vacation) return undefined
  const { start_date, end_date, note } = vacation
  return { code: 'instructor_on_vacation', params: { start_date, end_date, note } }
}

/** Returns the earliest vacation with a day between the dates, both inclusive. */
export function vacationWithin(
  first: LocalDate,
  last: LocalDate,
  vacations: readonly Vacation[],
): Vacation | undefined {
  if (vacations.length === 0) return undefined
  return earliestVacation(daysFrom(first, last), vacations)
}

const earliestVacation = earliestOverlap(({ start_date, end_date }: Vacation) =>
  daysFrom(start_date, end_date),
)

function daysFrom(first: LocalDate, last: LocalDate): Interval {
  return { start: midnightOf(dayOf(first)), end: midnightOf(dayOf(last) + 1) }
}
