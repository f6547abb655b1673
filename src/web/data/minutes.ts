import type { MinutesOfDay, MonthOfMinutes } from '../../domain/minutes.ts'
import { COMPUTED } from './computed.ts'
import { followedQuery } from './followed-get.ts'

export type DayOfMinutes = Omit<MinutesOfDay, 'times'>
export type InstructorMinutes = Omit<MonthOfMinutes, 'days'> & { readonly days: readonly DayOfMinutes[] }

/** Queries the minutes of all instructors in a month whom the user may see. */
export function minutesOf(month: string) {
  return followedQuery<readonly InstructorMinutes[]>([COMPUTED, 'minutes', month], `/minutes?month=${month}`)
}
