import type { ClosedDays, Holiday, HolidayCalendar, TimedProposal } from './agenda.ts'
import { daysTouchedBy, type Interval } from './interval.ts'
import { type LocalDate, localDateFor } from './local-time.ts'
import type { Refusal } from './refusal.ts'
import { vacationWithin } from './vacation.ts'

/** Checks that the proposal touches no public holiday, if the school refuses them. */
export function holidayRefusalFor(
  proposed: TimedProposal,
  { holidayOn }: Pick<ClosedDays, 'holidayOn'>,
): Refusal | undefined {
  const holiday = holidayOn && firstHolidayIn(proposed, holidayOn)
  return holiday && { code: 'public_holiday', params: { date: holiday.date, name: holiday.name } }
}

/** Checks that the proposal touches no closure. Reports the first of several. */
export function closureRefusalFor(
  proposed: TimedProposal,
  { closures }: Pick<ClosedDays, 'closures'>,
): Refusal | undefined {
  if (closures.length === 0) return undefined
  for (const day of daysTouchedBy(proposed)) {
    const date = localDateFor(day)
    const closure = vacationWithin(date, date, closures)
    if (closure) return { code: 'school_closed', params: { date, note: closure.note } }
  }
  return undefined
}

export function firstHolidayIn(interval: Interval, holidayOn: HolidayCalendar): Holiday | undefined {
  for (const day of daysTouchedBy(interval)) {
    const holiday = holidayOn(localDateFor(day))
    if (holiday) return holiday
  }
  return undefined
}

export function isClosedOn(date: LocalDate, { holidayOn, closures }: ClosedDays): boolean {
  return holidayOn?.(date) !== undefined || vacationWithin(date, date, closures) !== undefined
}
