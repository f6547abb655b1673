import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { goToIssuer, ssoSchool } from '../../data/sso.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import { LinkFrame } from './link-frame.tsx'
import css from './login-page.module.css'
import { hostOf, ssoMessage } from './sso-messages.ts'

const route = getRouteApi('/sso')

/** The page at which users of a school log in at its issuer. */
export function SsoPage() {
  const { t } = useTranslation()
  const { school = '' } = route.useSearch()
  const { data, error, isError, refetch } = useQuery({ ...ssoSchool(school), enabled: school !== '' })
  const go = useMutation({ mutationFn: () => goToIssuer({ school }) })
  if (data === null || school === '')
    return (
      <LinkFrame title={t('app.name')}>
        <Notice kind="warn" isAnswer>
          {t('sso.gone')}
        </Notice>
      </LinkFrame>
    )
  if (!data) return isError ? <Failure error={error} retry={refetch} /> : <Loading />
  const host = hostOf(data.issuer)
  return (
    <LinkFrame title={t('sso.title', { school: data.school })} isBusy={go.isPending} onSubmit={go.mutate}>
      <p className={css.intro}>{t('sso.text', { host })}</p>
      <FailureNotice error={go.error} explain={ssoMessage} />
      <Button type="submit" look="primary" className={css.submit} isBusy={go.isPending}>
        {t('sso.enter', { host })}
      </Button>
    </LinkFrame>
  )
}
