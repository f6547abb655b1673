import type { Interval } from './interval.ts'
import {
  type Day,
  dateOf,
  dayOf,
  type LocalDate,
  type LocalDateTime,
  localDateTimeFor,
  type Minute,
  midnightOf,
  minuteOf,
} from './local-time.ts'

const formatters = new Map<string, Intl.DateTimeFormat>()

export function isTimeZone(zone: string): boolean {
  try {
    return formatterFor(zone) !== undefined
  } catch {
    return false
  }
}

/** The zones that PostgreSQL takes for abbreviations without summer time, which this runtime gives them. */
export const UNCERTAIN_ZONES: ReadonlySet<string> = new Set(['CET', 'EET', 'MET', 'WET'])

/** Returns why a school cannot have a zone, as the end of a sentence about it; undefined if it can. */
export function zoneFaultFor(zone: string): string | undefined {
  if (UNCERTAIN_ZONES.has(zone))
    return `must name a place, such as Europe/Berlin: whether ${zone} has summer time is not certain`
  // Checks the form first, because every zone that is looked up stays in the cache.
  const isKnown = /^[A-Z][\w+/-]{0,63}$/.test(zone) && isTimeZone(zone) && isSpelledZone(zone)
  return isKnown ? undefined : 'must be an IANA zone, such as Europe/Berlin'
}

/** Whether a zone has the capital letters of the IANA database, by which its place is found. */
function isSpelledZone(zone: string): boolean {
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions()
  return timeZone === zone || timeZone.toLowerCase() !== zone.toLowerCase()
}

/** A cache of each zone's wall clock: formatting takes as long as all rules of a booking. */
const clocks = new Map<string, { readonly minute: Minute; readonly local: LocalDateTime }>()

export function localNow(now: Date, zone: string): LocalDateTime {
  const minute = Math.floor(now.getTime() / 60_000)
  const clock = clocks.get(zone)
  if (clock?.minute === minute) return clock.local
  const local = localAt(minute, zone)
  clocks.set(zone, { minute, local })
  return local
}

export function localToday(now: Date, zone: string): LocalDate {
  return dateOf(localNow(now, zone))
}

/** Whether a clock change skips this minute. It exists if an offset from around it applies at the UTC time that it gives. */
export function isSkipped(local: LocalDateTime, zone: string): boolean {
  const day = dayOf(local)
  if (!changesClocksNear(day, zone)) return false
  const minute = minuteOf(local)
  return offsetsAround(day, zone).every((offset) => offsetAt(minute - offset, zone) !== offset)
}

/** Whether the clocks may change on the day. Otherwise no time of the day is skipped. */
export function changesClocksNear(day: Day, zone: string): boolean {
  const [before, after] = offsetsAround(day, zone)
  return before !== after
}

/** Returns the minutes by which a clock change between two times moves the clocks forward; negative if back. */
export function clockShiftBetween(start: LocalDateTime, end: LocalDateTime, zone: string): number {
  return offsetOf(end, zone) - offsetOf(start, zone)
}

/** Returns a time range in UTC minutes, so that its length is the elapsed time, also over a clock change. */
export function elapsedIntervalOf(
  { start_at, end_at }: { readonly start_at: LocalDateTime; readonly end_at: LocalDateTime },
  zone: string,
): Interval {
  return {
    start: minuteOf(start_at) - offsetOf(start_at, zone),
    end: minuteOf(end_at) - offsetOf(end_at, zone),
  }
}

/** Returns the UTC milliseconds of a wall-clock time; the first ones if the time occurs twice. */
export function instantOf(local: LocalDateTime, zone: string): number {
  return (minuteOf(local) - offsetOf(local, zone)) * 60_000
}

/** A change of the clocks: from this wall-clock time on, they are ahead by so many minutes more; less than 0 if put back. */
export type ClockChange = { readonly at: LocalDateTime; readonly minutes: number }

/** Returns the changes of the clocks on the days from `from` to `to`: a period is that much shorter if it begins before one and ends at or after it. */
export function clockChangesIn(from: LocalDate, to: LocalDate, zone: string): readonly ClockChange[] {
  const changes: ClockChange[] = []
  for (let day = dayOf(from); day <= dayOf(to); day += 1) {
    if (!changesClocksNear(day, zone)) continue
    const [start, end] = [localDateTimeFor(midnightOf(day)), localDateTimeFor(midnightOf(day + 1))]
    const minutes = clockShiftBetween(start, end, zone)
    if (minutes !== 0) changes.push({ at: firstAfterChange(day, zone), minutes })
  }
  return changes
}

/** Returns the first wall-clock time with the offset of the day's end. */
function firstAfterChange(day: Day, zone: string): LocalDateTime {
  const before = offsetOf(localDateTimeFor(midnightOf(day)), zone)
  let [low, high] = [midnightOf(day), midnightOf(day + 1)]
  while (low + 1 < high) {
    const middle = Math.floor((low + high) / 2)
    if (offsetOf(localDateTimeFor(middle), zone) === before) low = middle
    else high = middle
  }
  return localDateTimeFor(high)
}

/** Returns the offset of a wall-clock time: the first one if it occurs twice, the earlier one if it is skipped. */
function offsetOf(local: LocalDateTime, zone: string): number {
  const offsets = offsetsAround(dayOf(local), zone)
  if (offsets[0] === offsets[1]) return offsets[0]
  const minute = minuteOf(local)
  return offsets.find((offset) => offsetAt(minute - offset, zone) === offset) ?? offsets[0]
}

function offsetsAround(day: Day, zone: string): readonly [before: number, after: number] {
  return [offsetAtMidnight(day - 1, zone), offsetAtMidnight(day + 2, zone)]
}

/** A cache: the same days recur, and formatting takes as long as all other checks of a booking. */
const midnights = new Map<string, number>()
const MAX_MIDNIGHTS = 100_000

function offsetAtMidnight(day: Day, zone: string): number {
  const key = `${zone} ${day}`
  const known = midnights.get(key)
  if (known !== undefined) return known
  const offset = offsetAt(midnightOf(day), zone)
  if (midnights.size < MAX_MIDNIGHTS) midnights.set(key, offset)
  return offset
}

function offsetAt(utcMinute: Minute, zone: string): number {
  return minuteOf(localAt(utcMinute, zone)) - utcMinute
}

/** Returns the local time at any moment. Unlike `localNow`, caches nothing. */
export function localTimeOf(moment: Date, zone: string): LocalDateTime {
  return localAt(Math.floor(moment.getTime() / 60_000), zone)
}

function localAt(utcMinute: Minute, zone: string): LocalDateTime {
  const parts = formatterFor(zone).formatToParts(utcMinute * 60_000)
  const part = Object.fromEntries(parts.map(({ type, value }) => [type, value]))
  return `${part.year}-${part.month}-${part.day} ${part.hour}:${part.minute}`
}

/** Returns a cached formatter: creating one costs a thousand times more than using it. */
function formatterFor(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone)
  if (known) return known
  const formatter = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  formatters.set(zone, formatter)
  return formatter
}
