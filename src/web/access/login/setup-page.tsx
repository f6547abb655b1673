import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SetupState } from '../../../contract/setup.ts'
import { send } from '../../data/send.ts'
import icon from '../../icon.svg'
import { Notice } from '../../ui/notice.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import login from './login-page.module.css'
import { SetupForm } from './setup-form.tsx'
import css from './setup-page.module.css'

export function SetupPage() {
  const { t } = useTranslation()
  const code = useCodeOfLink()
  const { data, error, refetch } = useQuery({
    queryKey: ['setup'],
    queryFn: async ({ signal }): Promise<SetupState> => (await send('/setup', { signal })).json(),
  })
  if (!data) return error ? <Failure error={error} retry={refetch} /> : <Loading />
  return (
    <main className={css.page}>
      <div className={`${login.form} ${css.sheet}`}>
        <img className={login.logo} src={icon} alt="" />
        <PageHeading className={login.title} title={t('setup.title')} />
        {data.is_open && !window.isSecureContext && (
          <Notice kind="warn" title={t('setup.insecureTitle')}>
            {t('setup.insecure')}
          </Notice>
        )}
        {data.is_open ? <SetupForm codeOfLink={code} onRefused={() => void refetch()} /> : <Closed />}
      </div>
    </main>
  )
}

function Closed() {
  const { t } = useTranslation()
  return (
    <>
      <Notice kind="good">{t('setup.closed')}</Notice>
      <Link to="/">{t('setup.logIn')}</Link>
    </>
  )
}

/** Returns the code after `#` in the printed link, and removes it from the address and the history. */
function useCodeOfLink(): string {
  const navigate = useNavigate()
  const [code] = useState(() => window.location.hash.slice(1))
  useEffect(() => {
    if (code !== '') void navigate({ to: '/setup', hash: '', replace: true })
  }, [code, navigate])
  return code
}
