import type { LessonType } from '../../../contract/lesson-type.ts'
import type { School } from '../../ui/school.tsx'
import { rememberedFor } from '../slots/remembered.ts'
import { classOf, type Needed } from '../teaching.ts'

/** Returns the type and length chosen in the student's last search; a required type only while it is still needed. */
export function recalledLesson(
  student_id: string | null,
  needed: readonly Needed[] | undefined,
  school: Pick<School, 'lessonType' | 'student' | 'templates'>,
): { readonly type: LessonType; readonly minutes: number } | undefined {
  const lesson = rememberedFor(student_id)?.lesson
  const type = school.lessonType.get(lesson?.lesson_type_id ?? '')
  if (!lesson || !type || !needed) return undefined
  const requirements = classOf(student_id, school)?.requirements ?? []
  const isRequired = requirements.some(({ lesson_type_id }) => lesson_type_id === type.id)
  const isNeeded = needed.some((one) => one.type.id === type.id)
  return isRequired && !isNeeded ? undefined : { type, minutes: lesson.minutes }
}
