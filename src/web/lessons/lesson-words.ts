import type { TFunction } from 'i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { dateOf, type LocalDateTime, timeOf } from '../../domain/local-time.ts'
import { type Worked, workedMinutesOf } from '../../domain/worked.ts'
import { nameOf, type School } from '../ui/school.tsx'

/** Returns the name of the lesson's student, or its title if it has none. */
export function studentNameOf(
  { student_id, title }: Pick<Appointment, 'student_id' | 'title'>,
  { student }: School,
  t: TFunction,
): string {
  if (student_id === null) return title
  const found = student.get(student_id)
  return found ? nameOf(found) : t('lesson.gone')
}

/** Mon, 23 Nov, 08:00–09:30; with the year unless it is this one. */
export function whenWords(
  { start_at, end_at }: { readonly start_at: LocalDateTime; readonly end_at: LocalDateTime },
  { format }: School,
): string {
  return `${format.day(dateOf(start_at))}, ${timeOf(start_at)}–${timeOf(end_at)}`
}

/** Which lesson is spoken of: with whom, and when. */
export function lessonWords(
  lesson: Pick<Appointment, 'student_id' | 'title' | 'start_at' | 'end_at'>,
  school: School,
  t: TFunction,
): string {
  return `${studentNameOf(lesson, school, t)}, ${whenWords(lesson, school)}`
}

/** Returns the time worked in these lessons, by actual times if they are known; undefined if none is done. */
export function workedWords(
  lessons: readonly Worked[],
  format: School['format'],
  t: TFunction,
): string | undefined {
  const minutes = workedMinutesOf(lessons)
  return minutes === 0 ? undefined : t('lesson.worked', { time: format.duration(minutes) })
}
