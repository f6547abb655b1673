import { dateOf, dayOf, type LocalDateTime, localDateFor, minuteOf, timeOf } from './local-time.ts'
import { instantOf, localNow } from './time-zone.ts'

/** The daily time without messages, by the school's clock. It may include midnight. */
export type QuietHours = { readonly from: string; readonly to: string }

/** Returns the end of the quiet hours in progress at `now`, or `now` outside them. */
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
  // The clocks went back, so the end occurs a second time: add the minutes that the clock shows until then.
  const minute = Math.floor(now.getTime() / 60_000)
  return new Date((minute + minuteOf(end) - minuteOf(local)) * 60_000)
}

/** Returns the beginning of the quiet hours in progress at `now`. */
export function quietSince(now: Date, { from }: QuietHours, timezone: string): Date {
  const local = localNow(now, timezone)
  const date = timeOf(local) >= from ? dateOf(local) : localDateFor(dayOf(dateOf(local)) - 1)
  return new Date(instantOf(`${date} ${from}`, timezone))
}

/** A reminder `hours` before a lesson, without quiet hours `at`. It is worth sending until the next one is due or the lesson starts. */
export type Reminder = {
  readonly hours: number
  readonly at: Date
  readonly send_at: Date
  readonly worth_until: Date
}

/** Returns a lesson's reminders due after `after`, the last of those at one time; before quiet hours that outlast the lesson's start. */
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
    .map(({ hours, at }) => {
      const end = afterQuiet(at, quiet, timezone)
      if (!quiet || end <= at || end.getTime() < start) return { hours, at, send_at: end }
      return { hours, at, send_at: new Date(quietSince(at, quiet, timezone).getTime() - 60_000) }
    })
    .filter(({ send_at }) => send_at > after)
  return moments.flatMap((moment, index) => {
    const next = moments[index + 1]
    if (next && next.send_at <= moment.send_at) return []
    return [{ ...moment, worth_until: next?.send_at ?? new Date(start) }]
  })
}

/** The hour at which instructors get the plan of the next day. */
export const DAY_PLAN_HOUR = 18

/** Returns the next day if its plan is due: from `DAY_PLAN_HOUR` to midnight on the school's clock. */
export function plannedDay(now: Date, timezone: string): string | undefined {
  const local = localNow(now, timezone)
  const isEvening = Number(timeOf(local).slice(0, 2)) >= DAY_PLAN_HOUR
  return isEvening ? localDateFor(dayOf(dateOf(local)) + 1) : undefined
}
