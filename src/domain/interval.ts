import {
  type Day,
  dayOfMinute,
  type LocalDateTime,
  MINUTES_PER_DAY,
  type Minute,
  midnightOf,
  minuteOf,
} from './local-time.ts'

/** Half-open `[start, end)` on the wall clock: touching intervals do not overlap. */
export type Interval = { readonly start: Minute; readonly end: Minute }

export function intervalOf(timed: {
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
}): Interval {
  return { start: minuteOf(timed.start_at), end: minuteOf(timed.end_at) }
}

export function overlaps(a: Interval, b: Interval): boolean {
  return a.start < b.end && b.start < a.end
}

export function contains(outer: Interval, inner: Interval): boolean {
  return outer.start <= inner.start && inner.end <= outer.end
}

export function minutesOf(interval: Interval): number {
  return interval.end - interval.start
}

export function joined(intervals: readonly Interval[]): readonly Interval[] {
  const result: Interval[] = []
  for (const next of intervals.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1)
    if (last && next.start <= last.end) {
      result[result.length - 1] = { start: last.start, end: Math.max(last.end, next.end) }
    } else {
      result.push(next)
    }
  }
  return result
}

/** Returns the intervals without the holes, which must be sorted and joined. */
export function without(intervals: readonly Interval[], holes: readonly Interval[]): readonly Interval[] {
  return intervals.flatMap((interval) => {
    const left: Interval[] = []
    let { start } = interval
    for (const hole of holes.filter((one) => overlaps(one, interval))) {
      if (start < hole.start) left.push({ start, end: hole.start })
      start = hole.end
    }
    return start < interval.end ? [...left, { start, end: interval.end }] : left
  })
}

/** Returns the days of the interval. An end at midnight does not touch the next day. */
export function daysTouchedBy(interval: Interval): readonly Day[] {
  const first = dayOfMinute(interval.start)
  const last = dayOfMinute(interval.end - 1)
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** Returns the part of the interval on the day, in minutes since its midnight. */
export function pieceOn(day: Day, interval: Interval): Interval {
  const midnight = midnightOf(day)
  return {
    start: Math.max(interval.start - midnight, 0),
    end: Math.min(interval.end - midnight, MINUTES_PER_DAY),
  }
}
