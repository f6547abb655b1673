import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { send } from '../../data/send.ts'
import { Button } from '../../ui/button.tsx'
import { EmailField } from '../../ui/dialogs/text-fields.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { Notice } from '../../ui/notice.tsx'
import { InvalidLinkNotice, LinkFrame } from './link-frame.tsx'
import css from './login-page.module.css'
import { NewPasswordField } from './new-password-field.tsx'
import { isGone, useToken } from './password-link.ts'

/** Sets a new password with a link, or requests the link. */
export function ResetPage() {
  const token = useToken()
  return token === '' ? <Request /> : <Reset key={token} token={token} />
}

function Reset({ token }: { token: string }) {
  const { t } = useTranslation()
  const [password, setPassword] = useState('')
  const { mutate, error, isPending, isSuccess } = useMutation({
    mutationFn: () =>
      send(`/auth/password-resets/${encodeURIComponent(token)}`, { method: 'POST', body: { password } }),
  })
  if (isGone(error)) return <InvalidLinkNotice />
  if (isSuccess) return <Message text={t('access.resetDone')} />
  return (
    <LinkFrame title={t('access.resetTitle')} isBusy={isPending} onSubmit={mutate}>
      <NewPasswordField value={password} onChange={setPassword} />
      <Ending error={error} isBusy={isPending} submit={t('action.save')} />
    </LinkFrame>
  )
}

function Request() {
  const { t } = useTranslation()
  const [email, setEmail] = useState('')
  const { mutate, data, error, isPending } = useMutation({ mutationFn: () => requestReset(email) })
  if (data)
    return <Message text={data.by_mail ? t('access.resetSent', { email }) : t('access.resetNoMail')} />
  return (
    <LinkFrame title={t('access.resetTitle')} isBusy={isPending} onSubmit={mutate}>
      <EmailField
        label={t('access.resetAsk')}
        value={email}
        onChange={setEmail}
        autoComplete="username"
        withAsterisk={false}
        autoFocus
      />
      <Ending error={error} isBusy={isPending} submit={t('access.resetSend')} />
    </LinkFrame>
  )
}

async function requestReset(email: string): Promise<{ readonly by_mail: boolean }> {
  return (await send('/auth/password-resets', { method: 'POST', body: { email } })).json()
}

type EndingProps = { readonly error: Error | null; readonly isBusy: boolean; readonly submit: string }

function Ending({ error, isBusy, submit }: EndingProps) {
  return (
    <>
      <FailureNotice error={error} />
      <Button type="submit" look="primary" className={css.submit} isBusy={isBusy}>
        {submit}
      </Button>
    </>
  )
}

function Message({ text }: { text: string }) {
  const { t } = useTranslation()
  return (
    <LinkFrame title={t('access.resetTitle')}>
      <Notice kind="good" isAnswer>
        {text}
      </Notice>
    </LinkFrame>
  )
}
