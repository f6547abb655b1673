import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { LeftOutLesson, Plan } from '../../contract/plan.ts'
import { giveAway } from '../data/plans.ts'
import { Button } from '../ui/button.tsx'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { useSchool } from '../ui/school.tsx'
import { explainPlanning, inTheWayOf, reasonText, whoIs } from './plan-texts.ts'

/** Lists the students who got no lesson, or fewer than they asked for, each with the reason. */
export function LeftOut({ plan }: { readonly plan: Plan }) {
  const school = useSchool()
  const { t } = useTranslation()
  const isEnough = ({ reason }: LeftOutLesson) => reason.code === 'enough_booked'
  const missing = plan.left_out.filter((one) => !isEnough(one))
  const enough = plan.left_out.filter(isEnough)
  return (
    <section aria-labelledby="left-out">
      <h2 id="left-out">{t('planning.leftOut', { count: missing.length })}</h2>
      {missing.length === 0 && <p>{t('planning.nobody')}</p>}
      <ul>
        {missing.map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a student may miss several lessons for one reason
          <LeftOutRow key={`${one.student_id} ${index}`} {...{ plan, one }} />
        ))}
      </ul>
      {enough.length > 0 && (
        <details>
          <summary>{t('planning.enough', { count: enough.length })}</summary>
          <p>{enough.map((one) => whoIs(one, school, t)).join(', ')}</p>
        </details>
      )}
    </section>
  )
}

type RowProps = { readonly plan: Plan; readonly one: LeftOutLesson }

function LeftOutRow({ plan, one }: RowProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const client = useQueryClient()
  const give = useMutation({ mutationFn: (ids: readonly string[]) => giveAway(plan, ids, { client }) })
  const inTheWay = inTheWayOf(one, plan)
  const isFree = one.reason.code === 'free_now'
  return (
    <li>
      <strong>{whoIs(one, school, t)}</strong> <span>{reasonText(one, plan, school, t)}</span>
      {(inTheWay.length > 0 || isFree) && (
        <Button look="bare" isBusy={give.isPending} onClick={() => give.mutate(inTheWay.map(({ id }) => id))}>
          {isFree ? t('planning.fill') : t('planning.give', { count: inTheWay.length })}
        </Button>
      )}
      <FailureNotice error={give.error} explain={explainPlanning} />
    </li>
  )
}
