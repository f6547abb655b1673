import { daysLater, type LocalDate, mondayOf, type TimeOfDay } from './local-time.ts'
import { afterQuiet, type QuietHours, quietSince } from './message-times.ts'
import type { MessageSettings } from './messages.ts'
import type { StudentActions } from './student-actions.ts'
import { instantOf, localToday } from './time-zone.ts'

/** The time of the week at which students are asked when they can come in the next one. */
export type AvailabilityRound = { readonly weekday: number; readonly time: TimeOfDay }

type Asking = {
  readonly availability_round: AvailabilityRound | null
  readonly messages: MessageSettings
  readonly student_actions: StudentActions
  readonly timezone: string
}

/** Returns the time at which a school asks, or null. Its page must take the answers. */
export function roundOf({ availability_round, messages, student_actions }: Asking): AvailabilityRound | null {
  return messages.availability && student_actions.wish ? availability_round : null
}

export type DueRound = { readonly due_at: Date; readonly week_start: LocalDate }

type Calendar = {
  readonly timezone: string
  readonly after: Date
  readonly quiet: QuietHours | null
  readonly asked?: LocalDate
}

/**
 * Returns the first round after a moment, for the week after its own, and never for a week up to `asked`. It takes place in the
 * minute before quiet hours that last until that week.
 */
export function nextRound(
  { weekday, time }: AvailabilityRound,
  { timezone, after, quiet, asked }: Calendar,
): DueRound {
  let monday = mondayOf(localToday(after, timezone))
  for (;;) {
    const week_start = daysLater(monday, 7)
    const wanted = new Date(instantOf(`${daysLater(monday, weekday - 1)} ${time}`, timezone))
    const isInTime = !quiet || afterQuiet(wanted, quiet, timezone) < beginOfWeek(week_start, timezone)
    const due_at = isInTime ? wanted : new Date(quietSince(wanted, quiet, timezone).getTime() - 60_000)
    if (due_at > after && (asked === undefined || week_start > asked)) return { due_at, week_start }
    monday = week_start
  }
}

/** The delay after which a round no longer takes place. */
const LATEST_MS = 86_400_000

/** Returns the moment at which a week begins. */
export function beginOfWeek(week_start: LocalDate, timezone: string): Date {
  return new Date(instantOf(`${week_start} 00:00`, timezone))
}

/** Whether it is too late for a round: a day has passed, or its week has begun. */
export function isRoundOver({ due_at, week_start }: DueRound, now: Date, timezone: string): boolean {
  return now.getTime() - due_at.getTime() >= LATEST_MS || now >= beginOfWeek(week_start, timezone)
}
