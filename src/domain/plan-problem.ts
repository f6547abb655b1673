import type { CountedAppointment, Timed, TimedAppointment } from './agenda.ts'
import type { TimedAgenda } from './booking.ts'
import type { Darkness } from './daylight.ts'
import type { Interval } from './interval.ts'
import type { CalendarSource } from './lesson-agenda.ts'
import type { TravelTimes } from './travel.ts'

/** The importance of the parts of a plan's score, each from 0 to 3. */
export type PlanWeights = {
  readonly waiting: number
  readonly full_days: number
  readonly own_instructor: number
}

/** An instructor who may give a lesson, with the vehicles that the booking form fills in. */
export type PlanInstructor = {
  readonly instructor_id: string
  /** Whether the student prefers this instructor. */
  readonly is_own: boolean
  readonly vehicle_ids: readonly string[]
  readonly location_id: string | null
}

export type PlanLessonType = {
  readonly lesson_type_id: string
  readonly counts_toward_limits: boolean
  readonly only_in_the_dark: boolean
  readonly instructors: readonly PlanInstructor[]
}

/** Hours of one day in which a student can have a lesson. */
export type PlanWindow = Interval & {
  readonly wish_id: string | null
  readonly minutes: number
  /** The types of the student's first lesson of the week, the second, and so on; the last one holds for all after it. */
  readonly types: readonly PlanLessonType[]
}

/** The lessons that a student asks for in an ISO week. */
export type PlanAsk = {
  readonly student_id: string
  /** The number of lessons, without those that are booked. */
  readonly lessons: number
  readonly booked: number
  /** The weeks since the student's last lesson. */
  readonly waited_weeks: number
  /** Whether a practical test is near. */
  readonly has_exam: boolean
  readonly windows: readonly PlanWindow[]
}

/** A lesson that stays in the plan. Its window is one of the ask, unless it was moved out of all of them. */
export type LockedLesson = {
  readonly ask: PlanAsk
  readonly window: PlanWindow
  readonly type: PlanLessonType
  readonly instructor: PlanInstructor
  readonly time: CountedAppointment
}

/** A school as a plan sees it. The calendars are complete over the planned days and their surroundings. */
export type PlanProblem = {
  readonly asks: readonly PlanAsk[]
  readonly locked: readonly LockedLesson[]
  readonly calendars: CalendarSource
  readonly timezone: string
  /** The school's hours of darkness; undefined if its place is unknown. */
  readonly darkness: Darkness | undefined
  /** The minutes of the school's shortest common lesson. */
  readonly shortest_minutes: number
  readonly travelTimes: readonly TravelTimes[]
  /** The location of each booked lesson that has one, by the lesson's id. */
  readonly locations: ReadonlyMap<string, string>
  readonly weights: PlanWeights
  readonly with_overrides: boolean
}

/** A lesson that is proposed or could be. */
export type Choice = Timed<CountedAppointment> & {
  readonly ask: PlanAsk
  readonly window: PlanWindow
  readonly type: PlanLessonType
  readonly instructor: PlanInstructor
  readonly agenda: TimedAgenda
  /** The calendars of all that it occupies, the instructor's first. */
  readonly calendars: readonly PlanCalendar[]
}

/** A lesson that a student asks for, the starts that are free without the plan, and the one that is proposed. */
export type AskedLesson = {
  readonly ask: PlanAsk
  readonly nth: number
  readonly choices: readonly Choice[]
  /** Whether the starts are only some of those that are free. */
  readonly is_sample: boolean
  readonly is_locked: boolean
  taken: Choice | undefined
}

export type PlanLesson = TimedAppointment | Choice

/** The lessons of a person or thing by start, booked and proposed ones. */
export type PlanCalendar = PlanLesson[]

/** Returns the branch from which a lesson begins. */
export function placeOf(lesson: PlanLesson, { locations }: Pick<PlanProblem, 'locations'>): string | null {
  return isProposed(lesson) ? lesson.instructor.location_id : (locations.get(lesson.source.id) ?? null)
}

export function isProposed(lesson: PlanLesson | undefined): lesson is Choice {
  return lesson !== undefined && 'ask' in lesson
}
