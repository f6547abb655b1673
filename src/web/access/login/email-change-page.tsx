import { useMutation, useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { EmailChangeLink } from '../../../contract/email-change.ts'
import { send } from '../../data/send.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import { LinkFrame } from './link-frame.tsx'
import css from './login-page.module.css'
import { isGone, useToken } from './password-link.ts'

export function EmailChangePage() {
  const token = useToken()
  const { t } = useTranslation()
  const { data, error, isError, refetch } = useQuery({
    queryKey: ['email-change', token],
    queryFn: async (): Promise<EmailChangeLink> => (await send(pathOf(token))).json(),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (token === '' || isGone(error)) return <Message kind="warn" text={t('access.emailGone')} />
  if (data) return <Decision key={token} token={token} change={data} />
  return isError ? <Failure error={error} retry={refetch} /> : <Loading />
}

type DecisionProps = { readonly token: string; readonly change: EmailChangeLink }

function Decision({ token, change }: DecisionProps) {
  const { t } = useTranslation()
  const { name, school, email, sent_to, is_confirmed } = change
  const confirming = useMutation({
    mutationFn: async (): Promise<{ is_changed: boolean }> =>
      (await send(pathOf(token), { method: 'POST' })).json(),
  })
  const stopping = useMutation({ mutationFn: () => send(pathOf(token), { method: 'DELETE' }) })
  const error = confirming.error ?? stopping.error
  const isBusy = confirming.isPending || stopping.isPending
  if (isGone(error)) return <Message kind="warn" text={t('access.emailGone')} />
  if (stopping.isSuccess) return <Message kind="good" text={t('access.emailStopped')} />
  if (confirming.data?.is_changed) return <Message kind="good" text={t('access.emailDone', { email })} />
  if (confirming.data || is_confirmed)
    return (
      <Message
        kind="good"
        text={t(sent_to === 'old' ? 'access.emailWaitsForNew' : 'access.emailWaitsForOld')}
      />
    )
  return (
    <LinkFrame title={t('access.emailTitle')} isBusy={isBusy} onSubmit={confirming.mutate}>
      <p className={css.intro}>{t('access.emailText', { name, school, email })}</p>
      <FailureNotice error={error} />
      <Button type="submit" look="primary" className={css.submit} isBusy={confirming.isPending}>
        {t('access.emailConfirm')}
      </Button>
      <Button isBusy={stopping.isPending} disabled={isBusy} onClick={() => stopping.mutate()}>
        {t('access.emailStop')}
      </Button>
    </LinkFrame>
  )
}

function Message({ kind, text }: { readonly kind: 'good' | 'warn'; readonly text: string }) {
  const { t } = useTranslation()
  return (
    <LinkFrame title={t('access.emailTitle')}>
      <Notice kind={kind} isAnswer>
        {text}
      </Notice>
    </LinkFrame>
  )
}

function pathOf(token: string): string {
  return `/auth/email-changes/${encodeURIComponent(token)}`
}
