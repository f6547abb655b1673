import type { TFunction } from 'i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { intervalOf, minutesOf } from '../../domain/interval.ts'
import { dateOf, timeOf } from '../../domain/local-time.ts'
import { nameOf, type School } from '../ui/school.tsx'
import { studentNameOf } from './lesson-words.ts'

/** The way in which a lesson was changed. */
export type Change = 'moved' | 'resized' | 'cancelled' | 'changed'

type Reader = { readonly school: School; readonly t: TFunction }

/** Returns the words that follow "Undo:"; for a move also where the lesson was. */
export function stepWords(
  kind: Change | 'booked' | 'deleted',
  lesson: Appointment,
  { school, t }: Reader,
  before = lesson,
): string {
  const who = studentNameOf(lesson, school, t)
  const what = `${who}, ${school.format.day(dateOf(lesson.start_at))}, ${timeOf(lesson.start_at)}`
  switch (kind) {
    case 'moved':
      return t('step.moved', { who, place: newPlaceWords(before, lesson, school) })
    case 'resized':
      return t('step.resized', { what, minutes: minutesOf(intervalOf(lesson)) })
    default:
      return t(`step.${kind}`, { what })
  }
}

/** Returns the new place of a lesson: the time, and the instructor and the day if they have changed. */
function newPlaceWords(
  before: Appointment,
  { instructor_id, start_at }: Appointment,
  school: School,
): string {
  const instructor = school.instructor.get(instructor_id)
  const words = [
    ...(instructor && instructor_id !== before.instructor_id ? [nameOf(instructor)] : []),
    ...(dateOf(start_at) === dateOf(before.start_at) ? [] : [school.format.day(dateOf(start_at))]),
    timeOf(start_at),
  ]
  return words.join(', ')
}
