import type { CountedAppointment } from './agenda.ts'
import type { Darkness } from './daylight.ts'
import type { Interval } from './interval.ts'
import type { CalendarSource, GroupLesson } from './lesson-agenda.ts'
import type { Minute } from './local-time.ts'

/** An instructor who may give a lesson, with its vehicles then and the hours in which it may lie. */
export type LadderPlace = {
  readonly instructor_id: string
  readonly vehicle_ids: readonly string[]
  readonly hours: readonly Interval[]
}

/** A booked lesson, and the places to which it may be moved, in order of preference. */
export type LadderLesson = GroupLesson &
  CountedAppointment & {
    readonly only_in_the_dark: boolean
    readonly places: readonly LadderPlace[]
  }

/** A school on the days of an absence. The calendars contain the absence. */
export type LadderProblem = {
  /** The lessons that cannot stay. */
  readonly affected: readonly LadderLesson[]
  /** Lessons that may be moved to make room. */
  readonly others: readonly LadderLesson[]
  readonly calendars: CalendarSource
  readonly timezone: string
  readonly darkness: Darkness | undefined
  /** Lessons move to later times only. */
  readonly now: Minute
}

/** A lesson and its new place. */
export type MovedLesson = {
  readonly id: string
  readonly start: Minute
  readonly place: LadderPlace
}

/** A step: the affected lessons that are saved and the others that make room for them, in an order in which they can be moved. */
export type LadderStep = {
  readonly saved: readonly MovedLesson[]
  readonly moved: readonly MovedLesson[]
}
