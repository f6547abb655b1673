import type { HolidayCalendar } from './agenda.ts'
import { firstHolidayIn } from './closed-days.ts'
import type { Darkness } from './daylight.ts'
import { intervalOf } from './interval.ts'
import { type LocalDate, type LocalDateTime, localDateTimeFor, monthsLater } from './local-time.ts'
import {
  allLessonsOf,
  isCovered,
  type LessonCount,
  lessonsFor,
  progressIn,
  type Requirement,
} from './progress.ts'
import type { MissingTravelTime } from './travel.ts'
import { suitsClass } from './vehicles.ts'

/** A fact to know before booking. It breaks no rule. */
export type Warning =
  | { readonly code: 'in_the_past'; readonly params: { readonly now: LocalDateTime } }
  | { readonly code: 'far_ahead'; readonly params: { readonly now: LocalDateTime } }
  | { readonly code: 'no_student'; readonly params: { readonly lesson_type_id: string } }
  | {
      readonly code: 'class_not_taught'
      readonly params: { readonly license_class: string; readonly license_classes: readonly string[] }
    }
  | {
      readonly code: 'not_required'
      readonly params: { readonly lesson_type_id: string; readonly license_class_template_id: string }
    }
  | {
      readonly code: 'requirement_already_met'
      readonly params: {
        readonly lesson_type_id: string
        readonly required_units: number
        readonly done_units: number
        readonly planned_units: number
      }
    }
  | { readonly code: 'public_holiday'; readonly params: { readonly date: LocalDate; readonly name: string } }
  | {
      readonly code: 'not_dark'
      readonly params: {
        readonly lesson_type_id: string
        readonly dark_from: LocalDateTime | null
        readonly dark_until: LocalDateTime | null
      }
    }
  | {
      readonly code: 'vehicle_not_fitting'
      readonly params: {
        readonly vehicle_id: string
        readonly license_class: string
        readonly license_classes: readonly string[]
      }
    }
  | {
      readonly code: 'too_far'
      readonly params: MissingTravelTime
    }

export type Learning = {
  readonly license_class_template_id: string | null
  readonly license_class: string | null
  /** The template's requirement for the lesson type. */
  readonly requirement: Requirement | null
  /** The student's other lessons that count toward it. */
  readonly lessons: readonly LessonCount[]
  readonly opening: readonly LessonCount[]
}

/** The properties of a lesson type that warnings depend on. */
export type ConsideredType = {
  readonly id: string
  readonly category: string
  readonly needs_student: boolean
  readonly only_in_the_dark: boolean
}

export type WarningSubject = {
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
  /** Null for no student; undefined if a search has not named one yet. */
  readonly student_id: string | null | undefined
  /** The classes that the instructor teaches. */
  readonly license_classes: readonly string[]
  /** Undefined if only a length is known. */
  readonly lesson_type: ConsideredType | undefined
  /** Undefined without a student. */
  readonly learning: Learning | undefined
  /** The vehicles, with the classes that each suits. */
  readonly vehicles?: readonly { readonly id: string; readonly license_classes: readonly string[] }[]
  /** A neighbouring lesson of the instructor that is too far away. */
  readonly missingTravelTime?: MissingTravelTime | undefined
}

/** The school's time and unit, and its sky if its place is known. */
type Circumstances = {
  readonly now: LocalDateTime
  readonly unit_minutes: number
  readonly sky: Darkness | undefined
  /** Set if the school warns of public holidays. */
  readonly holidayOn?: HolidayCalendar | undefined
}

/** The months ahead beyond which a start is more likely a slip than a plan. */
const FAR_MONTHS = 9

export function warningsFor(
  considered: WarningSubject,
  { now, unit_minutes, sky, holidayOn }: Circumstances,
): readonly Warning[] {
  return [
    pastWarningFor(considered, now),
    farWarningFor(considered, now),
    studentWarningFor(considered),
    classWarningFor(considered),
    unrequiredWarningFor(considered),
    metWarningFor(considered, unit_minutes),
    lightWarningFor(considered, sky),
    holidayWarningFor(considered, holidayOn),
    ...vehicleWarningsFor(considered),
    considered.missingTravelTime && ({ code: 'too_far', params: considered.missingTravelTime } as const),
  ].filter((warning) => warning !== undefined)
}

function vehicleWarningsFor({ learning, vehicles = [] }: WarningSubject): readonly Warning[] {
  const license_class = learning?.license_class ?? null
  return vehicles.flatMap(({ id: vehicle_id, license_classes }) =>
    license_class === null || suitsClass(license_classes, license_class)
      ? []
      : [{ code: 'vehicle_not_fitting', params: { vehicle_id, license_class, license_classes } } as const],
  )
}

/** Whether the instructor teaches the student's class; true without a class. */
export function teachesClassOf(
  license_classes: readonly string[],
  learning: Pick<Learning, 'license_class'> | undefined,
): boolean {
  return learning === undefined || learning.license_class === null
    ? true
    : license_classes.includes(learning.license_class)
}

function pastWarningFor({ start_at }: WarningSubject, now: LocalDateTime): Warning | undefined {
  return start_at < now ? { code: 'in_the_past', params: { now } } : undefined
}

function farWarningFor({ start_at }: WarningSubject, now: LocalDateTime): Warning | undefined {
  return start_at > monthsLater(now, FAR_MONTHS) ? { code: 'far_ahead', params: { now } } : undefined
}

function studentWarningFor({ lesson_type, student_id }: WarningSubject): Warning | undefined {
  if (student_id !== null || !lesson_type?.needs_student) return undefined
  return { code: 'no_student', params: { lesson_type_id: lesson_type.id } }
}

function lightWarningFor(
  { lesson_type, ...times }: WarningSubject,
  sky: Darkness | undefined,
): Warning | undefined {
  if (!sky || !lesson_type?.only_in_the_dark) return undefined
  const interval = intervalOf(times)
  if (sky.isDark(interval)) return undefined
  const night = sky.nightFrom(interval.start)
  const dark_from = night ? localDateTimeFor(night.start) : null
  const dark_until = night ? localDateTimeFor(night.end) : null
  return { code: 'not_dark', params: { lesson_type_id: lesson_type.id, dark_from, dark_until } }
}

function holidayWarningFor(
  times: WarningSubject,
  holidayOn: HolidayCalendar | undefined,
): Warning | undefined {
  const holiday = holidayOn && firstHolidayIn(intervalOf(times), holidayOn)
  return holiday && { code: 'public_holiday', params: { date: holiday.date, name: holiday.name } }
}

function classWarningFor({ license_classes, learning }: WarningSubject): Warning | undefined {
  const license_class = learning?.license_class ?? null
  if (license_class === null || teachesClassOf(license_classes, learning)) return undefined
  return { code: 'class_not_taught', params: { license_class, license_classes } }
}

/** Whether a class includes a lesson type. `practical` lessons belong to all, although no class requires a number of them. */
export function belongsToClass(
  { category }: { readonly category: string },
  requirement: object | null | undefined,
): boolean {
  return category === 'practical' || Boolean(requirement)
}

function unrequiredWarningFor({ lesson_type, learning }: WarningSubject): Warning | undefined {
  const license_class_template_id = learning?.license_class_template_id ?? null
  if (!lesson_type || license_class_template_id === null) return undefined
  if (belongsToClass(lesson_type, learning?.requirement)) return undefined
  return { code: 'not_required', params: { lesson_type_id: lesson_type.id, license_class_template_id } }
}

function metWarningFor({ learning }: WarningSubject, unitMinutes: number): Warning | undefined {
  if (!learning?.requirement) return undefined
  const lessons = lessonsFor(learning.license_class, allLessonsOf(learning))
  if (!isCovered(learning.requirement, lessons, unitMinutes)) return undefined
  const progress = progressIn(learning.requirement, lessons, unitMinutes)
  const { lesson_type_id, required_units, done_units, planned_units } = progress
  const params = { lesson_type_id, required_units, done_units, planned_units }
  return { code: 'requirement_already_met', params }
}
