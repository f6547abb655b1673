import { timesOfWish } from './available-times.ts'
import type { Wish } from './gaps.ts'
import type { Interval } from './interval.ts'
import { type Day, dayOf, type LocalDate, midnightOf, mondayOf } from './local-time.ts'
import { intervalOn, type PlannedAvailability } from './plan-asks.ts'

type Asking = {
  readonly wishes: readonly Wish[]
  readonly availability: readonly PlannedAvailability[]
}

/**
 * Returns the hours of some days in which a student may have a lesson instead: those of the answer for the week, else of the
 * wishes; for a student without either, the day of the lesson.
 */
export function hoursFor(
  { wishes, availability }: Asking,
  dates: readonly LocalDate[],
  booked: LocalDate,
): readonly Interval[] {
  return dates.flatMap((date) => {
    const day = dayOf(date)
    const week_start = mondayOf(date)
    const answer = availability.find((one) => one.week_start === week_start)
    if (answer?.lessons === 0) return []
    const given =
      answer?.windows ??
      (wishes.length > 0 ? wishes.flatMap((one) => timesOfWish(one, week_start)) : undefined)
    if (given) return given.filter((one) => one.date === date).map((time) => intervalOn(day, time))
    return date === booked ? [wholeDay(day)] : []
  })
}

function wholeDay(day: Day): Interval {
  return { start: midnightOf(day), end: midnightOf(day + 1) }
}
