import { useTranslation } from 'react-i18next'
import type { Passkey } from '../../../contract/passkey.ts'
import { removePasskey } from '../../data/account.ts'
import { Confirmation } from '../../ui/dialogs/confirmation.tsx'
import { toast } from '../../ui/toasts.ts'
import { useProved } from './use-proved.tsx'

type RemovePasskeyProps = {
  readonly passkey: Passkey
  /** Whether it is the last passkey and the second factor is on. */
  readonly endsSecondFactor: boolean
  readonly onClose: () => void
}

export function RemovePasskey({ passkey, endsSecondFactor, onClose }: RemovePasskeyProps) {
  const { t } = useTranslation()
  const { run, error, isBusy, dialog } = useProved(removePasskey, () => {
    toast({ kind: 'done', text: t('account.removed') })
    onClose()
  })
  return (
    <>
      <Confirmation
        title={t('account.removeTitle', { name: passkey.name })}
        keep={t('action.cancel')}
        act={t('account.remove')}
        isBusy={isBusy}
        error={error}
        onAct={() => run(passkey.id)}
        onClose={onClose}
      >
        {t('account.removeHint')}
        {endsSecondFactor && ` ${t('account.removeLast')}`}
      </Confirmation>
      {dialog}
    </>
  )
}
