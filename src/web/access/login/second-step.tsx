import type { TFunction } from 'i18next'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { completeWithCode, completeWithPasskey, passkeyObstacle } from '../../data/passkeys.ts'
import { ApiProblem } from '../../data/send.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/dialogs/text-fields.tsx'
import { toast } from '../../ui/toasts.ts'
import { AttemptNotice } from './attempt-notice.tsx'
import { ceremonyMessage } from './ceremony-messages.ts'
import css from './login-page.module.css'
import { useAttempt } from './use-attempt.ts'

type SecondStepProps = {
  /** The passkey options that the service has returned. */
  readonly options: unknown
  readonly onBack: () => void
}

export function SecondStep({ options, onBack }: SecondStepProps) {
  const { t } = useTranslation()
  const { attempt, error, isBusy, wait } = useAttempt()
  const [way, setWay] = useState<'passkey' | 'code'>(passkeyObstacle() ? 'code' : 'passkey')
  const isOver = error instanceof ApiProblem && error.is('login_expired')

  const enterCode = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const code = String(new FormData(event.currentTarget).get('code'))
    await attempt(async () => {
      const count = await completeWithCode(options, code)
      if (count !== undefined) toast({ kind: 'done', text: t('account.codeUsed', { count }) })
    })
  }

  return (
    <form className={css.step} onSubmit={enterCode}>
      <h2 className={css.subtitle}>{t('account.secondTitle')}</h2>
      {way === 'passkey' ? (
        <p className={css.hint}>{t('account.secondHint')}</p>
      ) : (
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
      <AttemptNotice error={error} wait={wait} explain={way === 'code' ? codeMessage : ceremonyMessage} />
      {way === 'passkey' ? (
        <Button
          look="primary"
          className={css.submit}
          isBusy={isBusy}
          disabled={wait > 0 || isOver}
          autoFocus
          onClick={() => void attempt(() => completeWithPasskey(options))}
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
      {way === 'passkey' && !isOver && (
        <Button look="bare" disabled={isBusy} onClick={() => setWay('code')}>
          {t('account.useCode')}
        </Button>
      )}
      <Button onClick={onBack} disabled={isBusy}>
        {t('account.back')}
      </Button>
    </form>
  )
}

function codeMessage(error: unknown, t: TFunction): string {
  const isWrong = error instanceof ApiProblem && error.is('invalid_credentials')
  return isWrong ? t('account.wrongCode') : ceremonyMessage(error, t)
}
