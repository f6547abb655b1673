import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ProofKind } from '../../../contract/proof.ts'
import { ownPasskeys, secondFactor } from '../../data/account.ts'
import { passkeyObstacle, proveByPasskey, proveByPassword, proveByTotp } from '../../data/passkeys.ts'
import { ApiProblem } from '../../data/send.ts'
import { Button } from '../../ui/button.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { PasswordField } from '../../ui/dialogs/text-fields.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { ceremonyMessage } from '../login/ceremony-messages.ts'
import { TotpField } from '../login/totp-field.tsx'

type ProofDialogProps = {
  readonly ways: readonly ProofKind[]
  readonly onProved: () => void
  readonly onClose: () => void
}

/** Asks for the password, a passkey or a code of the authenticator app. */
export function ProofDialog({ ways, onProved, onClose }: ProofDialogProps) {
  const { t } = useTranslation()
  const { data: passkeys = [] } = useQuery(ownPasskeys)
  const { data: factor } = useQuery(secondFactor)
  const [way, setWay] = useState<'password' | 'totp'>('password')
  const byPassword = useMutation({
    mutationFn: way === 'totp' ? proveByTotp : proveByPassword,
    onSuccess: onProved,
  })
  const byPasskey = useMutation({ mutationFn: proveByPasskey, onSuccess: onProved })
  const isBusy = byPassword.isPending || byPasskey.isPending
  const hasPasskey = ways.includes('passkey') && passkeys.length > 0 && passkeyObstacle() === undefined
  const hasApp = ways.includes('totp') && typeof factor?.totp_since === 'string'
  const { error } = byPassword.isError ? byPassword : byPasskey
  const isWrong = byPassword.isError && error instanceof ApiProblem && error.is('invalid_credentials')

  return (
    <FormDialog
      title={t('account.proveTitle')}
      submit={t('account.prove')}
      isBusy={isBusy}
      onSubmit={(form) => {
        byPasskey.reset()
        byPassword.mutate(String(form.get(way)))
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
      {way === 'totp' ? (
        <TotpField name="totp" />
      ) : (
        <PasswordField
          name="password"
          label={t('field.password')}
          autoComplete="current-password"
          data-autofocus
        />
      )}
      <FailureNotice
        error={error}
        text={isWrong && t(way === 'totp' ? 'factor.wrongAppCode' : 'account.wrong')}
        explain={ceremonyMessage}
      />
      {hasApp && (
        <Button
          look="bare"
          disabled={isBusy}
          onClick={() => {
            byPassword.reset()
            setWay(way === 'totp' ? 'password' : 'totp')
          }}
        >
          {t(way === 'totp' ? 'factor.usePassword' : 'factor.useApp')}
        </Button>
      )}
    </FormDialog>
  )
}
