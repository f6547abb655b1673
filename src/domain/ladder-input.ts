import { darknessFor, type Located } from './daylight.ts'
import type { LadderProblem } from './ladder-problem.ts'
import { type CalendarInput, sourceIn } from './plan-input.ts'

/** A ladder's problem without functions, as a thread gets it. */
export type LadderInput = Pick<LadderProblem, 'affected' | 'others' | 'now'> &
  CalendarInput & { readonly place: Located }

export function ladderProblemOf({ affected, others, now, place, ...input }: LadderInput): LadderProblem {
  return {
    affected,
    others,
    now,
    calendars: sourceIn(input),
    timezone: place.timezone,
    darkness: darknessFor(place),
  }
}
