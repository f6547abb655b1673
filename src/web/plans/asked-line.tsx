import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { dateOf, timeOf } from '../../domain/local-time.ts'
import { localNow } from '../../domain/time-zone.ts'
import { roundOfWeek } from '../data/availability-rounds.ts'
import { useSchool } from '../ui/school.tsx'
import css from './plans.module.css'

/** Says how many students were asked for a week and how many have answered, if the school asks at all. */
export function AskedLine({ monday }: { readonly monday: string }) {
  const { tenant, format } = useSchool()
  const { t } = useTranslation()
  const { data } = useQuery(roundOfWeek(monday))
  if (!data?.round) return null
  const { state, due_at, asked, answered } = data.round
  const due = localNow(new Date(due_at), tenant.timezone)
  return (
    <p className={css.asked}>
      {state === 'waiting' && t('round.waiting', { when: `${format.day(dateOf(due))}, ${timeOf(due)}` })}
      {state === 'skipped' && t('round.skipped')}
      {(state === 'asking' || state === 'asked') && t('round.asked', { count: asked, answered })}
    </p>
  )
}
