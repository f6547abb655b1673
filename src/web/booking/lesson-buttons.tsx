import type { PropsWithChildren } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { LessonActions } from '../lessons/use-lesson-actions.ts'
import { Button } from '../ui/button.tsx'
import css from './lesson-buttons.module.css'

type LessonButtonsProps = PropsWithChildren<{
  readonly lesson: Appointment
  readonly actions: LessonActions
  readonly onEdit: (lesson: Appointment) => void
  readonly onFind: (lesson: Appointment) => void
  readonly onClose: () => void
}>

const STATUSES = ['planned', 'completed', 'no_show', 'cancelled'] as const
const WORDS = {
  planned: 'lesson.markPlanned',
  completed: 'lesson.markCompleted',
  no_show: 'lesson.markNoShow',
  cancelled: 'lesson.markCancelled',
} as const

/** What is done with a lesson; its children stand below. */
export function LessonButtons(props: LessonButtonsProps) {
  const { lesson, actions, onEdit, onFind, onClose, children } = props
  const { t } = useTranslation()
  const mark = (status: Appointment['status']) =>
    actions.change(lesson, { status }, status === 'cancelled' ? 'cancelled' : 'changed')
  return (
    <div className={css.buttons}>
      <div className={css.statuses}>
        {STATUSES.map((status) => (
          <Button
            key={status}
            look={status === lesson.status ? 'chosen' : 'plain'}
            aria-pressed={status === lesson.status}
            onClick={() => status !== lesson.status && mark(status)}
          >
            {t(status === lesson.status ? `lesson.${status}` : WORDS[status])}
          </Button>
        ))}
      </div>
      {lesson.status === 'cancelled' && (
        <Button look="primary" icon="clock" onClick={() => onFind(lesson)}>
          {t('find.open')}
        </Button>
      )}
      <Button
        look={lesson.status === 'cancelled' ? 'plain' : 'primary'}
        icon="edit"
        onClick={() => onEdit(lesson)}
      >
        {t('action.edit')}
      </Button>
      <Button
        icon="copy"
        onClick={() => {
          onClose()
          void actions.duplicate(lesson)
        }}
      >
        {t('lesson.duplicate')}
      </Button>
      <Button
        look="remove"
        icon="trash"
        onClick={() => {
          onClose()
          void actions.remove(lesson)
        }}
      >
        {t('action.delete')}
      </Button>
      {children}
    </div>
  )
}
