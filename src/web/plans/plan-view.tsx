import { useMutation, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Plan } from '../../contract/plan.ts'
import { daysLater } from '../../domain/local-time.ts'
import { localToday } from '../../domain/time-zone.ts'
import { weekOf } from '../board/board-search.ts'
import TeamWeek, { type TeamWeekProps } from '../board/team-week.tsx'
import { makePlan, plansOfSchool } from '../data/plans.ts'
import { Button } from '../ui/button.tsx'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { useSchool } from '../ui/school.tsx'
import { Empty, Failure, Loading } from '../ui/states.tsx'
import { GhostDialog } from './ghost-dialog.tsx'
import { LeftOut } from './left-out.tsx'
import { PlanBar } from './plan-bar.tsx'
import { explainPlanning, ghostEvents, loadTexts } from './plan-texts.ts'
import css from './plans.module.css'

/** Shows the week of all instructors with the lessons that a plan proposes, before anything is booked. */
export default function PlanView(props: Omit<TeamWeekProps, 'ghosts' | 'onGhost' | 'loads'>) {
  const { date } = props
  const school = useSchool()
  const { t } = useTranslation()
  const { data: plans, error, isError, refetch } = useQuery(plansOfSchool)
  const [opened, setOpened] = useState<string>()
  const dates = useMemo(() => weekOf(date), [date])
  const [monday = date, sunday = date] = [dates[0], dates.at(-1)]
  const plan = plans?.find(({ from, to, state }) => from <= sunday && to >= monday && state !== 'applied')
  const ghosts = useMemo(() => (plan ? ghostEvents(plan, school, t) : []), [plan, school, t])
  const loads = useMemo(() => (plan ? loadTexts(plan, school, t) : undefined), [plan, school, t])
  if (!plans) return isError ? <Failure error={error} retry={refetch} /> : <Loading />
  const ghost = plan?.proposed.find(({ id }) => id === opened)
  return (
    <div className={css.page}>
      {plan ? <PlanBar key={plan.id} plan={plan} /> : <NewPlanBar {...{ monday, sunday }} />}
      <div className={css.week}>
        <TeamWeek {...props} {...{ ghosts, loads }} onGhost={setOpened} />
      </div>
      {plan && <LeftOut plan={plan} />}
      {plan && ghost && (
        <GhostDialog key={ghost.id} {...{ plan, ghost }} onClose={() => setOpened(undefined)} />
      )}
    </div>
  )
}

type Days = { readonly monday: string; readonly sunday: string }

/** Offers to plan the days of a week that are to come. */
function NewPlanBar({ monday, sunday }: Days) {
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
