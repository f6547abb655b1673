import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SecondFactor } from '../../../contract/passkey.ts'
import type { TotpOffer } from '../../../contract/totp.ts'
import { offerTotp, removeTotp } from '../../data/account.ts'
import { Button } from '../../ui/button.tsx'
import { Deferred } from '../../ui/deferred.tsx'
import { Confirmation } from '../../ui/dialogs/confirmation.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import layout from '../../ui/layout.module.css'
import page from '../../ui/page.module.css'
import { useSchool } from '../../ui/school.tsx'
import { toast } from '../../ui/toasts.ts'
import { ceremonyMessage } from '../login/ceremony-messages.ts'
import css from './account-page.module.css'
import { momentIn } from './moment.ts'
import { useProved } from './use-proved.tsx'

/** Fetches the dialog that draws the QR code. */
export const loadTotp = () => import('./totp-dialog.tsx')

type TotpRowProps = {
  readonly factor: SecondFactor
  readonly hasPasskey: boolean
  /** Called after the set-up if the user has no recovery codes. */
  readonly onFirst: () => void
}

export function TotpRow({ factor, hasPasskey, onFirst }: TotpRowProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const [offer, setOffer] = useState<TotpOffer>()
  const [isRemoving, setRemoving] = useState(false)
  const begin = useProved(offerTotp, setOffer)
  const { totp_since } = factor
  return (
    <div className={css.row}>
      <div className={css.what}>
        <h3>{t('factor.app')}</h3>
        <p className={page.dimmed}>
          {totp_since === null
            ? t('factor.appHint')
            : t('factor.since', { when: momentIn(school, totp_since) })}
        </p>
      </div>
      <div className={layout.buttons}>
        <Button isBusy={begin.isBusy} onClick={() => begin.run(undefined)}>
          {t(totp_since === null ? 'factor.setUp' : 'factor.replace')}
        </Button>
        {totp_since !== null && (
          <Button look="remove" onClick={() => setRemoving(true)}>
            {t('factor.remove')}
          </Button>
        )}
      </div>
      <FailureNotice error={begin.error} explain={ceremonyMessage} />
      {begin.dialog}
      {offer && (
        <Deferred
          load={loadTotp}
          props={{
            offer,
            onDone: ({ recovery_codes_left }: SecondFactor) => {
              setOffer(undefined)
              if (recovery_codes_left === 0) onFirst()
            },
            onClose: () => setOffer(undefined),
          }}
        />
      )}
      {isRemoving && (
        <RemoveTotp endsSecondFactor={factor.enabled && !hasPasskey} onClose={() => setRemoving(false)} />
      )}
    </div>
  )
}

type RemoveTotpProps = { readonly endsSecondFactor: boolean; readonly onClose: () => void }

function RemoveTotp({ endsSecondFactor, onClose }: RemoveTotpProps) {
  const { t } = useTranslation()
  const { run, error, isBusy, dialog } = useProved(removeTotp, () => {
    toast({ kind: 'done', text: t('factor.removed') })
    onClose()
  })
  return (
    <>
      <Confirmation
        title={t('factor.removeTitle')}
        keep={t('action.cancel')}
        act={t('factor.remove')}
        isBusy={isBusy}
        error={error}
        onAct={() => run(undefined)}
        onClose={onClose}
      >
        {t('factor.removeHint')}
        {endsSecondFactor && ` ${t('factor.removeLast')}`}
      </Confirmation>
      {dialog}
    </>
  )
}
