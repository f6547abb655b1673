import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OwnSchool } from '../../../contract/own-school.ts'
import { bootstrap } from '../../data/bootstrap.ts'
import { logIn } from '../../data/own-schools.ts'
import { logInWithPasskey, passkeyObstacle, type SecondStepNeeds } from '../../data/passkeys.ts'
import { ApiProblem } from '../../data/send.ts'
import { useSession } from '../../data/session.ts'
import { goToIssuer, lastSsoSchool } from '../../data/sso.ts'
import icon from '../../icon.svg'
import { Button } from '../../ui/button.tsx'
import { Mantine } from '../../ui/dialogs/mantine.tsx'
import { PasswordField, TextField } from '../../ui/dialogs/text-fields.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AttemptNotice } from './attempt-notice.tsx'
import { ceremonyMessage } from './ceremony-messages.ts'
import css from './login-page.module.css'
import { SchoolChoice } from './school-choice.tsx'
import { SecondStep } from './second-step.tsx'
import { ssoMessage } from './sso-messages.ts'
import { useAttempt } from './use-attempt.ts'

/** The login form. Over a page whose session has expired, a notice explains that nothing is lost. */
export default function LoginForm({ isOverPage = false }: { isOverPage?: boolean }) {
  const { t } = useTranslation()
  const session = useSession()
  const [needs, setNeeds] = useState<SecondStepNeeds>()
  const [schools, setSchools] = useState<readonly OwnSchool[]>()

  return (
    <div className={css.form}>
      <img className={css.logo} src={icon} alt="" />
      <h1 className={css.title}>{t('app.name')}</h1>
      <p className={css.intro}>{t('login.intro')}</p>
      {!window.isSecureContext && <Notice kind="warn">{t('login.insecure')}</Notice>}
      {isOverPage && (
        <Notice kind="open">{t(session === 'left' ? 'account.leftElsewhere' : 'login.expired')}</Notice>
      )}
      {session === 'owed' && <Notice kind="warn">{t('login.owed')}</Notice>}
      {session === 'not_kept' && window.isSecureContext && (
        <Notice kind="bad" isAnswer>
          {t('login.notKept')}
        </Notice>
      )}
      <Mantine>
        {needs !== undefined ? (
          <SecondStep needs={needs} onBack={() => setNeeds(undefined)} />
        ) : schools ? (
          <SchoolChoice schools={schools} onSecondStep={setNeeds} />
        ) : (
          <FirstStep isOverPage={isOverPage} onChoice={setSchools} onSecondStep={setNeeds} />
        )}
      </Mantine>
    </div>
  )
}

type FirstStepProps = {
  readonly isOverPage: boolean
  readonly onChoice: (schools: readonly OwnSchool[]) => void
  readonly onSecondStep: (needs: SecondStepNeeds) => void
}

function FirstStep({ isOverPage, onChoice, onSecondStep }: FirstStepProps) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { attempt, error, isBusy, wait } = useAttempt()

  const school = ssoSchoolIn(error) ?? lastSsoSchool()

  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    void attempt(async () => {
      const shown = isOverPage ? client.getQueryData(bootstrap.queryKey)?.tenant.id : undefined
      const credentials = { email: String(form.get('email')), password: String(form.get('password')) }
      const needs = await logIn(credentials, { shown, choose: onChoice })
      if (needs !== undefined) onSecondStep(needs)
    })
  }

  return (
    <>
      <form className={css.step} onSubmit={submit}>
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
          label={t('field.password')}
          autoComplete="current-password"
          withAsterisk={false}
        />
        <AttemptNotice error={error} wait={wait} explain={loginMessage} />
        <Button type="submit" look="primary" className={css.submit} isBusy={isBusy} disabled={wait > 0}>
          {t('login.submit')}
        </Button>
      </form>
      {school !== undefined && (
        <Button
          className={css.submit}
          disabled={isBusy || wait > 0}
          onClick={() => void attempt(() => goToIssuer({ school }))}
        >
          {t('sso.known')}
        </Button>
      )}
      {passkeyObstacle() === undefined && (
        <Button
          className={css.submit}
          icon="key"
          disabled={isBusy || wait > 0}
          onClick={() => void attempt(passkeyStep)}
        >
          {t('account.withPasskey')}
        </Button>
      )}
      {!isOverPage && <Link to="/password-reset">{t('access.forgotten')}</Link>}
    </>
  )
}

/** Returns the school at whose issuer the user has to log in. */
function ssoSchoolIn(error: unknown): string | undefined {
  if (!(error instanceof ApiProblem && error.is('sso_required'))) return undefined
  return String(error.body.params?.school)
}

class PasskeyFailure extends Error {
  override readonly cause: unknown

  constructor(cause: unknown) {
    super('passkey')
    this.cause = cause
  }
}

async function passkeyStep(): Promise<void> {
  try {
    await logInWithPasskey()
  } catch (error) {
    if (error instanceof ApiProblem && error.is('too_many_requests')) throw error
    throw new PasskeyFailure(error)
  }
}

function loginMessage(error: unknown, t: TFunction): string {
  if (error instanceof PasskeyFailure) return ceremonyMessage(error.cause, t)
  const isWrong = error instanceof ApiProblem && error.is('invalid_credentials')
  return isWrong ? t('login.wrong') : ssoMessage(error, t)
}
