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

type Index<T> = {
  readonly sorted: readonly (Interval & { readonly source: T })[]
  readonly latestEnds: readonly Minute[]
}

/**
 * Returns a function that finds the earliest entry of a list that overlaps an interval: of those, the first by start, then end.
 * A list is indexed once and must not change: searches ask hundreds of days of the same vacations.
 */
export function earliestOverlap<T>(intervalOf: (entry: T) => Interval) {
  const indexes = new WeakMap<readonly T[], Index<T>>()
  return (interval: Interval, list: readonly T[]): T | undefined => {
    if (list.length === 0) return undefined
    let index = indexes.get(list)
    if (!index) {
      index = indexed(list, intervalOf)
      indexes.set(list, index)
    }
    // The first entry to end after the start of the interval also starts before all others that do.
    const found = index.sorted[countUpTo(interval.start, index.latestEnds)]
    return found && found.start < interval.end ? found.source : undefined
  }
}

function indexed<T>(list: readonly T[], intervalOf: (entry: T) => Interval): Index<T> {
  const sorted = list
    .map((source) => ({ ...intervalOf(source), source }))
    .sort((a, b) => a.start - b.start || a.end - b.end)
  let latest = Number.NEGATIVE_INFINITY
  const latestEnds = sorted.map(({ end }) => {
    latest = Math.max(latest, end)
    return latest
  })
  return { sorted, latestEnds }
}

/** Counts the entries of an ascending list that are not greater than the value. */
function countUpTo(value: number, ascending: readonly number[]): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] ?? 0) <= value) low = middle + 1
    else high = middle
  }
  return low
}
