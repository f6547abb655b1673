import type { TFunction } from 'i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { nameOf, type School } from '../ui/school.tsx'

/** Who a lesson is with; where nobody is, its title. */
export function studentNameOf(
  { student_id, title }: Pick<Appointment, 'student_id' | 'title'>,
  { student }: School,
  t: TFunction,
): string {
  if (student_id === null) return title
  const found = student.get(student_id)
  return found ? nameOf(found) : t('lesson.gone')
}
