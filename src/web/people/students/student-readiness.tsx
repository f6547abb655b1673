import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { trainingOfStudents } from '../../data/progress.ts'
import { Notice } from '../../ui/notice.tsx'
import { useSchool } from '../../ui/school.tsx'
import css from '../trainings/student-progress.module.css'

/** Shows whether the student may take the practical test, or why not; nothing without a class. */
export function StudentReadiness({ studentId }: { readonly studentId: string }) {
  const { student, format } = useSchool()
  const { t } = useTranslation()
  const { data } = useQuery(trainingOfStudents)
  const readiness = data?.get(studentId)?.readiness
  if (!readiness || !student.get(studentId)?.license_class_template_id) return null
  const { ready, missing, theory_test, earliest_date } = readiness
  const parts = [
    ...missing.map((one) =>
      one === 'theory_test' && theory_test === false ? t('exam.testFailed') : t(`exam.missing.${one}`),
    ),
    ...(theory_test ? [t('exam.testPassed')] : []),
    ...(earliest_date ? [t('exam.from', { day: format.date(earliest_date) })] : []),
  ].join(' · ')
  const title = t(ready ? 'exam.ready' : missing.length === 0 ? 'exam.done' : 'exam.notReady')
  return (
    <div className={css.readiness} data-readiness={ready}>
      <Notice kind={missing.length === 0 ? 'good' : 'open'} title={title}>
        {parts}
      </Notice>
    </div>
  )
}
