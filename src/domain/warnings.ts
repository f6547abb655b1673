import type { BusyTime, HolidayCalendar } from './agenda.ts'
import { firstHolidayIn } from './closed-days.ts'
import type { Darkness } from './daylight.ts'
import { covers, type LessonEnrolment } from './enrolments.ts'
import { type ExamLaw, type ExamWarning, examWarningsFor, type LearnerPapers } from './exam-warnings.ts'
import { intervalOf } from './interval.ts'
import type { DrivenType } from './lesson-vehicles.ts'
import { dateOf, type LocalDate, type LocalDateTime, localDateTimeFor, monthsLater } from './local-time.ts'
import { allLessonsOf, isCovered, type LessonCount, lessonsFor, progressIn } from './progress.ts'
import { isExam } from './readiness.ts'
import { type Requirement, requiredUnits } from './requirements.ts'
import type { SignedWarning } from './signatures.ts'
import type { MissingTravelTime } from './travel.ts'
import { type PlannedVehicle, type VehicleWarning, vehicleWarningsFor } from './vehicle-warnings.ts'

/** A fact to know before booking. It breaks no rule. */
export type Warning =
  | { readonly code: 'in_the_past'; readonly params: { readonly now: LocalDateTime } }
  | { readonly code: 'far_ahead'; readonly params: { readonly now: LocalDateTime } }
  | { readonly code: 'no_student'; readonly params: { readonly lesson_type_id: string } }
  | { readonly code: 'no_enrolment'; readonly params: Readonly<Record<string, never>> }
  | {
      readonly code: 'outside_enrolment'
      readonly params: Pick<LessonEnrolment, 'begins_on' | 'ends_on'> & { readonly enrolment_id: string }
    }
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
  | {
      readonly code: 'already_passed'
      readonly params: { readonly lesson_type_id: string; readonly date: LocalDate }
    }
  | ExamWarning
  | { readonly code: 'public_holiday'; readonly params: { readonly date: LocalDate; readonly name: string } }
  | {
      readonly code: 'not_dark'
      readonly params: {
        readonly lesson_type_id: string
        readonly dark_from: LocalDateTime | null
        readonly dark_until: LocalDateTime | null
      }
    }
  | VehicleWarning
  | {
      readonly code: 'too_far'
      readonly params: MissingTravelTime
    }
  | {
      readonly code: 'instructor_busy_elsewhere'
      readonly params: BusyTime
    }
  | SignedWarning

type PassedTest = { readonly passed_on?: LocalDate | null }

export type Learning = {
  readonly license_class_template_id: string | null
  readonly license_class_template_code: string | null
  readonly license_class: string | null
  /** The classes that the student holds; null if they are unknown. */
  readonly prior_classes?: readonly string[] | null
  /** The template's requirement for the lesson type. */
  readonly requirement: Requirement | null
  /** The student's other lessons that count toward it. */
  readonly lessons: readonly (LessonCount & PassedTest)[]
  readonly opening: readonly LessonCount[]
  readonly birth_date: LocalDate | null
  readonly min_age: number | null
  /** The papers for an exam; undefined for another lesson, or if they are not known. */
  readonly papers?: LearnerPapers | undefined
}

/** The properties of a lesson type that warnings depend on. */
export type ConsideredType = {
  readonly id: string
  readonly needs_student: boolean
  readonly only_in_the_dark: boolean
} & DrivenType

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
  /** The enrolment that the lesson counts toward; undefined if it is unknown, or without a student. */
  readonly enrolment?: LessonEnrolment | null | undefined
  /** The vehicles; undefined if none is planned, because the school has none or a search does not name any. */
  readonly vehicles?: readonly PlannedVehicle[] | undefined
  /** The time in which the instructor is busy elsewhere, if the school warns of it. */
  readonly busyTime?: BusyTime | undefined
  /** A neighbouring lesson of the instructor that is too far away. */
  readonly missingTravelTime?: MissingTravelTime | undefined
}

/** The school's time and unit, and its darkness if its place is known. */
type Circumstances = {
  readonly now: LocalDateTime
  readonly unit_minutes: number
  readonly darkness: Darkness | undefined
  readonly examLaw: ExamLaw | undefined
  /** Set if the school warns of public holidays. */
  readonly holidayOn?: HolidayCalendar | undefined
}

/** The months ahead beyond which a start is more likely a slip than a plan. */
const FAR_MONTHS = 9

export function warningsFor(
  considered: WarningSubject,
  { now, unit_minutes, darkness, examLaw, holidayOn }: Circumstances,
): readonly Warning[] {
  return [
    pastWarningFor(considered, now),
    farWarningFor(considered, now),
    studentWarningFor(considered),
    enrolmentWarningFor(considered),
    classWarningFor(considered),
    unrequiredWarningFor(considered),
    metWarningFor(considered, unit_minutes),
    passedWarningFor(considered),
    ...examWarnings(considered, examLaw),
    lightWarningFor(considered, darkness),
    holidayWarningFor(considered, holidayOn),
    busyWarningFor(considered),
    ...vehicleWarningsFor(considered),
    considered.missingTravelTime && ({ code: 'too_far', params: considered.missingTravelTime } as const),
  ].filter((warning) => warning !== undefined)
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

function enrolmentWarningFor({ enrolment, start_at }: WarningSubject): Warning | undefined {
  if (enrolment === null) return { code: 'no_enrolment', params: {} }
  if (!enrolment || covers(enrolment, dateOf(start_at))) return undefined
  const { id: enrolment_id, begins_on, ends_on } = enrolment
  return { code: 'outside_enrolment', params: { enrolment_id, begins_on, ends_on } }
}

function lightWarningFor(
  { lesson_type, ...times }: WarningSubject,
  darkness: Darkness | undefined,
): Warning | undefined {
  if (!darkness || !lesson_type?.only_in_the_dark) return undefined
  const interval = intervalOf(times)
  if (darkness.isDark(interval)) return undefined
  const night = darkness.nightFrom(interval.start)
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

function busyWarningFor({ busyTime }: WarningSubject): Warning | undefined {
  if (!busyTime) return undefined
  const { start_at, end_at } = busyTime
  return { code: 'instructor_busy_elsewhere', params: { start_at, end_at } }
}

function classWarningFor({ license_classes, learning }: WarningSubject): Warning | undefined {
  const license_class = learning?.license_class ?? null
  if (license_class === null || teachesClassOf(license_classes, learning)) return undefined
  return { code: 'class_not_taught', params: { license_class, license_classes } }
}

/** Whether a class includes a lesson type. `practical` lessons and exams belong to all, although no class requires a number of them. */
export function belongsToClass(
  { category }: { readonly category: string },
  requirement: object | null | undefined,
): boolean {
  return category === 'practical' || isExam(category) || Boolean(requirement)
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
  const needed = requiredUnits(learning.requirement, learning.prior_classes ?? null)
  const requirement = { ...learning.requirement, required_units: needed }
  if (!isCovered(requirement, lessons, unitMinutes)) return undefined
  const progress = progressIn(requirement, lessons, unitMinutes)
  const { lesson_type_id, required_units, done_units, planned_units } = progress
  const params = { lesson_type_id, required_units, done_units, planned_units }
  return { code: 'requirement_already_met', params }
}

function passedWarningFor({ lesson_type, learning }: WarningSubject): Warning | undefined {
  if (!lesson_type || !learning || !isExam(lesson_type.category)) return undefined
  const passed = lessonsFor(learning.license_class, learning.lessons)
    .filter((one) => one.lesson_type_id === lesson_type.id && one.status !== 'cancelled')
    .flatMap(({ passed_on }) => passed_on ?? [])
    .toSorted()
  const [date] = passed
  return date === undefined
    ? undefined
    : { code: 'already_passed', params: { lesson_type_id: lesson_type.id, date } }
}

function examWarnings(
  { lesson_type, learning, start_at }: WarningSubject,
  law: ExamLaw | undefined,
): readonly ExamWarning[] {
  if (!lesson_type || !learning || !law || !isExam(lesson_type.category)) return []
  return examWarningsFor({ category: lesson_type.category, start_at }, learning, law)
}
