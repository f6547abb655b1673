import { useTranslation } from 'react-i18next'
import { Notice } from '../ui/notice.tsx'
import { nameOf, type School, studentName, useSchool } from '../ui/school.tsx'
import { endTimeOf, formOf, type LessonForm } from './form.ts'
import css from './stale-panel.module.css'
import type { Conflict } from './use-booking.ts'

type StalePanelProps = { readonly conflict: Conflict; readonly form: LessonForm }

/** Two users' versions of a lesson side by side, with the merged values marked. The form's buttons choose between them. */
export function StalePanel({ conflict: { seen, theirs, kept }, form }: StalePanelProps) {
  const { lessonType } = useSchool()
  const { t } = useTranslation()
  return (
    <Notice kind="warn" title={t('stale.title')} isAnswer>
      <p>{t('stale.intro')}</p>
      <table className={css.versions}>
        <thead>
          <tr>
            <td />
            <th scope="col">{t('stale.mine')}</th>
            <th scope="col">{t('stale.theirs')}</th>
          </tr>
        </thead>
        <tbody>
          {seen.status !== theirs.status && (
            <tr>
              <th scope="row">{t('field.status')}</th>
              <td className={css.yields}>{t(`lesson.${seen.status}`)}</td>
              <td className={css.holds}>{t(`lesson.${theirs.status}`)}</td>
            </tr>
          )}
          <Rows mine={form} theirs={formOf(theirs, lessonType)} kept={kept} />
        </tbody>
      </table>
    </Notice>
  )
}

type RowsProps = { readonly mine: LessonForm; readonly theirs: LessonForm; readonly kept: LessonForm }

/** The fields that differ, with the merged values marked. */
function Rows({ mine, theirs, kept }: RowsProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const [here, there, result] = [shown(mine, school), shown(theirs, school), shown(kept, school)]
  const fields = (Object.keys(here) as (keyof typeof here)[]).filter((field) => here[field] !== there[field])
  const mark = (holds: boolean) => (holds ? css.holds : css.yields)
  return fields.map((field) => (
    <tr key={field}>
      <th scope="row">{t(field)}</th>
      <td className={mark(result[field] === here[field])}>{here[field]}</td>
      <td className={mark(result[field] === there[field])}>{there[field]}</td>
    </tr>
  ))
}

function shown(form: LessonForm, school: School) {
  const { student, instructor, lessonType, location, format } = school
  const learner = student.get(form.student_id ?? '')
  const teacher = instructor.get(form.instructor_id)
  return {
    'field.student': learner ? studentName(learner, school) : '–',
    'field.instructor': teacher ? nameOf(teacher) : '–',
    'field.lesson_type': lessonType.get(form.lesson_type_id)?.name ?? '–',
    'field.date': format.day(form.date),
    'field.start_at': form.start,
    'field.end_at': endTimeOf(form),
    'field.topic': form.topic,
    'field.seats': String(form.seats),
    'field.title': form.title,
    'field.pickup_place': form.pickup_place,
    'location.one': location.get(form.location_id ?? '')?.name ?? '–',
    'field.notes': form.notes,
  }
}
