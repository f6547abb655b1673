import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Plan, PlanChange, PlannedLesson } from '../../contract/plan.ts'
import { dateOf, daysLater, type LocalDate, timeOf } from '../../domain/local-time.ts'
import { changePlan } from '../data/plans.ts'
import { Button } from '../ui/button.tsx'
import { FormDialog } from '../ui/dialogs/form-dialog.tsx'
import { TimeField } from '../ui/dialogs/time-field.tsx'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { OptionSelect } from '../ui/option-select.tsx'
import { nameOf, useSchool } from '../ui/school.tsx'
import { explainPlanning, ghostName, refusedText, warningText } from './plan-texts.ts'
import css from './plans.module.css'

type GhostDialogProps = {
  readonly plan: Plan
  readonly ghost: PlannedLesson
  readonly onClose: () => void
}

/** Locks, drops or moves a proposed lesson. */
export function GhostDialog({ plan, ghost, onClose }: GhostDialogProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const [place, setPlace] = useState(() => placeOf(ghost))
  const change = useMutation({ mutationFn: changePlan, onSuccess: onClose })
  const send = (wanted: PlanChange) => change.mutate({ id: plan.id, ...wanted })
  const { id, is_locked } = ghost
  const isMoved = JSON.stringify(place) !== JSON.stringify(placeOf(ghost))
  const move = { id, instructor_id: place.instructor_id, start_at: `${place.date} ${place.time}` }
  return (
    <FormDialog
      title={ghostName(ghost, school, t)}
      submit={t('planning.move')}
      isBusy={change.isPending}
      isBlocked={!isMoved || place.time === ''}
      isFilled={isMoved}
      hasText={false}
      onSubmit={() => send({ move: [move] })}
      onClose={onClose}
      other={
        <>
          <Button look="remove" disabled={change.isPending} onClick={() => send({ drop: [id] })}>
            {t('planning.drop')}
          </Button>
          <Button
            disabled={change.isPending}
            onClick={() => send(is_locked ? { unlock: [id] } : { lock: [id] })}
          >
            {is_locked ? t('planning.unlock') : t('planning.lock')}
          </Button>
        </>
      }
    >
      {ghost.warnings.map((warning) => (
        <p key={warning.code} className={css.hint}>
          {warningText(warning, ghost, school, t)}
        </p>
      ))}
      <FailureNotice
        error={change.error}
        title={t('booking.notSaved')}
        text={refusedText(change.error, { ...ghost, ...move }, school, t)}
        explain={explainPlanning}
      />
      <div className={css.place}>
        <OptionSelect
          label={t('field.instructor')}
          value={place.instructor_id}
          options={school.instructors
            .filter(({ active }) => active)
            .map((one) => [one.id, nameOf(one)] as const)}
          onChange={(instructor_id) => setPlace({ ...place, instructor_id })}
        />
        <OptionSelect
          label={t('planning.day')}
          value={place.date}
          options={daysOf(plan).map((day) => [day, school.format.day(day)] as const)}
          onChange={(date) => setPlace({ ...place, date })}
        />
        <TimeField
          label={t('planning.start')}
          isLabelHidden
          step={15}
          value={place.time}
          onChange={(time) => setPlace({ ...place, time })}
        />
      </div>
    </FormDialog>
  )
}

function placeOf({ instructor_id, start_at }: PlannedLesson) {
  return { instructor_id, date: dateOf(start_at), time: timeOf(start_at) }
}

function daysOf({ from, to }: Pick<Plan, 'from' | 'to'>): readonly LocalDate[] {
  const days: LocalDate[] = []
  for (let day = from; day <= to; day = daysLater(day, 1)) days.push(day)
  return days
}
