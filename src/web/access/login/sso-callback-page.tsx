import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { completeSso } from '../../data/sso.ts'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { Loading } from '../../ui/states.tsx'
import { LinkFrame } from './link-frame.tsx'
import { ssoMessage } from './sso-messages.ts'

/** The page to which an issuer sends the browser back. Its answer works once. */
export function SsoCallbackPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const isSent = useRef(false)
  const { mutate, error } = useMutation({
    mutationFn: completeSso,
    onSuccess: (to) => navigate({ to, replace: true }),
  })
  useEffect(() => {
    if (isSent.current) return
    isSent.current = true
    const parameters = location.search.slice(1)
    // The code is not left in the history of the browser.
    history.replaceState(history.state, '', location.pathname)
    mutate(parameters)
  }, [mutate])
  return (
    <LinkFrame title={t('sso.completing')}>
      {error ? <FailureNotice error={error} explain={ssoMessage} /> : <Loading />}
    </LinkFrame>
  )
}
