import {
  type Day,
  dayOf,
  isLocalDateTime,
  type LocalDate,
  type LocalDateTime,
  MINUTES_PER_DAY,
  minutesLater,
  weekdayOf,
} from './local-time.ts'

type Times = { readonly start_at: LocalDateTime; readonly end_at: LocalDateTime }

/** Every so many weeks or days, or on weekdays of every so many weeks; a number of times or up to a date. */
export type Repeat = {
  readonly every_weeks?: number
  readonly every_days?: number
  /** ISO: Monday is 1. One of them is that of the first time. */
  readonly weekdays?: readonly number[]
  readonly count?: number
  readonly until?: LocalDate
}

/** Counts the repetitions with the first; 0 if the date lies before it. */
export function repetitionsOf(
  { start_at }: Pick<Times, 'start_at'>,
  { count, until, ...rest }: Repeat,
): number {
  if (until === undefined) return count ?? 0
  const days = dayOf(until) - dayOf(start_at)
  if (days < 0) return 0
  const offsets = offsetsIn(dayOf(start_at), rest)
  const [rounds, left] = [Math.floor(days / stepDays(rest)), days % stepDays(rest)]
  return rounds * offsets.length + offsets.filter((offset) => offset <= left).length
}

/** Returns the first and the following times. The time of day stays when the clocks change. */
export function repeated(first: Times, repeat: Repeat): readonly Times[] {
  return Array.from({ length: repetitionsOf(first, repeat) }, (_, index) => repetition(first, repeat, index))
}

/** Returns the times of a repetition; the first has the index 0. */
export function repetition({ start_at, end_at }: Times, repeat: Repeat, index: number): Times {
  const offsets = offsetsIn(dayOf(start_at), repeat)
  const rounds = Math.floor(index / offsets.length)
  const days = rounds * stepDays(repeat) + (offsets[index % offsets.length] ?? 0)
  const minutes = days * MINUTES_PER_DAY
  return { start_at: minutesLater(start_at, minutes), end_at: minutesLater(end_at, minutes) }
}

/** Whether the last repetition starts within the supported years. */
export function endsInTime(first: Times, repeat: Repeat): boolean {
  const last = repeated(first, repeat).at(-1)
  return last === undefined || isLocalDateTime(last.end_at)
}

/** Returns the days from the first time to each repetition before the first round ends, in order. */
function offsetsIn(first: Day, { weekdays, every_weeks = 1 }: Repeat): readonly number[] {
  if (!weekdays) return [0]
  const before = weekdayOf(first)
  const round = 7 * (every_weeks - 1)
  return [...new Set(weekdays)]
    .map((weekday) => (weekday < before ? weekday - before + 7 + round : weekday - before))
    .toSorted((one, other) => one - other)
}

function stepDays({ every_weeks = 0, every_days = 0 }: Repeat): number {
  return every_weeks * 7 + every_days
}
