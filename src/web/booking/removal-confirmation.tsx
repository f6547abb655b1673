import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { Confirmation } from '../ui/dialogs/confirmation.tsx'

/** The two ways to remove a lesson. */
export type Removal = 'cancel' | 'delete'

type RemovalConfirmationProps = {
  readonly removal: Removal
  readonly onAct: () => void
  readonly onClose: () => void
}

/** Whether the lesson took place, so that removing it changes progress and worked time. */
export function tookPlace({ status }: Pick<Appointment, 'status'>): boolean {
  return status === 'completed'
}

/** Asks before a lesson that took place is cancelled or deleted. */
export function RemovalConfirmation({ removal, onAct, onClose }: RemovalConfirmationProps) {
  const { t } = useTranslation()
  return (
    <Confirmation
      title={t(removal === 'cancel' ? 'removal.cancelTitle' : 'removal.deleteTitle')}
      keep={t('removal.keep')}
      act={t(removal === 'cancel' ? 'lesson.markCancelled' : 'action.delete')}
      isBusy={false}
      error={null}
      onAct={onAct}
      onClose={onClose}
    >
      {t('removal.text')}
    </Confirmation>
  )
}
