import type { LessonType } from '../../contract/lesson-type.ts'
import { isLocalDate } from '../../domain/local-time.ts'
import type { School } from '../ui/school.tsx'
import { type FillContext, firstPlaceFor } from './first-place.ts'
import { type BookingStart, type LessonForm, withType, withVehicles } from './form.ts'

/** The fields filled in by hand, which are never overwritten. */
export type ByHand = { readonly [Field in keyof LessonForm]?: true | undefined }

/** The data from which a form is filled in. */
export type FillingContext = {
  readonly school: School
  /** The form as it was opened. */
  readonly opened: LessonForm
  /** The lesson type to propose; undefined if none is due or it is not known yet. */
  readonly next: LessonType | undefined
  /** The length to propose; undefined for the type's default. */
  readonly minutes?: number | undefined
  /** Undefined if the search chooses time and instructor. */
  readonly context: FillContext | undefined
}

/** Returns the fields set by a click (start or instructor), a drawn time (also the length) or an offered exam (also the type). */
export function byHandAt({ start_at, end_at, instructor_id, lesson_type_id }: BookingStart): ByHand {
  if (start_at === undefined) return {}
  return {
    ...(lesson_type_id !== undefined && { lesson_type_id: true }),
    date: true,
    start: true,
    ...(instructor_id !== undefined && { instructor_id: true }),
    ...(end_at !== undefined && { minutes: true }),
  }
}

/** Whether an edited lesson has another length than its type's, which somebody has chosen. */
export function isOwnLength(
  { editing }: BookingStart,
  opened: LessonForm,
  { lessonType }: Pick<School, 'lessonType'>,
): boolean {
  return editing !== undefined && opened.minutes !== lessonType.get(opened.lesson_type_id)?.default_minutes
}

/** Applies a chosen type. A length that was drawn or typed stays; the first type returns with the length it had. */
export function withChosenType(
  form: LessonForm,
  type: LessonType,
  byHand: ByHand,
  { opened }: Pick<FillingContext, 'opened'>,
): LessonForm {
  const typed = withType(form, type)
  if (byHand.minutes) return { ...typed, minutes: form.minutes }
  return type.id === opened.lesson_type_id ? { ...typed, minutes: opened.minutes } : typed
}

/** Returns the fields in which a form differs from an earlier one. */
export function touchedIn(next: LessonForm, before: LessonForm): ByHand {
  const fields = Object.keys(next) as (keyof LessonForm)[]
  return Object.fromEntries(
    fields.filter((field) => next[field] !== before[field]).map((field) => [field, true]),
  )
}

export function determinesOthers({ student_id, instructor_id, lesson_type_id, date }: ByHand): boolean {
  return [student_id, instructor_id, lesson_type_id, date].includes(true)
}

/** Fills in the student's pickup place, due type with its length, preferred instructor and next time, and the usual vehicles. */
export function filledIn(
  form: LessonForm,
  byHand: ByHand,
  { school, opened, next, minutes, context }: FillingContext,
): LessonForm {
  const pickup_place = byHand.pickup_place ? form.pickup_place : placeFor(form, opened, school)
  const due = withDueType(
    { ...form, pickup_place },
    byHand,
    next ?? school.lessonType.get(opened.lesson_type_id),
  )
  const isLengthDue = minutes !== undefined && !byHand.minutes && due.lesson_type_id === next?.id
  const typed = isLengthDue ? { ...due, minutes } : due
  if (!context) return withVehicles(form, typed, school)
  const instructor_id = byHand.instructor_id
    ? typed.instructor_id
    : (preferredBy(form.student_id, school) ?? opened.instructor_id)
  const placed = { ...typed, instructor_id, ...(!byHand.date && { date: opened.date }) }
  const held = withVehicles(form, placed, school)
  if (byHand.start || !isLocalDate(held.date) || held.minutes < 1) return held
  const place = firstPlaceFor(held, context)
  // Keeps a day that was chosen by hand, and the time on a full day.
  return !place || (byHand.date && place.date !== held.date) ? held : { ...held, ...place }
}

/** Returns the copied lesson's pickup place, or else the student's usual one. */
function placeFor({ student_id }: LessonForm, opened: LessonForm, { student }: School): string {
  const isCopied = opened.student_id === student_id && opened.pickup_place !== ''
  return isCopied ? opened.pickup_place : (student.get(student_id ?? '')?.pickup_place ?? '')
}

/** Returns the student's preferred instructor if they can be booked. */
export function preferredBy(student_id: string | null, { student, instructor }: School): string | undefined {
  const preferred = instructor.get(student.get(student_id ?? '')?.preferred_instructor_id ?? '')
  return preferred?.active ? preferred.id : undefined
}

function withDueType(form: LessonForm, byHand: ByHand, due: LessonType | undefined): LessonForm {
  if (byHand.lesson_type_id || !due || due.id === form.lesson_type_id) return form
  const typed = withType(form, due)
  return byHand.minutes ? { ...typed, minutes: form.minutes } : typed
}
