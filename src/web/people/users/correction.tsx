import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SchoolUser } from '../../../contract/user.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { EmailField } from '../../ui/dialogs/text-fields.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'

type CorrectionProps = {
  readonly user: SchoolUser
  readonly isBusy: boolean
  readonly error: unknown
  readonly onCorrect: (email: string) => void
  readonly onClose: () => void
}

/** Asks for the right address of an invited user. */
export function Correction({ user, isBusy, error, onCorrect, onClose }: CorrectionProps) {
  const { t } = useTranslation()
  const [email, setEmail] = useState(user.email)
  return (
    <FormDialog
      title={t('users.correctTitle', { name: user.name })}
      submit={t('users.correctSubmit')}
      isBusy={isBusy}
      isBlocked={email === user.email}
      isFilled={email !== user.email}
      onSubmit={() => onCorrect(email)}
      onClose={onClose}
    >
      <p>{t('users.correctText')}</p>
      <EmailField
        label={t('login.email')}
        value={email}
        onChange={setEmail}
        autoComplete="off"
        data-autofocus
      />
      <FailureNotice error={error} />
    </FormDialog>
  )
}
