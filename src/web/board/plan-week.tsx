import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AskedLine } from '../plans/asked-line.tsx'
import { GhostDialog } from '../plans/ghost-dialog.tsx'
import { LeftOut } from '../plans/left-out.tsx'
import { NewPlanBar } from '../plans/new-plan-bar.tsx'
import { PlanBar } from '../plans/plan-bar.tsx'
import { PlanComparison } from '../plans/plan-comparison.tsx'
import { loadTexts } from '../plans/plan-texts.ts'
import css from '../plans/plans.module.css'
import { useSchool } from '../ui/school.tsx'
import { Failure, Loading } from '../ui/states.tsx'
import { type BoardSearch, weekOf } from './board-search.ts'
import TeamWeek, { type TeamWeekProps } from './team-week.tsx'
import { useGhosts } from './use-ghosts.ts'
import { useLineMoving } from './use-line-moving.ts'
import { usePlan } from './use-plan.ts'

/** Shows the week of all instructors with the lessons that a plan proposes, before anything is booked. */
export default function PlanWeek(props: Omit<TeamWeekProps, 'ghosts' | 'moving' | 'onGhost' | 'loads'>) {
  const { date, shown, lessons } = props
  const school = useSchool()
  const { t } = useTranslation()
  const [opened, setOpened] = useState<string>()
  const dates = useMemo(() => weekOf(date), [date])
  const [monday = date, sunday = date] = [dates[0], dates.at(-1)]
  const { plan, isLoaded, error, isError, refetch } = usePlan(monday, sunday)
  const ghosts = useGhosts(plan)
  const moving = useLineMoving({ shown, dates, lessons, ghosts })
  const loads = useMemo(() => (plan ? loadTexts(plan, school, t) : undefined), [plan, school, t])
  if (!isLoaded) return isError ? <Failure error={error} retry={refetch} /> : <Loading />
  const ghost = plan?.proposed.find(({ id }) => id === opened)
  /** Days and weeks that are opened from here show the proposed lessons, too. */
  const go = (change: Partial<BoardSearch>) => props.go({ ...change, planned: true })
  return (
    <div className={css.page}>
      <div className={css.top}>
        <AskedLine monday={monday} />
        {plan ? <PlanBar key={plan.id} plan={plan} /> : <NewPlanBar {...{ monday, sunday }} />}
      </div>
      <div className={css.week}>
        <TeamWeek {...props} {...{ loads, moving, go }} ghosts={ghosts.events} onGhost={setOpened} />
      </div>
      {plan && (
        <div className={css.side}>
          <PlanComparison plan={plan} />
          <LeftOut plan={plan} />
        </div>
      )}
      {plan && ghost && (
        <GhostDialog key={ghost.id} {...{ plan, ghost }} onClose={() => setOpened(undefined)} />
      )}
    </div>
  )
}
