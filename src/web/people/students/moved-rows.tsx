import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Student } from '../../../contract/student.ts'
import { lessonsOfStudent } from '../../data/appointments.ts'
import { enrolmentsOf } from '../../data/enrolments.ts'
import { wishesOf } from '../../data/gaps.ts'
import { openingBalanceOf } from '../../data/opening-balance.ts'
import { Failure, Loading } from '../../ui/states.tsx'
import css from './merge-dialog.module.css'

/** Says how many lessons, trainings, units and wishes of a student move in a merge. */
export function MovedRows({ other: { id } }: { readonly other: Student }) {
  const { t } = useTranslation()
  const lessons = useQuery(lessonsOfStudent(id))
  const enrolments = useQuery(enrolmentsOf(id))
  const balance = useQuery(openingBalanceOf(id))
  const wishes = useQuery(wishesOf(id))
  const failed = [lessons, enrolments, balance, wishes].find(({ isError }) => isError)
  if (failed) return <Failure error={failed.error} retry={failed.refetch} />
  if (!lessons.data || !enrolments.data || !balance.data || !wishes.data) return <Loading />
  const counts = {
    lessons: lessons.data.length,
    trainings: enrolments.data.length,
    entries: balance.data.entries.length,
    wishes: wishes.data.length,
  }
  const names = (['lessons', 'trainings', 'entries', 'wishes'] as const).filter((name) => counts[name] > 0)
  if (names.length === 0) return <p>{t('merge.movesNothing')}</p>
  return (
    <div>
      <p>{t('merge.moves')}</p>
      <ul className={css.moves}>
        {names.map((name) => (
          <li key={name}>{t(`merge.${name}`, { count: counts[name] })}</li>
        ))}
      </ul>
    </div>
  )
}
