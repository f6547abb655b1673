import type { ClosedDays, Holiday, HolidayCalendar, TimedProposal } from './agenda.ts'
import { daysTouchedBy, type Interval } from './interval.ts'
import { type Day, dayOf, type LocalDate, localDateFor, weekdayOf } from './local-time.ts'
import type { Refusal } from './refusal.ts'
import { vacationWithin } from './vacation.ts'

/** The maximum days to look back, in case a closure lasts for centuries. */
const MAX_DAYS_BACK = 1000
const BLOCK_DAYS = 64
const SATURDAY = 6

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

/** The working days of a school. Each day is checked once, however many lessons and notices are counted back from it. */
export class WorkingDays {
  readonly #isClosedOn: (date: LocalDate) => boolean
  readonly #blocks = new Map<number, readonly Day[]>()

  /** Takes a check for public holidays and closures. Weekends are no working days. */
  constructor(isClosedOn: (date: LocalDate) => boolean) {
    this.#isClosedOn = isClosedOn
  }

  /** Returns the date `count` working days earlier; the earliest one within 1,000 days if there are fewer. */
  before(date: LocalDate, count: number): LocalDate {
    const first = dayOf(date)
    const last = first - MAX_DAYS_BACK
    let found = first
    let left = count
    for (let block = blockOf(first - 1); left > 0 && block >= blockOf(last); block -= 1) {
      const all = this.#daysIn(block)
      const isWithin = block > blockOf(last) && block < blockOf(first)
      const days = isWithin ? all : all.filter((day) => day < first && day >= last)
      found = days[left - 1] ?? days.at(-1) ?? found
      left -= days.length
    }
    return localDateFor(found)
  }

  #daysIn(block: number): readonly Day[] {
    const known = this.#blocks.get(block)
    if (known) return known
    const all = Array.from({ length: BLOCK_DAYS }, (_, at) => (block + 1) * BLOCK_DAYS - 1 - at)
    const days = all.filter((day) => weekdayOf(day) < SATURDAY && !this.#isClosedOn(localDateFor(day)))
    this.#blocks.set(block, days)
    return days
  }
}

function blockOf(day: Day): number {
  return Math.floor(day / BLOCK_DAYS)
}
