import { useMutation } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Plan } from '../../contract/plan.ts'
import { takeBackMoves, usePlanBefore } from '../data/plans.ts'
import { Button } from '../ui/button.tsx'
import { FailureNotice } from '../ui/failure-notice.tsx'
import type { Format } from '../ui/i18n/format.ts'
import { useSchool } from '../ui/school.tsx'
import { type FigureChange, planChangesBetween } from './plan-changes.ts'
import { explainPlanning, ghostName, placeText } from './plan-texts.ts'
import css from './plans.module.css'

/** The length from which a list of changes is folded. */
const LONG = 7

/** Compares a plan with its state before the last change. */
export function PlanComparison({ plan }: { readonly plan: Plan }) {
  const before = usePlanBefore(plan)
  const school = useSchool()
  const { t } = useTranslation()
  const changes = useMemo(() => before && planChangesBetween(before, plan), [before, plan])
  const undo = useMutation({ mutationFn: takeBackMoves })
  if (!before || !changes) return null
  const { added, removed, moved, figures } = changes
  const isMovedOnly = moved.length > 0 && added.length === 0 && removed.length === 0
  const isSame = added.length + removed.length + moved.length === 0
  const lists = {
    added: added.map((one) => ghostName(one, school, t)),
    moved: moved.map(({ from, to }) => `${ghostName(from, school, t)} → ${placeText(to, from, school)}`),
    removed: removed.map((one) => ghostName(one, school, t)),
  }
  return (
    <section className={css.changes} aria-labelledby="plan-changes">
      <h2 id="plan-changes">{t('planning.changes.title')}</h2>
      {isSame ? (
        <p>{t('planning.changes.same')}</p>
      ) : (
        <table>
          <tbody>
            {figures.map((figure) => (
              <tr key={figure.name}>
                <th scope="row">{t(`planning.changes.figures.${figure.name}`)}</th>
                <td>{amountOf(figure, figure.now, school.format)}</td>
                <td>{differenceText(figure, school.format, t)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {(['added', 'moved', 'removed'] as const).map(
        (kind) =>
          lists[kind].length > 0 && (
            <details key={kind} open={lists[kind].length < LONG}>
              <summary>{t(`planning.changes.${kind}`, { count: lists[kind].length })}</summary>
              <ul>
                {lists[kind].map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            </details>
          ),
      )}
      {isMovedOnly && (
        <Button look="bare" isBusy={undo.isPending} onClick={() => undo.mutate({ before, moved })}>
          {t('planning.changes.undo')}
        </Button>
      )}
      <FailureNotice error={undo.error} explain={explainPlanning} />
    </section>
  )
}

function amountOf({ name }: FigureChange, amount: number, { duration, units }: Format): string {
  return name === 'minutes' ? duration(amount) : units(amount)
}

function differenceText(figure: FigureChange, format: Format, t: TFunction): string {
  const { more } = figure
  if (more === 0) return t('planning.changes.equal')
  return `${more > 0 ? '+' : '−'}${amountOf(figure, Math.abs(more), format)}`
}
