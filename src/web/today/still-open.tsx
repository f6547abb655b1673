import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { progressOfStudent } from '../api/progress.ts'
import { READ_ANEW } from '../api/read-anew.ts'
import { stillOpenIn } from '../students/still-open.ts'
import { useSchool } from '../ui/school.tsx'
import css from './still-open.module.css'

/** What the student's class demands and nobody has planned yet. */
export function StillOpen({ studentId }: { studentId: string }) {
  const { lessonType } = useSchool()
  const { t } = useTranslation()
  const { data } = useQuery({ ...progressOfStudent(studentId), ...READ_ANEW })
  const open = stillOpenIn(data, lessonType)
  if (data?.ready) return <p className={css.ready}>{t('progress.ready')}</p>
  if (open.length === 0) return null
  return (
    <div data-progress>
      <h3 className={css.heading}>{t('progress.needed')}</h3>
      <ul className={css.list}>
        {open.map(({ type, words, count }) => (
          <li key={type.id}>{t(words, { count, type: type.name })}</li>
        ))}
      </ul>
    </div>
  )
}
