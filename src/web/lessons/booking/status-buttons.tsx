import type { MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../../contract/appointment.ts'
import { Button } from '../../ui/button.tsx'
import { useNow } from '../../ui/use-now.ts'
import type { LessonActions } from '../lesson-actions.ts'
import css from './lesson-buttons.module.css'

type Status = Appointment['status']

/** The first row of statuses. The second, `HAD`, is shown from the start of the lesson on. */
const COMING = ['planned', 'cancelled'] as const
const HAD = ['completed', 'no_show'] as const
const WORDS = {
  planned: 'lesson.markPlanned',
  completed: 'lesson.markCompleted',
  no_show: 'lesson.markNoShow',
  cancelled: 'lesson.markCancelled',
} as const

type StatusButtonsProps = {
  readonly lesson: Appointment
  readonly actions: LessonActions
  readonly onCancel: () => void
}

/** Shows and changes a lesson's status. A lesson that has not begun cannot be marked as done or missed. */
export function StatusButtons({ lesson, actions, onCancel }: StatusButtonsProps) {
  const { t } = useTranslation()
  const now = useNow()
  const hasBegun = lesson.start_at <= now || HAD.some((status) => status === lesson.status)
  const mark = (status: Status) => (event: MouseEvent) => {
    if (status === lesson.status || isSecondOfDouble(event)) return
    if (status === 'cancelled') onCancel()
    else void actions.change(lesson, { status }, 'changed')
  }
  const button = (status: Status) => (
    <Button
      key={status}
      look={status === lesson.status ? 'chosen' : 'plain'}
      aria-pressed={status === lesson.status}
      onClick={mark(status)}
    >
      {t(status === lesson.status ? `lesson.${status}` : WORDS[status])}
    </Button>
  )
  return (
    <div className={css.statuses}>
      {COMING.map(button)}
      {hasBegun ? HAD.map(button) : <p className={css.later}>{t('lesson.fromStart')}</p>}
    </div>
  )
}

/** Whether a click is the second of a double click, which was meant for the previous button. */
function isSecondOfDouble({ detail }: MouseEvent): boolean {
  return detail > 1
}
