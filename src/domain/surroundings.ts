import { type Agenda, instructorAppointmentsOf, type Proposal, timedByStart } from './agenda.ts'
import { type Interval, intervalOf } from './interval.ts'
import {
  type Day,
  dayOfMinute,
  MINUTES_PER_DAY,
  MINUTES_PER_WEEK,
  midnightOf,
  weekStartOf,
} from './local-time.ts'
import { APPOINTMENT_MINUTES, BREAK_MINUTES, CONTINUOUS_MINUTES } from './ranges.ts'
import { stretchAround, sufficientBreakMinutes } from './stretch.ts'

/** The minutes beyond which another lesson affects neither the breaks nor the stretch of a proposal. */
const BESIDE_MINUTES = BREAK_MINUTES.max + CONTINUOUS_MINUTES.max

/** The days before and after a day whose lessons can matter to a proposal on it. */
export const DAYS_BESIDE = Math.ceil(BESIDE_MINUTES / MINUTES_PER_DAY) + 1

/** Returns the range to load around a proposal: its ISO week, for the limit, and two days on either side. */
export function surroundingsOf({ start, end }: Interval): Interval {
  const week = midnightOf(weekStartOf(dayOfMinute(start)))
  return {
    start: Math.min(week, start - BESIDE_MINUTES),
    end: Math.max(week + MINUTES_PER_WEEK, end + BESIDE_MINUTES),
  }
}

/** Returns a range that contains the surroundings of every proposal starting in the week. */
export function surroundingsOfWeek(monday: Day): Interval {
  const week = midnightOf(monday)
  return {
    start: week - BESIDE_MINUTES,
    end: week + MINUTES_PER_WEEK + APPOINTMENT_MINUTES.max + BESIDE_MINUTES,
  }
}

export function widened(surroundings: Interval): Interval {
  return { start: surroundings.start - MINUTES_PER_WEEK, end: surroundings.end + MINUTES_PER_WEEK }
}

/** Reads wider ranges until the result is complete. */
export async function readUntilComplete<T>(
  first: Interval,
  read: (surroundings: Interval) => Promise<T>,
  isWhole: (result: T, surroundings: Interval) => boolean,
  wider: (surroundings: Interval) => Interval = widened,
): Promise<T> {
  for (let surroundings = first; ; surroundings = wider(surroundings)) {
    const result = await read(surroundings)
    if (isWhole(result, surroundings)) return result
  }
}

/** Whether the surroundings are sure to contain the proposal's whole stretch, under pending rules, too. */
export function containsStretch(
  agenda: Agenda,
  proposal: Pick<Proposal, 'start_at' | 'end_at'>,
  surroundings: Interval,
): boolean {
  const { instructor, assumed } = agenda
  return [instructor, ...(assumed ? [assumed] : [])].every((rules) => {
    if (rules.max_continuous_minutes === null) return true
    const appointments = timedByStart(instructorAppointmentsOf(agenda))
    const stretch = stretchAround(intervalOf(proposal), appointments, rules)
    const pause = sufficientBreakMinutes(rules)
    return stretch.start - surroundings.start >= pause && surroundings.end - stretch.end >= pause
  })
}
