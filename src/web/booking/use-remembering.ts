import { useEffect } from 'react'
import { remember, rememberedFor } from '../slots/remembered.ts'
import type { LessonForm } from './form.ts'
import type { Finder } from './use-finder.ts'

/** Keeps what somebody has chosen in a search for a student, for the next search for the same one. */
export function useRemembering(
  { student_id, lesson_type_id, minutes }: LessonForm,
  { isOpen, filters }: Finder,
  isLessonChosen: boolean,
): void {
  const chosen = JSON.stringify(filters)
  useEffect(() => {
    if (!isOpen || student_id === null) return
    const lesson = isLessonChosen ? { lesson_type_id, minutes } : rememberedFor(student_id)?.lesson
    remember({ student_id, filters: JSON.parse(chosen), lesson })
  }, [isOpen, student_id, lesson_type_id, minutes, isLessonChosen, chosen])
}
