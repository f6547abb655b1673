import type { TFunction } from 'i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { minutesLater, timeOf } from '../../domain/local-time.ts'
import { attendeeIdsOf } from '../../domain/occupants.ts'
import { isCompletedFor, type LessonDocument } from '../../domain/signatures.ts'
import { nameOf, type School } from '../ui/school.tsx'

/** Returns the text of a lesson to sign, for one of its students or several, line by line. */
export function lessonFacts(
  documents: readonly LessonDocument[],
  { student, instructor, lessonType, format }: School,
  t: TFunction,
): readonly (readonly [string, string])[] {
  const [first] = documents
  if (!first) return []
  const { date, start_time, minutes, lesson_type_id, topic, instructor_id } = first
  const learners = documents.flatMap(({ student_id }) => student.get(student_id) ?? [])
  const teacher = instructor.get(instructor_id)
  const until = timeOf(minutesLater(`${date} ${start_time}`, minutes))
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    [t('field.student'), learners.map(nameOf).join(', ')],
    [t('sign.day'), format.longDay(date)],
    [t('sign.time'), `${start_time}–${until} · ${t('lesson.minutes', { count: minutes })}`],
    [t('field.lesson_type'), lessonType.get(lesson_type_id)?.name],
    [t('field.topic'), topic],
    [t('field.instructor'), teacher && nameOf(teacher)],
  ]
  return facts.flatMap(([label, text]) => (text ? [[label, text] as const] : []))
}

/** Returns the students who took part in a lesson, if it is completed. */
export function signersOf(lesson: Appointment): readonly string[] {
  const ids = lesson.student_id === null ? attendeeIdsOf(lesson) : [lesson.student_id]
  return ids.filter((id) => isCompletedFor(lesson, id))
}
