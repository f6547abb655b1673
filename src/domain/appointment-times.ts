import { intervalOf, minutesOf } from './interval.ts'
import type { LocalDateTime } from './local-time.ts'
import { APPOINTMENT_MINUTES } from './ranges.ts'
import { isSkipped } from './time-zone.ts'

type Times = { readonly start_at: LocalDateTime; readonly end_at: LocalDateTime }
type PartialTimes = { readonly [Field in keyof Times]?: Times[Field] | undefined }

export type SkippedFault = {
  readonly code: 'skipped_time'
  readonly field: keyof Times
  readonly time: LocalDateTime
  readonly timezone: string
}

/** The reason why times are invalid regardless of the rules: a code with parameters. */
export type TimeFault =
  | SkippedFault
  | { readonly code: 'wrong_order'; readonly field: 'end_at'; readonly start_at: LocalDateTime }
  | {
      readonly code: 'too_long'
      readonly field: 'end_at'
      readonly minutes: number
      readonly longest_minutes: number
    }

/** Returns the faults of each time in the zone, then of the interval. */
export function timeFaultsFor(times: PartialTimes, timezone: string): readonly TimeFault[] {
  const { start_at, end_at } = times
  const skipped = skippedFaultsFor(times, timezone)
  const together = start_at !== undefined && end_at !== undefined && intervalFaultFor({ start_at, end_at })
  return together ? [...skipped, together] : skipped
}

export function skippedFaultsFor(
  { start_at, end_at }: PartialTimes,
  timezone: string,
): readonly SkippedFault[] {
  const faults = [
    skippedFaultFor('start_at', start_at, timezone),
    skippedFaultFor('end_at', end_at, timezone),
  ]
  return faults.filter((fault) => fault !== undefined)
}

export function intervalFaultFor(times: Times): TimeFault | undefined {
  const minutes = minutesOf(intervalOf(times))
  if (minutes < APPOINTMENT_MINUTES.min) {
    return { code: 'wrong_order', field: 'end_at', start_at: times.start_at }
  }
  if (minutes <= APPOINTMENT_MINUTES.max) return undefined
  return { code: 'too_long', field: 'end_at', minutes, longest_minutes: APPOINTMENT_MINUTES.max }
}

function skippedFaultFor(
  field: keyof Times,
  time: LocalDateTime | undefined,
  timezone: string,
): SkippedFault | undefined {
  if (time === undefined || !isSkipped(time, timezone)) return undefined
  return { code: 'skipped_time', field, time, timezone }
}
