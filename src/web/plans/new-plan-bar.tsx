import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Plan } from '../../contract/plan.ts'
import { daysLater } from '../../domain/local-time.ts'
import { localToday } from '../../domain/time-zone.ts'
import { makePlan } from '../data/plans.ts'
import { Button } from '../ui/button.tsx'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { useSchool } from '../ui/school.tsx'
import { Empty } from '../ui/states.tsx'
import { explainPlanning } from './plan-texts.ts'
import css from './plans.module.css'

type Days = { readonly monday: string; readonly sunday: string }

/** Offers to plan the days of a week that are to come. */
export function NewPlanBar({ monday, sunday }: Days) {
  const { tenant, format } = useSchool()
  const { t } = useTranslation()
  const tomorrow = daysLater(localToday(new Date(), tenant.timezone), 1)
  const from = monday > tomorrow ? monday : tomorrow
  const make = useMutation({ mutationFn: makePlan })
  if (from > sunday) return <Empty text={t('planning.past')} />
  const plan: Pick<Plan, 'from' | 'to'> = { from, to: sunday }
  return (
    <section className={css.bar} aria-label={t('planning.title')}>
      <p className={css.hint}>{t('planning.hint')}</p>
      <FailureNotice error={make.error} explain={explainPlanning} />
      <Button look="primary" isBusy={make.isPending} onClick={() => make.mutate(plan)}>
        {make.isPending ? t('planning.making') : t('planning.make', { days: format.days(from, sunday) })}
      </Button>
    </section>
  )
}
