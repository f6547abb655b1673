import { type PropsWithChildren, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { feeOf } from '../../domain/cancellation.ts'
import { GapButton } from '../gaps/gap-button.tsx'
import type { LessonActions } from '../lessons/lesson-actions.ts'
import { Button } from '../ui/button.tsx'
import { Deferred } from '../ui/deferred.tsx'
import css from './lesson-buttons.module.css'
import { type Removal, RemovalConfirmation, tookPlace } from './removal-confirmation.tsx'
import { StatusButtons } from './status-buttons.tsx'

const loadCancelling = () => import('./cancel-dialog.tsx')

/** Whether a fee can be charged: for a cancellation by the student, and for a no-show of one. */
function hasFee({ cancellation, status, student_id }: Appointment): boolean {
  return cancellation?.by === 'student' || (status === 'no_show' && student_id !== null)
}

type LessonButtonsProps = PropsWithChildren<{
  readonly lesson: Appointment
  readonly actions: LessonActions
  readonly onEdit: (lesson: Appointment) => void
  /** Called when a dialog covers the card, and when it closes. */
  readonly onCovered: (isCovered: boolean) => void
  readonly onClose: () => void
}>

/** The buttons of a lesson, each in the same place in every state, above the children. */
export function LessonButtons({ lesson, actions, onEdit, onCovered, onClose, children }: LessonButtonsProps) {
  const { t } = useTranslation()
  const isPlanned = lesson.status === 'planned'
  const { find } = actions
  const [asked, setAsked] = useState<Removal>()
  const ask = (removal: Removal | undefined) => {
    setAsked(removal)
    onCovered(removal !== undefined)
  }
  const [isCancelling, setCancelling] = useState(false)
  const cancel = (isOpen: boolean) => {
    setCancelling(isOpen)
    onCovered(isOpen)
  }
  const act = (removal: Removal) => {
    ask(undefined)
    if (removal === 'cancel') return void actions.change(lesson, { status: 'cancelled' }, 'cancelled')
    onClose()
    void actions.remove(lesson)
  }
  const remove = (removal: Removal) => (tookPlace(lesson) ? ask(removal) : act(removal))
  return (
    <div className={css.buttons}>
      <StatusButtons lesson={lesson} actions={actions} onCancel={() => remove('cancel')} />
      <Button icon="note" disabled={!isPlanned && lesson.status !== 'no_show'} onClick={() => cancel(true)}>
        {t('cancel.open')}
      </Button>
      <Button look={isPlanned ? 'primary' : 'plain'} icon="edit" onClick={() => onEdit(lesson)}>
        {t('action.edit')}
      </Button>
      {find && (
        <Button
          look={lesson.status === 'cancelled' ? 'primary' : 'plain'}
          icon="clock"
          onClick={() => find({ like: lesson, ...(isPlanned && { editing: lesson }) })}
        >
          {t(isPlanned ? 'slots.another' : 'find.open')}
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
      <GapButton gap={lesson} isFree={lesson.status === 'cancelled'} onCovered={onCovered} />
      <Button look="remove" icon="trash" onClick={() => remove('delete')}>
        {t('action.delete')}
      </Button>
      {hasFee(lesson) && (
        <Button isBusy={false} onClick={() => void actions.decideFee(lesson, !feeOf(lesson))}>
          {t(feeOf(lesson) ? 'cancel.waive' : 'cancel.chargeNow')}
        </Button>
      )}
      {children}
      {isCancelling && <Deferred load={loadCancelling} props={{ lesson, onClose: () => cancel(false) }} />}
      {asked && (
        <RemovalConfirmation removal={asked} onAct={() => act(asked)} onClose={() => ask(undefined)} />
      )}
    </div>
  )
}
