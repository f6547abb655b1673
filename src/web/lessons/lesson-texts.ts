import type { TFunction } from 'i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { intervalOf, minutesOf } from '../../domain/interval.ts'
import { dateOf, type LocalDateTime, timeOf } from '../../domain/local-time.ts'
import { ownTitle, shownTitle } from '../../domain/own-title.ts'
import { type WorkedLesson, workedMinutesOf } from '../../domain/worked.ts'
import { nameOf, type School, studentName } from '../ui/school.tsx'

type Titled = Pick<Appointment, 'lesson_type_id' | 'title'>

/** Returns a lesson's title if it is not merely a name of its type. */
export function ownTitleOf({ lesson_type_id, title }: Titled, { lessonType }: School): string | undefined {
  return ownTitle(title, lessonType.get(lesson_type_id))
}

/** Returns a lesson's title, or the present name of its type if it has no title of its own. */
export function titleOf({ lesson_type_id, title }: Titled, { lessonType }: School): string {
  return shownTitle(title, lessonType.get(lesson_type_id))
}

/** Returns the name of the lesson's student, or its title if it has none. */
export function studentNameOf(
  lesson: Pick<Appointment, 'student_id'> & Titled,
  school: School,
  t: TFunction,
): string {
  const { student_id } = lesson
  if (student_id === null) return titleOf(lesson, school)
  const found = school.student.get(student_id)
  return found ? studentName(found, school) : t('lesson.gone')
}

/** Returns the time as "Mon, 23 Nov, 08:00–09:30", with the year unless it is the current one. */
export function whenText(
  { start_at, end_at }: { readonly start_at: LocalDateTime; readonly end_at: LocalDateTime },
  { format }: School,
): string {
  return `${format.day(dateOf(start_at))}, ${timeOf(start_at)}–${timeOf(end_at)}`
}

/** Returns a lesson's student and time. */
export function lessonText(
  lesson: Pick<Appointment, 'student_id' | 'start_at' | 'end_at'> & Titled,
  school: School,
  t: TFunction,
): string {
  return `${studentNameOf(lesson, school, t)}, ${whenText(lesson, school)}`
}

/** Returns the worked time, by actual times if they are known; undefined if no lesson is done. */
export function workedText(
  lessons: readonly WorkedLesson[],
  { format, tenant }: Pick<School, 'format' | 'tenant'>,
  t: TFunction,
): string | undefined {
  const minutes = workedMinutesOf(lessons, tenant.timezone)
  return minutes === 0 ? undefined : t('lesson.worked', { time: format.duration(minutes) })
}

export type LessonStepKind = 'moved' | 'resized' | 'cancelled' | 'changed'

type Reader = { readonly school: School; readonly t: TFunction }

/** Returns the label after "Undo:"; for a move, with the new time and instructor. */
export function stepText(
  kind: LessonStepKind | 'booked' | 'deleted',
  lesson: Appointment,
  { school, t }: Reader,
  before = lesson,
): string {
  const who = studentNameOf(lesson, school, t)
  const what = `${who}, ${school.format.day(dateOf(lesson.start_at))}, ${timeOf(lesson.start_at)}`
  switch (kind) {
    case 'moved':
      return t('step.moved', { who, place: newPlaceText(before, lesson, school) })
    case 'resized':
      return t('step.resized', { what, minutes: minutesOf(intervalOf(lesson)) })
    default:
      return t(`step.${kind}`, { what })
  }
}

/** Returns a lesson's new time, with instructor, vehicles and day if they have changed. */
function newPlaceText(before: Appointment, lesson: Appointment, school: School): string {
  const { instructor_id, start_at } = lesson
  const instructor = school.instructor.get(instructor_id)
  const parts = [
    ...(instructor && instructor_id !== before.instructor_id ? [nameOf(instructor)] : []),
    ...newVehicleNames(before, lesson.vehicle_ids, school),
    ...(dateOf(start_at) === dateOf(before.start_at) ? [] : [school.format.day(dateOf(start_at))]),
    timeOf(start_at),
  ]
  return parts.join(', ')
}

/** Returns the names of a lesson's vehicles if they have changed. */
export function newVehicleNames(
  before: Pick<Appointment, 'vehicle_ids'>,
  vehicle_ids: readonly string[],
  { vehicle }: Pick<School, 'vehicle'>,
): readonly string[] {
  if (vehicle_ids.join() === before.vehicle_ids.join()) return []
  return vehicle_ids.flatMap((id) => vehicle.get(id)?.name ?? [])
}
