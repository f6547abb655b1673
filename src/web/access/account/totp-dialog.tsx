import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { SecondFactor } from '../../../contract/passkey.ts'
import type { TotpOffer } from '../../../contract/totp.ts'
import { addTotp } from '../../data/account.ts'
import { ApiProblem } from '../../data/send.ts'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { toast } from '../../ui/toasts.ts'
import { ceremonyMessage } from '../login/ceremony-messages.ts'
import { TotpField } from '../login/totp-field.tsx'
import { QrCode } from './qr-code.tsx'
import css from './totp-dialog.module.css'
import { useProved } from './use-proved.tsx'

type TotpDialogProps = {
  readonly offer: TotpOffer
  readonly onDone: (factor: SecondFactor) => void
  readonly onClose: () => void
}

/** Shows the secret for an authenticator app, and asks for the code that the app shows then. */
export default function TotpDialog({ offer: { secret, uri, challenge }, onDone, onClose }: TotpDialogProps) {
  const { t } = useTranslation()
  const { run, error, isBusy, dialog } = useProved(addTotp, (factor) => {
    toast({ kind: 'done', text: t('factor.done') })
    onDone(factor)
  })
  return (
    <>
      <FormDialog
        title={t('factor.app')}
        submit={t('factor.confirm')}
        isBusy={isBusy}
        hasText={false}
        onSubmit={(form) => run({ challenge, code: String(form.get('code')) })}
        onClose={onClose}
      >
        <p>{t('factor.scan')}</p>
        <QrCode text={uri} label={t('factor.picture')} />
        <p>
          {t('factor.secret')}
          <br />
          <code className={css.secret}>{secret.replace(/.{4}(?=.)/g, '$& ')}</code>
        </p>
        <TotpField name="code" />
        <FailureNotice error={error} explain={explain} />
      </FormDialog>
      {dialog}
    </>
  )
}

function explain(error: unknown, t: TFunction): string {
  const code = error instanceof ApiProblem ? error.body.errors?.[0]?.code : undefined
  if (code === 'invalid_code') return t('factor.wrongCode')
  return code === 'invalid_challenge' ? t('factor.late') : ceremonyMessage(error, t)
}
