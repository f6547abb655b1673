import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EmailChange } from '../../../contract/email-change.ts'
import { changeEmail } from '../../data/account.ts'
import { bootstrap } from '../../data/bootstrap.ts'
import { ApiProblem } from '../../data/send.ts'
import { users } from '../../data/users.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { EmailField } from '../../ui/dialogs/text-fields.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { toast } from '../../ui/toasts.ts'
import { useProved } from './use-proved.tsx'

type EmailDialogProps = {
  /** The user whose address an owner changes; undefined for the current user. */
  readonly userId?: string
  readonly email: string
  /** Called after the change; the dialog closes when it has ended. */
  readonly onChanged?: () => Promise<void>
  readonly onClose: () => void
}

/** Changes an address: at once, or once both addresses have confirmed it. */
export default function EmailDialog({ userId, email: before, onChanged, onClose }: EmailDialogProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [email, setEmail] = useState('')
  const done = async ({ email: after, is_changed }: EmailChange) => {
    for (const { queryKey } of [users, bootstrap]) void client.invalidateQueries({ queryKey })
    await onChanged?.()
    const text = t(is_changed ? 'account.emailChanged' : 'account.emailMailed', { before, after })
    toast({ kind: 'done', text })
    onClose()
  }
  const { run, error, isBusy, dialog } = useProved(changeEmail, done)
  const isWithoutMail = error instanceof ApiProblem && error.is('no_mail')
  return (
    <>
      <FormDialog
        title={t('account.emailTitle')}
        submit={t('account.emailSubmit')}
        isBusy={isBusy}
        onSubmit={() => run({ userId, email })}
        onClose={onClose}
      >
        <p>{t(userId === undefined ? 'account.emailHint' : 'account.emailHintOf')}</p>
        <EmailField
          label={t('account.emailNew')}
          value={email}
          onChange={setEmail}
          autoComplete="off"
          data-autofocus
        />
        <FailureNotice error={error} text={isWithoutMail && t('account.emailByOwner')} />
      </FormDialog>
      {dialog}
    </>
  )
}
