import type { LessonType } from '../contract/lesson-type.ts'
import type { AppointmentValues } from '../db/appointments/appointments.ts'
import type { Random } from '../domain/random.ts'
import { isExam } from '../domain/readiness.ts'

export type BookedLesson = AppointmentValues & { readonly id: string }

/** Returns the lesson with an outcome if it is over at `now`. A few are cancelled beforehand, but never a class or exam. */
export function withOutcome(
  { lessonTypes }: { readonly lessonTypes: readonly LessonType[] },
  lesson: BookedLesson,
  now: string,
  random: Random,
): BookedLesson {
  const roll = random.next()
  const category = lessonTypes.find(({ id }) => id === lesson.lesson_type_id)?.category ?? ''
  const isSure = isExam(category) || lesson.student_id === null
  if (lesson.end_at > now) return roll < 0.03 && !isSure ? { ...lesson, status: 'cancelled' } : lesson
  if (lesson.attendees.length > 0)
    return { ...lesson, status: 'completed', attendees: attended(lesson, random) }
  if (isExam(category)) return { ...lesson, status: 'completed', exam_result: resultFor(category, roll) }
  if (isSure || roll >= 0.07) return { ...lesson, status: 'completed' }
  return { ...lesson, status: roll < 0.04 ? 'cancelled' : 'no_show' }
}

/** Returns the attendees of a class; one of eight misses it. */
function attended({ attendees }: BookedLesson, random: Random): BookedLesson['attendees'] {
  return attendees.map((one) => ({ ...one, attended: !random.chance(0.125) }))
}

/** Returns an exam result: two of three practical tests are passed, and nine of ten theory tests. */
function resultFor(category: string, roll: number): BookedLesson['exam_result'] {
  const isTheory = category.startsWith('theory')
  if (roll < (isTheory ? 0.9 : 0.66)) return { note: null, passed: true }
  return { note: isTheory ? '14 Fehlerpunkte' : 'Vorfahrt an der Kreuzung nicht beachtet', passed: false }
}
