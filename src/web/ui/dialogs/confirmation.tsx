import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { FailureNotice } from '../failure-notice.tsx'
import layout from '../layout.module.css'
import { Dialog } from './dialog.tsx'

type ConfirmationProps = {
  readonly title: string
  /** The text about the consequences. */
  readonly children: ReactNode
  /** The labels of the two buttons: cancel and confirm. */
  readonly keep: string
  readonly act: string
  readonly isBusy: boolean
  readonly error: unknown
  readonly onAct: () => void
  readonly onClose: () => void
}

/** Asks for confirmation of an action such as a deletion. */
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
