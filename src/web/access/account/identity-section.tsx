import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { goToLink, ownIdentity, ssoSchool, unlinkIdentity } from '../../data/sso.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import layout from '../../ui/layout.module.css'
import page from '../../ui/page.module.css'
import { useSchool } from '../../ui/school.tsx'
import { toast } from '../../ui/toasts.ts'
import { hostOf, ssoMessage } from '../login/sso-messages.ts'
import css from './account-page.module.css'
import { momentIn } from './moment.ts'
import { useProved } from './use-proved.tsx'

/** The link to the user's account at the issuer; hidden if the school has none. */
export function IdentitySection() {
  const school = useSchool()
  const { t } = useTranslation()
  const { data: provider } = useQuery(ssoSchool(school.tenant.id))
  const { data: identity } = useQuery(ownIdentity)
  const link = useProved(goToLink, () => undefined)
  const unlink = useProved(unlinkIdentity, () => toast({ kind: 'done', text: t('sso.unlinked') }))
  if (!provider) return null
  return (
    <section className={css.group} aria-labelledby="account-identity">
      <div className={css.head}>
        <h2 id="account-identity">{t('sso.account')}</h2>
        <div className={layout.buttons}>
          <Button isBusy={link.isBusy} onClick={() => link.run(undefined)}>
            {t(identity ? 'sso.linkAgain' : 'sso.link')}
          </Button>
          {identity && (
            <Button look="remove" isBusy={unlink.isBusy} onClick={() => unlink.run(undefined)}>
              {t('sso.unlink')}
            </Button>
          )}
        </div>
      </div>
      <p className={page.dimmed}>{t('sso.accountHint', { host: hostOf(provider.issuer) })}</p>
      {identity && <p>{t('sso.linked', { when: momentIn(school, identity.since) })}</p>}
      <FailureNotice error={link.error ?? unlink.error} explain={ssoMessage} />
      {link.dialog}
      {unlink.dialog}
    </section>
  )
}
