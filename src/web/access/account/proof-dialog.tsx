import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ProofKind } from '../../../contract/proof.ts'
import { ownPasskeys } from '../../data/account.ts'
import { passkeyObstacle, proveByPasskey, proveByPassword } from '../../data/passkeys.ts'
import { ApiProblem } from '../../data/send.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { PasswordField } from '../../ui/dialogs/text-fields.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { ceremonyMessage } from '../login/ceremony-messages.ts'

type ProofDialogProps = {
  readonly ways: readonly ProofKind[]
  readonly onProved: () => void
  readonly onClose: () => void
}

/** Asks for the password or a passkey. */
export function ProofDialog({ ways, onProved, onClose }: ProofDialogProps) {
  const { t } = useTranslation()
  const { data: passkeys = [] } = useQuery(ownPasskeys)
  const byPassword = useMutation({ mutationFn: proveByPassword, onSuccess: onProved })
  const byPasskey = useMutation({ mutationFn: proveByPasskey, onSuccess: onProved })
  const isBusy = byPassword.isPending || byPasskey.isPending
  const hasPasskey = ways.includes('passkey') && passkeys.length > 0 && passkeyObstacle() === undefined
  const { error } = byPassword.isError ? byPassword : byPasskey
  const isWrong = byPassword.isError && error instanceof ApiProblem && error.is('invalid_credentials')

  return (
    <FormDialog
      title={t('account.proveTitle')}
      submit={t('account.prove')}
      isBusy={isBusy}
      onSubmit={(form) => {
        byPasskey.reset()
        byPassword.mutate(String(form.get('password')))
      }}
      onClose={onClose}
      other={
        hasPasskey && (
          <Button
            icon="key"
            disabled={isBusy}
            onClick={() => {
              byPassword.reset()
              byPasskey.mutate()
            }}
          >
            {t('account.proveByPasskey')}
          </Button>
        )
      }
    >
      <p>{t('account.proveHint')}</p>
      <PasswordField
        name="password"
        label={t('field.password')}
        autoComplete="current-password"
        data-autofocus
      />
      <FailureNotice error={error} text={isWrong && t('account.wrong')} explain={ceremonyMessage} />
    </FormDialog>
  )
}
