import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { AppliedPlan, Plan, PlanApplication } from '../../contract/plan.ts'
import { applyPlan, discardPlan, replan } from '../data/plans.ts'
import { lessonStep } from '../lessons/lesson-commands.ts'
import { Button } from '../ui/button.tsx'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { Notice } from '../ui/notice.tsx'
import { useSchool } from '../ui/school.tsx'
import { toast } from '../ui/toasts.ts'
import { recordStep } from '../ui/undo/steps.ts'
import { explainPlanning, ghostName, refusalText } from './plan-texts.ts'
import css from './plans.module.css'

/** The figures of a plan, and what can be done with it as a whole. */
export function PlanBar({ plan }: { readonly plan: Plan }) {
  const school = useSchool()
  const { t } = useTranslation()
  const { id, seed, figures, broken, proposed } = plan
  const again = useMutation({ mutationFn: replan })
  const discard = useMutation({ mutationFn: discardPlan })
  const apply = useApplying()
  const isBusy = again.isPending || discard.isPending || apply.isPending
  const count = proposed.length - broken.length
  const applyAs = (as: PlanApplication['as']) =>
    apply.mutate({ id, as, ...(broken.length > 0 && { despite_changes: true }) })
  return (
    <section className={css.bar} aria-label={t('planning.title')}>
      <p className={css.figures}>
        {t('planning.figures', {
          count: figures.lessons,
          hours: school.format.duration(figures.minutes),
          wished: school.format.duration(figures.wished_minutes),
        })}
      </p>
      {broken.length > 0 && (
        <Notice kind="warn" title={t('planning.outdated', { count: broken.length })}>
          <ul className={css.broken}>
            {broken.map((one) => (
              <li key={one.id}>
                {ghostName(
                  proposed.find((lesson) => lesson.id === one.id),
                  school,
                  t,
                )}
                : {one.refusals.map((refusal) => refusalText(refusal, plan, school, t)).join(' ')}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <FailureNotice error={again.error ?? discard.error ?? apply.error} explain={explainPlanning} />
      <div className={css.actions}>
        <Button isBusy={discard.isPending} disabled={isBusy} onClick={() => discard.mutate({ id })}>
          {t('planning.discard')}
        </Button>
        <Button
          isBusy={again.isPending}
          disabled={isBusy}
          onClick={() => again.mutate({ id, seed: (seed + 1) % MAX_SEED })}
        >
          {again.isPending ? t('planning.making') : t('planning.again')}
        </Button>
        <Button isBusy={apply.isPending} disabled={isBusy || count === 0} onClick={() => applyAs('offers')}>
          {t('planning.offer')}
        </Button>
        <Button
          look="primary"
          isBusy={apply.isPending}
          disabled={isBusy || count === 0}
          onClick={() => applyAs('booked')}
        >
          {t('planning.book', { count })}
        </Button>
      </div>
    </section>
  )
}

const MAX_SEED = 2_147_483_647

/** Applies a plan, and reports it with an undo of all its lessons. */
function useApplying() {
  const client = useQueryClient()
  const school = useSchool()
  const { t } = useTranslation()
  return useMutation({
    mutationFn: applyPlan,
    onSuccess: async ({ set_id, booked, offers, refused }: AppliedPlan) => {
      const context = { client, school, t, appointments: [] }
      const left = refused.length > 0 ? ` ${t('planning.refused', { count: refused.length })}` : ''
      if (booked.length === 0) {
        toast({ kind: 'done', text: `${t('planning.offered', { count: offers.length })}${left}` })
        return
      }
      const text = t('planning.booked', { count: booked.length })
      const step = await lessonStep(context, [set_id], { undone: [], done: booked })
      recordStep({ text: `${text}${left}`, label: text }, step)
    },
  })
}
