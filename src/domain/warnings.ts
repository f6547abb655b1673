import { intervalOf, minutesOf } from './interval.ts'
import type { LocalDateTime } from './local-time.ts'
import { wholeUnitsOf } from './units.ts'

/** What a person should know before booking, and what is behind it. The rules do not mind. */
export type Warning =
  | { readonly code: 'in_the_past'; readonly params: { readonly now: LocalDateTime } }
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

/** Of a lesson type: how many units a class asks for, and how long one of the lessons must be at least. */
export type Requirement = {
  readonly required_units: number
  readonly min_one_block_units: number | null
}

/** A lesson that the student has had or will have. */
export type AttendedLesson = {
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
  readonly status: 'completed' | 'planned'
}

/** What is known of the student and the lesson type that is asked for. */
export type Learning = {
  readonly license_class_template_id: string | null
  /** The class of the template. */
  readonly license_class: string | null
  /** What the template asks of the lesson type, if it does. */
  readonly requirement: Requirement | null
  /** The student's other lessons of that type. */
  readonly attended: readonly AttendedLesson[]
}

/** A lesson that might be booked. */
export type Considered = {
  readonly start_at: LocalDateTime
  /** The instructor's. */
  readonly license_classes: readonly string[]
  /** None where only a length is known. */
  readonly lesson_type: { readonly id: string; readonly category: string } | undefined
  /** None without a student. */
  readonly learning: Learning | undefined
}

/** The clock of the school, and its unit. */
type Circumstances = { readonly now: LocalDateTime; readonly unit_minutes: number }

/** Everything that a person should know of the lesson, in a fixed order. */
export function warningsFor(
  considered: Considered,
  { now, unit_minutes }: Circumstances,
): readonly Warning[] {
  return [
    pastWarningFor(considered, now),
    classWarningFor(considered),
    unrequiredWarningFor(considered),
    metWarningFor(considered, unit_minutes),
  ].filter((warning) => warning !== undefined)
}

/** Whether the instructor teaches the class of the student's template; anybody does where there is none. */
export function teachesClassOf(
  license_classes: readonly string[],
  learning: Pick<Learning, 'license_class'> | undefined,
): boolean {
  return learning === undefined || learning.license_class === null
    ? true
    : license_classes.includes(learning.license_class)
}

function pastWarningFor({ start_at }: Considered, now: LocalDateTime): Warning | undefined {
  return start_at < now ? { code: 'in_the_past', params: { now } } : undefined
}

function classWarningFor({ license_classes, learning }: Considered): Warning | undefined {
  const license_class = learning?.license_class ?? null
  if (license_class === null || teachesClassOf(license_classes, learning)) return undefined
  return { code: 'class_not_taught', params: { license_class, license_classes } }
}

/** Free practice has the category `practical`: a class asks for no number of it, and nobody passes without. */
function unrequiredWarningFor({ lesson_type, learning }: Considered): Warning | undefined {
  const license_class_template_id = learning?.license_class_template_id ?? null
  if (!lesson_type || lesson_type.category === 'practical') return undefined
  if (license_class_template_id === null || learning?.requirement) return undefined
  return { code: 'not_required', params: { lesson_type_id: lesson_type.id, license_class_template_id } }
}

function metWarningFor({ lesson_type, learning }: Considered, unitMinutes: number): Warning | undefined {
  if (!lesson_type || !learning?.requirement) return undefined
  const { required_units, min_one_block_units } = learning.requirement
  const done_units = attendedUnitsIn(learning.attended, 'completed', unitMinutes)
  const planned_units = attendedUnitsIn(learning.attended, 'planned', unitMinutes)
  const longest = Math.max(0, ...learning.attended.map((lesson) => unitsIn(lesson, unitMinutes)))
  if (done_units + planned_units < required_units || longest < (min_one_block_units ?? 0)) return undefined
  const params = { lesson_type_id: lesson_type.id, required_units, done_units, planned_units }
  return { code: 'requirement_already_met', params }
}

/** The law counts whole units of each lesson: half a unit more here and there makes no lesson. */
function attendedUnitsIn(
  attended: readonly AttendedLesson[],
  status: AttendedLesson['status'],
  unitMinutes: number,
): number {
  return attended
    .filter((lesson) => lesson.status === status)
    .reduce((sum, lesson) => sum + unitsIn(lesson, unitMinutes), 0)
}

function unitsIn(lesson: AttendedLesson, unitMinutes: number): number {
  return wholeUnitsOf(minutesOf(intervalOf(lesson)), unitMinutes)
}
