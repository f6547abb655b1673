import { dateOf, dayOf, type LocalDateTime, localDateFor, minuteOf, timeOf } from './local-time.ts'
import { instantOf, localNow } from './time-zone.ts'

/** The daily time without messages, by the school's clock; it may pass midnight. */
export type QuietHours = { readonly from: string; readonly to: string }

/** Returns the end of the quiet hours that a time is in, or the time itself. */
export function afterQuiet(now: Date, quiet: QuietHours | null, timezone: string): Date {
  if (!quiet || quiet.from === quiet.to) return now
  const local = localNow(now, timezone)
  const [time, date] = [timeOf(local), dateOf(local)]
  const passesMidnight = quiet.from > quiet.to
  const isQuiet = passesMidnight
    ? time >= quiet.from || time < quiet.to
    : time >= quiet.from && time < quiet.to
  if (!isQuiet) return now
  const isNextDay = passesMidnight && time >= quiet.from
  const end = `${isNextDay ? localDateFor(dayOf(date) + 1) : date} ${quiet.to}`
  const first = instantOf(end, timezone)
  if (first > now.getTime()) return new Date(first)
  // Clocks went back: the end comes a second time, as many minutes from now as by the clock.
  const minute = Math.floor(now.getTime() / 60_000)
  return new Date((minute + minuteOf(end) - minuteOf(local)) * 60_000)
}

/** A reminder before the start of a lesson. It is worth sending until the next one is due. */
export type Reminder = { readonly hours: number; readonly send_at: Date; readonly worth_until: Date }

/** Returns a lesson's reminders whose moments lie after a time. Of those that quiet hours shift to one time, only the last. */
export function remindersOf(
  start_at: LocalDateTime,
  {
    reminder_hours,
    quiet,
  }: { readonly reminder_hours: readonly number[]; readonly quiet: QuietHours | null },
  { timezone, after }: { readonly timezone: string; readonly after: Date },
): readonly Reminder[] {
  const start = instantOf(start_at, timezone)
  const moments = reminder_hours
    .toSorted((a, b) => b - a)
    .map((hours) => ({ hours, at: new Date(start - hours * 3_600_000) }))
    .filter(({ at }) => at > after)
    .map(({ hours, at }) => ({ hours, send_at: afterQuiet(at, quiet, timezone) }))
  return moments.flatMap((moment, index) => {
    const next = moments[index + 1]
    if (next && next.send_at <= moment.send_at) return []
    return [{ ...moment, worth_until: next?.send_at ?? new Date(start) }]
  })
}

/** The hour of the evening at which instructors get the plan of the next day. */
export const DAY_PLAN_HOUR = 18

/** Returns the day whose plan is due at a time, by the school's clock: the next one from the evening to midnight. */
export function plannedDay(now: Date, timezone: string): string | undefined {
  const local = localNow(now, timezone)
  const isEvening = Number(timeOf(local).slice(0, 2)) >= DAY_PLAN_HOUR
  return isEvening ? localDateFor(dayOf(dateOf(local)) + 1) : undefined
}
