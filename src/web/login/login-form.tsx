import { Link } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Mantine } from '../dialogs/mantine.tsx'
import { PasswordField, TextField } from '../dialogs/text-fields.tsx'
import icon from '../icon.svg'
import { ApiProblem } from '../session/send.ts'
import { logIn, useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { problemWords } from '../ui/problem-words.ts'
import css from './login-page.module.css'

/** The way in. Over a page whose session is over it says that nothing on it is lost. */
export default function LoginForm({ isOverPage = false }: { isOverPage?: boolean }) {
  const { t } = useTranslation()
  const session = useSession()
  const { submit, error, isBusy, wait } = useLogin()

  return (
    <form className={css.form} onSubmit={submit}>
      <img className={css.logo} src={icon} alt="" />
      <h1 className={css.title}>{t('app.name')}</h1>
      <p className={css.intro}>{t('login.intro')}</p>
      {!window.isSecureContext && <Notice kind="warn">{t('login.insecure')}</Notice>}
      {isOverPage && <Notice kind="open">{t('login.expired')}</Notice>}
      {session === 'owed' && <Notice kind="warn">{t('login.owed')}</Notice>}
      {session === 'not_kept' && window.isSecureContext && (
        <Notice kind="bad" isAnswer>
          {t('login.notKept')}
        </Notice>
      )}
      <Mantine>
        <TextField
          name="email"
          type="email"
          label={t('login.email')}
          autoComplete="username"
          required
          withAsterisk={false}
          autoFocus
        />
        <PasswordField
          name="password"
          label={t('login.password')}
          autoComplete="current-password"
          withAsterisk={false}
        />
      </Mantine>
      {wait > 0 && (
        <Notice kind="warn" isAnswer>
          {t('login.throttled', { count: wait })}
        </Notice>
      )}
      {wait <= 0 && error !== undefined && (
        <Notice kind="bad" isAnswer>
          {loginWords(error, t)}
        </Notice>
      )}
      <Button type="submit" look="primary" className={css.submit} isBusy={isBusy} disabled={wait > 0}>
        {t('login.submit')}
      </Button>
      {!isOverPage && <Link to="/password-reset">{t('access.forgotten')}</Link>}
    </form>
  )
}

/** Logs in with what the form holds; `wait`: the seconds for which it need not be tried again. */
function useLogin() {
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const [wait, startWait] = useCountdown()

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    setBusy(true)
    setError(undefined)
    try {
      await logIn(String(form.get('email')), String(form.get('password')))
    } catch (failure) {
      setError(failure)
      if (failure instanceof ApiProblem && failure.is('too_many_requests')) {
        startWait(failure.retryAfterSeconds ?? 60)
      }
    } finally {
      setBusy(false)
    }
  }

  return { submit, error, isBusy, wait }
}

function loginWords(error: unknown, t: ReturnType<typeof useTranslation>['t']): string {
  const isWrong = error instanceof ApiProblem && error.is('invalid_credentials')
  return isWrong ? t('login.wrong') : problemWords(error, t)
}

/** Seconds that run down to nothing. */
function useCountdown(): readonly [number, (seconds: number) => void] {
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (left <= 0) return
    const timer = setTimeout(() => setLeft(left - 1), 1000)
    return () => clearTimeout(timer)
  }, [left])
  return [left, setLeft]
}
