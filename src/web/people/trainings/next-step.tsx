import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { nextStepOf } from '../../../domain/next-step.ts'
import { ticksOfEnrolment } from '../../data/enrolments.ts'
import { trainingOfStudents } from '../../data/progress.ts'
import css from './trainings.module.css'

type NextStepProps = { readonly studentId: string; readonly enrolmentId: string }

/** The next step of a student's current training; nothing until it is known. */
export function NextStep({ studentId, enrolmentId }: NextStepProps) {
  const { t } = useTranslation()
  const { data: ticks } = useQuery(ticksOfEnrolment(enrolmentId))
  const { data: trained } = useQuery(trainingOfStudents)
  const readiness = trained?.get(studentId)?.readiness
  if (!ticks || !readiness) return null
  const { step, kinds } = nextStepOf({ ticks, readiness })
  const names = kinds.map((kind) => t(`tick.${kind}`)).join(', ')
  return (
    <p className={css.next}>
      <span>{t('training.next')}</span> <strong>{t(`training.step.${step}`, { kinds: names })}</strong>
    </p>
  )
}
