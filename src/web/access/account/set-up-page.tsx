import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SecondFactor } from '../../../contract/passkey.ts'
import type { TotpOffer } from '../../../contract/totp.ts'
import { makeRecoveryCodes, offerTotp, switchSecondFactor } from '../../data/account.ts'
import { offerPasskey, passkeyObstacle } from '../../data/passkeys.ts'
import { logOut } from '../../data/session.ts'
import icon from '../../icon.svg'
import { Button } from '../../ui/button.tsx'
import { Deferred } from '../../ui/deferred.tsx'
import { Mantine } from '../../ui/dialogs/mantine.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import { PageHeading } from '../../ui/page-heading.tsx'
import { ceremonyMessage } from '../login/ceremony-messages.ts'
import css from '../login/login-page.module.css'
import { AddPasskey } from './passkey-names.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { loadTotp } from './totp-row.tsx'
import { useProved } from './use-proved.tsx'

/** Sets up the second factor that the school requires; without one, the service answers nothing else. */
export default function SetUpPage({ onDone }: { readonly onDone: () => void }) {
  const { t } = useTranslation()
  const [offer, setOffer] = useState<TotpOffer>()
  const [isAdding, setAdding] = useState(false)
  const [codes, setCodes] = useState<readonly string[]>()
  const make = useProved(makeRecoveryCodes, setCodes)
  const next = ({ recovery_codes_left }: Pick<SecondFactor, 'recovery_codes_left'>) =>
    recovery_codes_left === 0 ? make.run(undefined) : onDone()
  const app = useProved(offerTotp, setOffer)
  const passkey = useProved(offerPasskey, () => setAdding(true))
  const turn = useProved(switchSecondFactor, next)
  const all = [app, passkey, turn, make]
  const isBusy = all.some((one) => one.isBusy)
  return (
    <main className={css.page}>
      <div className={css.form}>
        <img className={css.logo} src={icon} alt="" />
        <PageHeading className={css.title} title={t('factor.setUpTitle')} />
        <Mantine>
          <p className={css.hint}>{t('factor.setUpText')}</p>
          <FailureNotice error={all.find(({ error }) => error)?.error} explain={ceremonyMessage} />
          <Button look="primary" className={css.submit} disabled={isBusy} onClick={() => app.run(undefined)}>
            {t('factor.setUp')}
          </Button>
          {passkeyObstacle() === undefined && (
            <Button
              icon="key"
              className={css.submit}
              disabled={isBusy}
              onClick={() => passkey.run(undefined)}
            >
              {t('account.add')}
            </Button>
          )}
          <Button look="bare" onClick={() => void logOut()}>
            {t('login.logout')}
          </Button>
          {offer && (
            <Deferred
              load={loadTotp}
              props={{
                offer,
                onDone: (factor: SecondFactor) => {
                  setOffer(undefined)
                  next(factor)
                },
                onClose: () => setOffer(undefined),
              }}
            />
          )}
          {isAdding && <AddPasskey onClose={() => setAdding(false)} onDone={() => turn.run(true)} />}
          {all.map(({ dialog }) => dialog)}
          {codes && <RecoveryCodes codes={codes} onClose={onDone} />}
        </Mantine>
      </div>
    </main>
  )
}
