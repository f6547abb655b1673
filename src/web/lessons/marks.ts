import type { TFunction } from 'i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { LocalDateTime } from '../../domain/local-time.ts'
import type { School } from '../ui/school.tsx'
import { comingWarningsOf } from './coming-warnings.ts'
import { misplacedFor, misplacedText } from './misplaced.ts'

/** Returns the text that marks a lesson which cannot stay where it is or needs attention; empty for any other. */
export function markFor(lesson: Appointment, school: School, now: LocalDateTime, t: TFunction): string {
  const instructor = school.instructor.get(lesson.instructor_id)
  const misplaced = instructor && misplacedFor(lesson, instructor, school.days?.closed)
  if (misplaced) return misplacedText(misplaced, t)
  for (const warning of comingWarningsOf(lesson, school, now)) {
    if (warning.code === 'class_not_taught') return t('mark.class_not_taught', warning.params)
    if (warning.code === 'not_dark') return t('mark.not_dark')
  }
  return ''
}
