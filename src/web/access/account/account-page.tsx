import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/button.tsx'
import { Deferred } from '../../ui/deferred.tsx'
import { Mantine } from '../../ui/dialogs/mantine.tsx'
import page from '../../ui/page.module.css'
import { PageHeading } from '../../ui/page-heading.tsx'
import { useSchool } from '../../ui/school.tsx'
import css from './account-page.module.css'
import { IdentitySection } from './identity-section.tsx'
import { PasskeySection } from './passkey-section.tsx'
import { SchoolSection } from './school-section.tsx'
import { SecondFactorSection } from './second-factor-section.tsx'
import { SessionSection } from './session-section.tsx'
import { TokenSection } from './token-section.tsx'

const loadEmailDialog = () => import('./email-dialog.tsx')
const loadPasswordDialog = () => import('../login/password-dialog.tsx')

export function AccountPage() {
  const { user } = useSchool()
  const { t } = useTranslation()
  return (
    <Mantine>
      <div className={page.page}>
        <div className={page.bar}>
          <PageHeading title={t('nav.account')} />
          <span className={page.dimmed}>{user.email}</span>
        </div>
        <div className={page.scroll}>
          <div className={page.sections}>
            <SchoolSection />
            <EmailSection />
            <PasswordSection />
            <PasskeySection />
            <SecondFactorSection />
            <IdentitySection />
            <SessionSection />
            <TokenSection />
          </div>
        </div>
      </div>
    </Mantine>
  )
}

function EmailSection() {
  const { t } = useTranslation()
  const { email } = useSchool().user
  const [isChanging, setChanging] = useState(false)
  return (
    <section className={css.group} aria-labelledby="account-email">
      <div className={css.head}>
        <h2 id="account-email">{t('login.email')}</h2>
        <Button onClick={() => setChanging(true)}>{t('account.emailChange')}</Button>
      </div>
      <p className={page.dimmed}>{email}</p>
      {isChanging && <Deferred load={loadEmailDialog} props={{ email, onClose: () => setChanging(false) }} />}
    </section>
  )
}

function PasswordSection() {
  const { t } = useTranslation()
  const [isChanging, setChanging] = useState(false)
  return (
    <section className={css.group} aria-labelledby="account-password">
      <div className={css.head}>
        <h2 id="account-password">{t('field.password')}</h2>
        <Button onClick={() => setChanging(true)}>{t('password.title')}</Button>
      </div>
      {isChanging && <Deferred load={loadPasswordDialog} props={{ onClose: () => setChanging(false) }} />}
    </section>
  )
}
