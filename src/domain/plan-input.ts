import type { Closure, Holiday } from './agenda.ts'
import type { BusyPolicy } from './busy-policy.ts'
import { darknessFor, type Located } from './daylight.ts'
import type { CalendarSource, OwnCalendar } from './lesson-agenda.ts'
import type { LocalDate } from './local-time.ts'
import type { PlanProblem } from './plan-problem.ts'

/** The calendars of a school without functions, as a thread gets them. */
export type CalendarInput = {
  readonly calendars: ReadonlyMap<string, OwnCalendar>
  readonly unit_minutes: number
  readonly closures: readonly Closure[]
  /** The effect of instructors' busy times; undefined to ignore them. */
  readonly busy_calendars?: BusyPolicy | undefined
  /** The public holidays around the days on which the school is closed. */
  readonly holidays: ReadonlyMap<LocalDate, Holiday>
}

/** A planning problem without functions, as a thread gets it. */
export type PlanInput = Omit<PlanProblem, 'calendars' | 'darkness' | 'timezone'> &
  CalendarInput & {
    readonly place: Located
  }

export function problemOf(input: PlanInput): PlanProblem {
  const { calendars, unit_minutes, closures, holidays, busy_calendars, place, ...more } = input
  return {
    ...more,
    calendars: sourceIn({ calendars, unit_minutes, closures, holidays, busy_calendars }),
    timezone: place.timezone,
    darkness: darknessFor(place),
  }
}

export function sourceIn({
  calendars,
  unit_minutes,
  closures,
  holidays,
  busy_calendars,
}: CalendarInput): CalendarSource {
  return {
    unit_minutes,
    busy_calendars,
    closed: { closures, holidayOn: (date) => holidays.get(date) },
    find: ({ id }) => calendars.get(id),
  }
}
