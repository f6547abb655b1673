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

/** A repetition every n weeks or days, or on weekdays of every n weeks; `count` times or until a date. */
export type Repeat = {
  readonly every_weeks?: number
  readonly every_days?: number
  /** ISO weekdays (Monday is 1), which include that of the first time. */
  readonly weekdays?: readonly number[]
  readonly count?: number
  readonly until?: LocalDate
}

/** Counts the repetitions, including the first; 0 if `until` is before it. */
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

/** Returns all repetitions, including the first. They keep the time of day across clock changes. */
export function repeated(first: Times, repeat: Repeat): readonly Times[] {
  return Array.from({ length: repetitionsOf(first, repeat) }, (_, index) => repetition(first, repeat, index))
}

/** Returns the times of the repetition at an index; 0 is the first. */
export function repetition({ start_at, end_at }: Times, repeat: Repeat, index: number): Times {
  const offsets = offsetsIn(dayOf(start_at), repeat)
  const rounds = Math.floor(index / offsets.length)
  const days = rounds * stepDays(repeat) + (offsets[index % offsets.length] ?? 0)
  const minutes = days * MINUTES_PER_DAY
  return { start_at: minutesLater(start_at, minutes), end_at: minutesLater(end_at, minutes) }
}

/** Whether the last repetition ends within the supported years. */
export function endsInTime(first: Times, repeat: Repeat): boolean {
  const last = repeated(first, repeat).at(-1)
  return last === undefined || isLocalDateTime(last.end_at)
}

/** Returns the days from the first time to each repetition of the first round, in order. */
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
