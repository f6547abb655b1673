import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Student } from '../../contract/student.ts'
import { progressOf } from '../../domain/progress.ts'
import { useSchool } from '../ui/school.tsx'
import css from './student-card.module.css'

type StudentProgressProps = { readonly student: Student; readonly lessons: readonly Appointment[] }

/** How far a student is on the way to the licence. */
export function StudentProgress({ student, lessons }: StudentProgressProps) {
  const { templates, lessonType, tenant, format } = useSchool()
  const { t } = useTranslation()
  const template = templates.find(({ id }) => id === student.license_class_template_id)
  const lines = progressOf(lessons, template?.requirements ?? [], tenant.unit_minutes)
  if (lines.length === 0) return <p className={css.dimmed}>{t('student.noLessons')}</p>
  return (
    <table className={css.table}>
      <thead>
        <tr>
          <th>{t('lesson.type')}</th>
          <th>{t('student.done')}</th>
          <th>{t('student.ahead')}</th>
          <th>{t('student.required')}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ lesson_type_id, done_units, planned_units, required_units }) => (
          <tr key={lesson_type_id}>
            <td>{lessonType.get(lesson_type_id)?.name}</td>
            <td
              className={required_units !== undefined && done_units >= required_units ? css.done : undefined}
            >
              {format.units(done_units)}
            </td>
            <td>{format.units(planned_units)}</td>
            <td>{required_units === undefined ? '–' : format.units(required_units)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
