import type { TFunction } from 'i18next'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  completeWithCode,
  completeWithPasskey,
  completeWithTotp,
  passkeyObstacle,
  type SecondStepNeeds,
} from '../../data/passkeys.ts'
import { ApiProblem } from '../../data/send.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/dialogs/text-fields.tsx'
import { toast } from '../../ui/toasts.ts'
import { AttemptNotice } from './attempt-notice.tsx'
import { ceremonyMessage } from './ceremony-messages.ts'
import css from './login-page.module.css'
import { TotpField } from './totp-field.tsx'
import { useAttempt } from './use-attempt.ts'

type SecondFactor = SecondStepNeeds['ways'][number]

type SecondStepProps = { readonly needs: SecondStepNeeds; readonly onBack: () => void }

/** Asks for the second factor, by the best of the ways that the user has here. */
export function SecondStep({ needs, onBack }: SecondStepProps) {
  const { t } = useTranslation()
  const { attempt, error, isBusy, wait } = useAttempt()
  const ways = needs.ways.filter((one) => one !== 'passkey' || passkeyObstacle() === undefined)
  const [way, setWay] = useState<SecondFactor>(ways[0] ?? 'recovery_code')
  const isOver = error instanceof ApiProblem && error.is('login_expired')

  const enterCode = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code'))
    await attempt(async () => {
      if (way === 'totp') return completeWithTotp(needs.options, code)
      const count = await completeWithCode(needs.options, code)
      if (count !== undefined) toast({ kind: 'done', text: t('account.codeUsed', { count }) })
    })
  }

  return (
    <form className={css.step} onSubmit={enterCode}>
      <h2 className={css.subtitle}>{t('account.secondTitle')}</h2>
      {way !== 'recovery_code' && (
        <p className={css.hint}>{t(way === 'passkey' ? 'account.secondHint' : 'factor.appStep')}</p>
      )}
      {way === 'totp' && <TotpField name="code" autoFocus />}
      {way === 'recovery_code' && (
        <TextField
          name="code"
          label={t('account.code')}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          placeholder="xxxx-xxxx-xxxx-xxxx"
          maxLength={100}
          required
          withAsterisk={false}
          autoFocus
        />
      )}
      <AttemptNotice error={error} wait={wait} explain={messageFor(way)} />
      {way === 'passkey' ? (
        <Button
          look="primary"
          className={css.submit}
          isBusy={isBusy}
          disabled={wait > 0 || isOver}
          autoFocus
          onClick={() => void attempt(() => completeWithPasskey(needs.options))}
        >
          {t('account.proveByPasskey')}
        </Button>
      ) : (
        <Button
          type="submit"
          look="primary"
          className={css.submit}
          isBusy={isBusy}
          disabled={wait > 0 || isOver}
        >
          {t('account.useIt')}
        </Button>
      )}
      {!isOver &&
        ways
          .filter((one) => one !== way)
          .map((one) => (
            <Button key={one} look="bare" disabled={isBusy} onClick={() => setWay(one)}>
              {t(OTHER_WAYS[one])}
            </Button>
          ))}
      <Button onClick={onBack} disabled={isBusy}>
        {t('account.back')}
      </Button>
    </form>
  )
}

const OTHER_WAYS = {
  passkey: 'account.withPasskey',
  totp: 'factor.useApp',
  recovery_code: 'factor.useCode',
} as const

/** Returns the explanation of a failure, in which a wrong code is not a wrong passkey. */
function messageFor(way: SecondFactor): (error: unknown, t: TFunction) => string {
  if (way === 'passkey') return ceremonyMessage
  return (error, t) => {
    const isWrong = error instanceof ApiProblem && error.is('invalid_credentials')
    if (!isWrong) return ceremonyMessage(error, t)
    return t(way === 'totp' ? 'factor.wrongAppCode' : 'account.wrongCode')
  }
}
