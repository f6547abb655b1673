import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { plansOfSchool } from '../data/plans.ts'
import { GhostDialog } from '../plans/ghost-dialog.tsx'
import { LeftOut } from '../plans/left-out.tsx'
import { NewPlanBar } from '../plans/new-plan-bar.tsx'
import { PlanBar } from '../plans/plan-bar.tsx'
import { ghostEvents, loadTexts } from '../plans/plan-texts.ts'
import css from '../plans/plans.module.css'
import { useSchool } from '../ui/school.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import { weekOf } from './board-search.ts'
import TeamWeek, { type TeamWeekProps } from './team-week.tsx'

/** Shows the week of all instructors with the lessons that a plan proposes, before anything is booked. */
export default function PlanWeek(props: Omit<TeamWeekProps, 'ghosts' | 'onGhost' | 'loads'>) {
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
