import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { FailureNotice } from '../failure-notice.tsx'
import layout from '../layout.module.css'
import { Dialog } from './dialog.tsx'

type ConfirmationProps = {
  readonly title: string
  /** The consequences. */
  readonly children: ReactNode
  /** The labels of the two buttons: cancel and confirm. */
  readonly keep: string
  readonly act: string
  readonly isBusy: boolean
  readonly error: unknown
  readonly onAct: () => void
  readonly onClose: () => void
}

/** Asks before a lesson or a person is removed. */
export function Confirmation({
  title,
  children,
  keep,
  act,
  isBusy,
  error,
  onAct,
  onClose,
}: ConfirmationProps) {
  return (
    <Dialog onClose={onClose} title={title}>
      <p>{children}</p>
      <FailureNotice error={error} />
      <div className={layout.ending}>
        <Button onClick={onClose} data-autofocus>
          {keep}
        </Button>
        <Button look="danger" isBusy={isBusy} onClick={onAct}>
          {act}
        </Button>
      </div>
    </Dialog>
  )
}
