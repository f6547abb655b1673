import type { TFunction } from 'i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { minutesLater, timeOf } from '../../domain/local-time.ts'
import type { LessonDocument } from '../../domain/signatures.ts'
import { nameOf, type School } from '../ui/school.tsx'

/** Returns the text of a lesson to sign, line by line. */
export function lessonFacts(
  { date, start_time, minutes, lesson_type_id, topic, instructor_id, student_id }: LessonDocument,
  { student, instructor, lessonType, format }: School,
  t: TFunction,
): readonly (readonly [string, string])[] {
  const [learner, teacher] = [student.get(student_id), instructor.get(instructor_id)]
  const until = timeOf(minutesLater(`${date} ${start_time}`, minutes))
  const facts: readonly (readonly [string, string | null | undefined])[] = [
    [t('lesson.student'), learner && nameOf(learner)],
    [t('sign.day'), format.longDay(date)],
    [t('sign.time'), `${start_time}–${until} · ${t('lesson.minutes', { count: minutes })}`],
    [t('lesson.type'), lessonType.get(lesson_type_id)?.name],
    [t('field.topic'), topic],
    [t('lesson.instructor'), teacher && nameOf(teacher)],
  ]
  return facts.flatMap(([label, text]) => (text ? [[label, text] as const] : []))
}

/** The lesson's student, if it is a lesson of one. */
export function signerOf({ student_id, status }: Appointment): string | undefined {
  return status === 'completed' ? (student_id ?? undefined) : undefined
}
