import {
  dayOf,
  isLocalDateTime,
  type LocalDate,
  type LocalDateTime,
  MINUTES_PER_DAY,
  MINUTES_PER_WEEK,
  minutesLater,
} from './local-time.ts'

type Times = { readonly start_at: LocalDateTime; readonly end_at: LocalDateTime }

/** Every so many weeks or days, a number of times or up to a date. */
export type Repeat = {
  readonly every_weeks?: number
  readonly every_days?: number
  readonly count?: number
  readonly until?: LocalDate
}

/** Counts the repetitions with the first; 0 if the date lies before it. */
export function countOf({ start_at }: Pick<Times, 'start_at'>, { count, until, ...rest }: Repeat): number {
  if (until === undefined) return count ?? 0
  const days = stepMinutes(rest) / MINUTES_PER_DAY
  return Math.max(0, Math.floor((dayOf(until) - dayOf(start_at)) / days) + 1)
}

/** Returns the first and the following times. The time of day stays when the clocks change. */
export function repeated({ start_at, end_at }: Times, repeat: Repeat): readonly Times[] {
  const step = stepMinutes(repeat)
  return Array.from({ length: countOf({ start_at }, repeat) }, (_, index) => ({
    start_at: minutesLater(start_at, index * step),
    end_at: minutesLater(end_at, index * step),
  }))
}

/** Whether the last repetition starts within the supported years. */
export function endsInTime(first: Times, repeat: Repeat): boolean {
  const last = repeated(first, repeat).at(-1)
  return last === undefined || isLocalDateTime(last.end_at)
}

function stepMinutes({ every_weeks = 0, every_days = 0 }: Repeat): number {
  return every_weeks * MINUTES_PER_WEEK + every_days * MINUTES_PER_DAY
}
