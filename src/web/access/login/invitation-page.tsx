import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Invitation } from '../../../contract/user.ts'
import { logInAt } from '../../data/session.ts'
import { goToIssuer } from '../../data/sso.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/dialogs/text-fields.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import { InvalidLinkNotice, LinkFrame } from './link-frame.tsx'
import css from './login-page.module.css'
import { NewPasswordField } from './new-password-field.tsx'
import { isGone, readInvitation, readPresent, useToken } from './password-link.ts'
import { hostOf, ssoMessage } from './sso-messages.ts'

export function InvitationPage() {
  const token = useToken()
  const { data, error, isError, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => readInvitation(token),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (token === '' || isGone(error)) return <InvalidLinkNotice />
  if (data) return <Acceptance key={token} token={token} invitation={data} />
  return isError ? <Failure error={error} retry={refetch} /> : <Loading />
}

function Acceptance({ token, invitation }: { token: string; invitation: Invitation }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [password, setPassword] = useState('')
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => logInAt(`/auth/invitations/${encodeURIComponent(token)}`, { password }),
    onSuccess: () => navigate({ to: '/', replace: true }),
  })
  const go = useMutation({ mutationFn: () => goToIssuer({ invitation: token }) })
  if (isGone(error) || isGone(go.error)) return <InvalidLinkNotice />
  const { school, name, email, issuer } = invitation
  return (
    <LinkFrame title={t('access.invitationTitle', { school })} isBusy={isPending} onSubmit={mutate}>
      <p className={css.intro}>{t('access.invitationText', { name })}</p>
      <OtherSessionWarning email={email} />
      <TextField label={t('login.email')} value={email} readOnly autoComplete="username" />
      <NewPasswordField value={password} onChange={setPassword} />
      <FailureNotice error={error ?? go.error} explain={ssoMessage} />
      <Button type="submit" look="primary" className={css.submit} isBusy={isPending}>
        {t('access.invitationSubmit')}
      </Button>
      {issuer !== null && (
        <Button className={css.submit} isBusy={go.isPending} onClick={() => go.mutate()}>
          {t('sso.accept', { host: hostOf(issuer) })}
        </Button>
      )}
    </LinkFrame>
  )
}

/** Warns if this browser has a session of another user. */
function OtherSessionWarning({ email }: { email: string }) {
  const { t } = useTranslation()
  const { data } = useQuery({ queryKey: ['present'], queryFn: readPresent, gcTime: 0 })
  if (!data || data.email === email) return null
  return <Notice kind="warn">{t('access.other', { name: data.name })}</Notice>
}
