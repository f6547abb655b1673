import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { Student } from '../../contract/student.ts'
import { useSchool } from '../ui/school.tsx'
import { progressOf } from './progress.ts'
import css from './student-card.module.css'

type StudentProgressProps = { readonly student: Student; readonly lessons: readonly Appointment[] }

/** How far a student is on the way to the licence. */
export function StudentProgress({ student, lessons }: StudentProgressProps) {
  const { templates, lessonType, tenant, format } = useSchool()
  const { t } = useTranslation()
  const template = templates.find(({ id }) => id === student.license_class_template_id)
  const lines = progressOf(lessons, template, tenant.unit_minutes)
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
        {lines.map(({ lessonTypeId, done, ahead, required }) => (
          <tr key={lessonTypeId}>
            <td>{lessonType.get(lessonTypeId)?.name}</td>
            <td className={required !== undefined && done >= required ? css.done : undefined}>
              {format.units(done)}
            </td>
            <td>{format.units(ahead)}</td>
            <td>{required === undefined ? '–' : format.units(required)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
