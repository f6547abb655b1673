import type { PropsWithChildren } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import type { LessonActions } from '../lessons/use-lesson-actions.ts'
import { Button } from '../ui/button.tsx'
import css from './lesson-buttons.module.css'
import { StatusButtons } from './status-buttons.tsx'

type LessonButtonsProps = PropsWithChildren<{
  readonly lesson: Appointment
  readonly actions: LessonActions
  readonly onEdit: (lesson: Appointment) => void
  readonly onClose: () => void
}>

/** What is done with a lesson; its children stand below. Whatever becomes of the lesson, every button keeps its place. */
export function LessonButtons({ lesson, actions, onEdit, onClose, children }: LessonButtonsProps) {
  const { t } = useTranslation()
  const isPlanned = lesson.status === 'planned'
  const { find } = actions
  return (
    <div className={css.buttons}>
      <StatusButtons lesson={lesson} actions={actions} />
      <Button look={isPlanned ? 'primary' : 'plain'} icon="edit" onClick={() => onEdit(lesson)}>
        {t('action.edit')}
      </Button>
      {find && (
        <Button
          look={lesson.status === 'cancelled' ? 'primary' : 'plain'}
          icon="clock"
          onClick={() => find({ like: lesson, ...(isPlanned && { editing: lesson }) })}
        >
          {t(isPlanned ? 'find.another' : 'find.open')}
        </Button>
      )}
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
