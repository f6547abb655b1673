import type { TFunction } from 'i18next'
import type { Slot } from '../../contract/slot.ts'
import { dateOf } from '../../domain/local-time.ts'
import type { Warning } from '../../domain/warnings.ts'
import { nameOf, type School } from '../ui/school.tsx'

/** What to know before booking a time with an instructor, in the reader's words. */
export function warningWords(
  warning: Warning,
  { instructor_id, start_at }: Pick<Slot, 'instructor_id' | 'start_at'>,
  school: School,
  t: TFunction,
): string {
  const { instructor, lessonType, templates, format } = school
  switch (warning.code) {
    case 'in_the_past':
      return t('warning.in_the_past', { day: format.longDay(dateOf(start_at)) })
    case 'class_not_taught': {
      const person = instructor.get(instructor_id)
      return t('warning.class_not_taught', {
        instructor: person ? nameOf(person) : t('lesson.instructor'),
        license_class: warning.params.license_class,
      })
    }
    case 'not_required': {
      const { lesson_type_id, license_class_template_id } = warning.params
      return t('warning.not_required', {
        template: templates.find(({ id }) => id === license_class_template_id)?.name ?? t('student.class'),
        type: lessonType.get(lesson_type_id)?.name ?? t('lesson.type'),
      })
    }
    case 'requirement_already_met': {
      const { lesson_type_id, required_units, done_units, planned_units } = warning.params
      return t('warning.requirement_already_met', {
        type: lessonType.get(lesson_type_id)?.name ?? t('lesson.type'),
        required: format.units(required_units),
        done: format.units(done_units),
        planned: format.units(planned_units),
      })
    }
  }
}
