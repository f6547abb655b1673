import type { LessonType } from '../../../contract/lesson-type.ts'
import { isLocalDate } from '../../../domain/local-time.ts'
import type { School } from '../../ui/school.tsx'
import { type Context, firstPlaceFor } from './first-place.ts'
import { type BookingStart, type LessonForm, withType } from './form.ts'

/** The fields that a person has filled in: nothing else is ever put into them. */
export type ByHand = { readonly [Field in keyof LessonForm]?: true | undefined }

/** The data from which a booking is filled in. */
export type Known = {
  readonly school: School
  /** The form as it was opened. */
  readonly opened: LessonForm
  /** The type that the student's class demands next; none where it demands nothing, or nobody knows yet. */
  readonly next: LessonType | undefined
  /** The length of such a lesson; undefined for the default of its type. */
  readonly minutes?: number | undefined
  /** Without it time and instructor are left alone: a search has them in hand. */
  readonly context: Context | undefined
}

/**
 * Returns the fields that a click or a drawn time has set: a click into a column its instructor and start, a drawn time its length
 * too.
 */
export function byHandAt({ start_at, end_at, instructor_id }: BookingStart): ByHand {
  if (start_at === undefined) return {}
  return {
    date: true,
    start: true,
    ...(instructor_id !== undefined && { instructor_id: true }),
    ...(end_at !== undefined && { minutes: true }),
  }
}

/** The fields in which a form differs from the one before. */
export function touchedIn(next: LessonForm, before: LessonForm): ByHand {
  const fields = Object.keys(next) as (keyof LessonForm)[]
  return Object.fromEntries(
    fields.filter((field) => next[field] !== before[field]).map((field) => [field, true]),
  )
}

/** Whether others follow from one of the fields. */
export function leadsOn({ student_id, instructor_id, lesson_type_id, date }: ByHand): boolean {
  return [student_id, instructor_id, lesson_type_id, date].includes(true)
}

/**
 * The form with all that follows from its student: the type that is due, its length, the preferred instructor with the usual
 * vehicle, the next time.
 */
export function filledIn(form: LessonForm, byHand: ByHand, known: Known): LessonForm {
  const filled = withoutVehicle(form, byHand, known)
  const usual = known.school.instructor.get(filled.instructor_id)?.usual_vehicle_id
  const vehicle = known.school.vehicle.get(usual ?? '')
  const vehicle_ids = vehicle?.active ? [vehicle.id] : []
  const isSame = vehicle_ids.join() === filled.vehicle_ids.join()
  return byHand.vehicle_ids || isSame ? filled : { ...filled, vehicle_ids }
}

function withoutVehicle(
  form: LessonForm,
  byHand: ByHand,
  { school, opened, next, minutes, context }: Known,
): LessonForm {
  const pickup_place = byHand.pickup_place ? form.pickup_place : placeFor(form, opened, school)
  const due = withDueType(
    { ...form, pickup_place },
    byHand,
    next ?? school.lessonType.get(opened.lesson_type_id),
    school,
  )
  const isLengthDue = minutes !== undefined && !byHand.minutes && due.lesson_type_id === next?.id
  const typed = isLengthDue ? { ...due, minutes } : due
  if (!context) return typed
  const instructor_id = byHand.instructor_id
    ? typed.instructor_id
    : (preferredBy(form.student_id, school) ?? opened.instructor_id)
  const held = { ...typed, instructor_id, ...(!byHand.date && { date: opened.date }) }
  if (byHand.start || !isLocalDate(held.date) || held.minutes < 1) return held
  const place = firstPlaceFor(held, context)
  // A day that somebody has chosen stays.
  return byHand.date && place.date !== held.date ? held : { ...held, ...place }
}

/** Returns the place of the lesson that is copied, or else where its student's lessons usually begin. */
function placeFor({ student_id }: LessonForm, opened: LessonForm, { student }: School): string {
  const isCopied = opened.student_id === student_id && opened.pickup_place !== ''
  return isCopied ? opened.pickup_place : (student.get(student_id ?? '')?.pickup_place ?? '')
}

/** Returns the student's preferred instructor, if bookings with them are possible. */
export function preferredBy(student_id: string | null, { student, instructor }: School): string | undefined {
  const preferred = instructor.get(student.get(student_id ?? '')?.preferred_instructor_id ?? '')
  return preferred?.active ? preferred.id : undefined
}

function withDueType(
  form: LessonForm,
  byHand: ByHand,
  due: LessonType | undefined,
  school: School,
): LessonForm {
  if (byHand.lesson_type_id || !due || due.id === form.lesson_type_id) return form
  const typed = withType(form, due, school.lessonType.get(form.lesson_type_id))
  return byHand.minutes ? { ...typed, minutes: form.minutes } : typed
}
