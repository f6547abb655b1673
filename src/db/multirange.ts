import type { Interval } from '../domain/interval.ts'
import { localDateTimeFor } from '../domain/local-time.ts'

/** Returns intervals by the wall clock as the text of a `tsmultirange`. */
export function multirangeOf(intervals: readonly Interval[]): string {
  const ranges = intervals.map(
    ({ start, end }) => `["${localDateTimeFor(start)}","${localDateTimeFor(end)}")`,
  )
  return `{${ranges.join()}}`
}
