import { getTimes } from 'suncalc'
import { type Interval, joined, overlaps, without } from './interval.ts'
import {
  type Day,
  dayOfMinute,
  localDateFor,
  MINUTES_PER_DAY,
  type Minute,
  midnightOf,
  minuteOf,
} from './local-time.ts'
import { localNow } from './time-zone.ts'

/** The darkness at a school from sunset to sunrise, by its wall clock. Rules for night drives count dusk as dark. */
export type Darkness = {
  /** Whether the whole interval is dark. */
  readonly isDark: (interval: Interval) => boolean
  /** Returns the night that contains a minute, or the next one; undefined if the sun does not set within two days. */
  readonly nightFrom: (start: Minute) => Interval | undefined
  readonly darkTimesOn: (day: Day) => readonly Interval[]
}

type Sun = { readonly latitude: number; readonly longitude: number; readonly timezone: string }

/** The place of a school; its coordinates are null if they are unknown. */
export type Located = {
  readonly latitude: number | null
  readonly longitude: number | null
  readonly timezone: string
}

/** Returns the school's hours of darkness; undefined if its place is unknown. */
export function darknessFor(school: Located): Darkness | undefined {
  const sun = sunOf(school)
  return (
    sun && {
      isDark: (interval) => isInTheDark(interval, sun),
      nightFrom: (start) => nightFrom(start, sun),
      darkTimesOn: (day) => darkTimesOn(day, sun),
    }
  )
}

function sunOf({ latitude, longitude, timezone }: Located): Sun | undefined {
  return latitude === null || longitude === null ? undefined : { latitude, longitude, timezone }
}

function isInTheDark(interval: Interval, sun: Sun): boolean {
  return !daylightAround(interval, sun).some((light) => overlaps(light, interval))
}

function nightFrom(start: Minute, sun: Sun): Interval | undefined {
  const day = midnightOf(dayOfMinute(start))
  const range = { start: day - MINUTES_PER_DAY, end: day + 3 * MINUTES_PER_DAY }
  const night = without([range], daylightAround(range, sun)).find(({ end }) => end > start)
  return night && night.start < day + 2 * MINUTES_PER_DAY ? night : undefined
}

function darkTimesOn(day: Day, sun: Sun): readonly Interval[] {
  const whole = { start: midnightOf(day), end: midnightOf(day + 1) }
  return without([whole], daylightAround(whole, sun))
}

/**
 * Returns the daylight around an interval, sorted and joined. In any zone from UTC-12 to UTC+14, the daylight of a UTC day
 * lies between the day before it and two days after it.
 */
function daylightAround({ start, end }: Interval, sun: Sun): readonly Interval[] {
  const [first, last] = [dayOfMinute(start) - 2, dayOfMinute(end) + 1]
  const days = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  return joined(days.flatMap((day) => daylightOf(day, sun) ?? []))
}

/** A cache: computing a sunset takes longer than all rules of a booking, and a search repeats the same days. */
const known = new Map<string, Interval | undefined>()
const MAX_KNOWN = 20_000

/** Returns the daylight whose noon is on the UTC day; undefined if the sun does not rise. */
function daylightOf(day: Day, sun: Sun): Interval | undefined {
  const key = `${sun.timezone} ${sun.latitude} ${sun.longitude} ${day}`
  if (known.has(key)) return known.get(key)
  const daylight = computedDaylight(day, sun)
  if (known.size < MAX_KNOWN) known.set(key, daylight)
  return daylight
}

function computedDaylight(day: Day, { latitude, longitude, timezone }: Sun): Interval | undefined {
  const noon = new Date(`${localDateFor(day)}T12:00:00Z`)
  const { sunrise, sunset, solarNoon, alwaysUp } = getTimes(noon, latitude, longitude)
  const localMinuteOf = (instant: Date) => minuteOf(localNow(instant, timezone))
  if (sunrise && sunset) return { start: localMinuteOf(sunrise), end: localMinuteOf(sunset) }
  if (!alwaysUp) return undefined
  const middle = localMinuteOf(solarNoon)
  return { start: middle - MINUTES_PER_DAY, end: middle + MINUTES_PER_DAY }
}
