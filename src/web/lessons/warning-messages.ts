import type { TFunction } from 'i18next'
import type { Slot } from '../../contract/slot.ts'
import { dateOf, timeOf } from '../../domain/local-time.ts'
import type { Warning } from '../../domain/warnings.ts'
import { nameOf, type School } from '../ui/school.tsx'
import { timesText, vehicleText } from './refusal-messages.ts'

export function warningMessages(
  warning: Warning,
  { instructor_id, start_at }: Pick<Slot, 'instructor_id' | 'start_at'>,
  school: School,
  t: TFunction,
): string {
  const { instructor, lessonType, templates, format } = school
  const typeName = (id: string) => lessonType.get(id)?.name ?? t('field.lesson_type')
  switch (warning.code) {
    case 'in_the_past':
      return t('warning.in_the_past', { day: format.longDay(dateOf(start_at)) })
    case 'far_ahead':
      return t('warning.far_ahead', { day: format.longDay(dateOf(start_at)) })
    case 'no_student':
      return t('warning.no_student', { type: typeName(warning.params.lesson_type_id) })
    case 'no_enrolment':
      return t('warning.no_enrolment')
    case 'outside_enrolment': {
      const { begins_on, ends_on } = warning.params
      return ends_on === null
        ? t('warning.before_enrolment', { from: format.dayInText(begins_on) })
        : t('warning.outside_enrolment', { days: format.days(begins_on, ends_on) })
    }
    case 'class_not_taught': {
      const person = instructor.get(instructor_id)
      return t('warning.class_not_taught', {
        instructor: person ? nameOf(person) : t('field.instructor'),
        license_class: warning.params.license_class,
      })
    }
    case 'not_required': {
      const { lesson_type_id, license_class_template_id } = warning.params
      return t('warning.not_required', {
        template:
          templates.find(({ id }) => id === license_class_template_id)?.name ??
          t('field.license_class_template_id'),
        type: typeName(lesson_type_id),
      })
    }
    case 'requirement_already_met': {
      const { lesson_type_id, required_units, done_units, planned_units } = warning.params
      return t('warning.requirement_already_met', {
        type: typeName(lesson_type_id),
        required: format.units(required_units),
        done: format.units(done_units),
        planned: format.units(planned_units),
      })
    }
    case 'already_passed': {
      const { lesson_type_id, date } = warning.params
      return t('warning.already_passed', { type: typeName(lesson_type_id), day: format.dayInText(date) })
    }
    case 'paper_missing': {
      const kinds = warning.params.kinds.map((kind) => t(`tick.${kind}`))
      return t('warning.paper_missing', { kinds: kinds.join(', ') })
    }
    case 'test_expired':
    case 'approval_expired':
      return t(`warning.${warning.code}`, { day: format.dayInText(warning.params.valid_until) })
    case 'too_early':
    case 'retry_too_early':
      return t(`warning.${warning.code}`, { day: format.dayInText(warning.params.earliest_date) })
    case 'training_outdated': {
      const { ended_on, valid_until } = warning.params
      const days = { ended: format.dayInText(ended_on), day: format.dayInText(valid_until) }
      return t('warning.training_outdated', days)
    }
    case 'public_holiday': {
      const { date, name } = warning.params
      return t('refusal.public_holiday', { day: format.dayInText(date), name })
    }
    case 'instructor_busy_elsewhere': {
      const person = instructor.get(instructor_id)
      const { start_at, end_at } = warning.params
      return t('refusal.instructor_busy_elsewhere', {
        instructor: person ? nameOf(person) : t('field.instructor'),
        dates: timesText(start_at, end_at, school, t),
      })
    }
    case 'vehicle_not_fitting': {
      const { vehicle_id, license_class } = warning.params
      return t('warning.vehicle_not_fitting', { vehicle: vehicleText(vehicle_id, school), license_class })
    }
    case 'vehicle_missing':
      return t('warning.vehicle_missing', { license_class: warning.params.license_class })
    case 'too_far':
      return t('location.tooFar', warning.params)
    case 'signed':
      return t('warning.signed')
    case 'not_dark': {
      const { lesson_type_id, dark_from, dark_until } = warning.params
      const type = typeName(lesson_type_id)
      if (dark_from === null || dark_until === null) return t('warning.never_dark', { type })
      return t('warning.not_dark', { type, from: timeOf(dark_from), until: timeOf(dark_until) })
    }
  }
}
