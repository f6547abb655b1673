import { type MouseEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { doubtfulTimesOf } from '../lessons/done.ts'
import { LengthQuestion } from '../lessons/length-question.tsx'
import type { LessonActions } from '../lessons/lesson-actions.ts'
import { Button } from '../ui/button.tsx'
import { useNow } from '../ui/use-now.ts'
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
  const [isAsking, setAsking] = useState(false)
  const doubtful = lesson.status === 'completed' ? undefined : doubtfulTimesOf(lesson, now)
  const mark = (status: Status) => (event: MouseEvent) => {
    if (status === lesson.status || isSecondOfDouble(event)) return
    setAsking(status === 'completed' && doubtful !== undefined)
    if (status === 'cancelled') onCancel()
    else if (status === 'completed' && doubtful) return
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
    <>
      <div className={css.statuses}>
        {COMING.map(button)}
        {hasBegun ? HAD.map(button) : <p className={css.later}>{t('lesson.fromStart')}</p>}
      </div>
      {isAsking && doubtful && (
        <LengthQuestion
          {...{ lesson }}
          times={doubtful}
          onAnswer={(change) => {
            setAsking(false)
            void actions.change(lesson, change, 'changed')
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

/** Whether a click is the second of a double click, which was meant for the previous button. */
function isSecondOfDouble({ detail }: MouseEvent): boolean {
  return detail > 1
}
