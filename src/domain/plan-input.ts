import type { Closure, Holiday } from './agenda.ts'
import { darknessFor, type Located } from './daylight.ts'
import type { OwnCalendar } from './lesson-agenda.ts'
import type { LocalDate } from './local-time.ts'
import type { PlanProblem } from './plan-problem.ts'

/** A planning problem without functions, as a thread gets it. */
export type PlanInput = Omit<PlanProblem, 'calendars' | 'sky' | 'timezone'> & {
  readonly calendars: ReadonlyMap<string, OwnCalendar>
  readonly unit_minutes: number
  readonly closures: readonly Closure[]
  /** The public holidays around the planned days on which the school is closed. */
  readonly holidays: ReadonlyMap<LocalDate, Holiday>
  readonly place: Located
}

export function problemOf(input: PlanInput): PlanProblem {
  const { calendars, unit_minutes, closures, holidays, place, ...more } = input
  return {
    ...more,
    calendars: {
      unit_minutes,
      closed: { closures, holidayOn: (date) => holidays.get(date) },
      find: ({ id }) => calendars.get(id),
    },
    timezone: place.timezone,
    sky: darknessFor(place),
  }
}
