import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SecondFactor } from '../../../contract/passkey.ts'
import { makeRecoveryCodes, ownPasskeys, secondFactor, switchSecondFactor } from '../../data/account.ts'
import { Button } from '../../ui/button.tsx'
import { SwitchField } from '../../ui/dialogs/switch-field.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import page from '../../ui/page.module.css'
import { Failure, Loading } from '../../ui/states.tsx'
import { ceremonyMessage } from '../login/ceremony-messages.ts'
import css from './account-page.module.css'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TotpRow } from './totp-row.tsx'
import { useProved } from './use-proved.tsx'

export function SecondFactorSection() {
  const { t } = useTranslation()
  const { data, error, isError, refetch } = useQuery(secondFactor)
  return (
    <section className={css.group} aria-labelledby="account-second-factor">
      <h2 id="account-second-factor">{t('account.secondFactor')}</h2>
      {data ? <Switches factor={data} /> : isError ? <Failure error={error} retry={refetch} /> : <Loading />}
    </section>
  )
}

function Switches({ factor }: { factor: SecondFactor }) {
  const { enabled, is_required, totp_since, recovery_codes_left: count } = factor
  const { t } = useTranslation()
  const { data: passkeys = [] } = useQuery(ownPasskeys)
  const [codes, setCodes] = useState<readonly string[]>()
  const make = useProved(makeRecoveryCodes, setCodes)
  const turn = useProved(switchSecondFactor, () => {
    // Without codes, a lost device would lock the user out.
    if (!enabled && count === 0) make.run(undefined)
  })
  const error = turn.error ?? make.error
  const app = <TotpRow factor={factor} hasPasskey={passkeys.length > 0} onFirst={() => make.run(undefined)} />
  if (passkeys.length === 0 && totp_since === null)
    return (
      <>
        <p className={page.dimmed}>{t('account.needsPasskey')}</p>
        {app}
      </>
    )
  return (
    <>
      {enabled && is_required ? (
        <p className={page.dimmed}>{t('factor.isRequired')}</p>
      ) : (
        <SwitchField
          label={t('account.askBeside')}
          isOn={enabled}
          onChange={(isOn) => !turn.isBusy && turn.run(isOn)}
        />
      )}
      {app}
      <div className={css.row}>
        <div className={css.what}>
          <h3>{t('account.codes')}</h3>
          <p className={page.dimmed}>{t('account.codesHint')}</p>
          <p>
            {count > 0
              ? t('account.codesLeft', { count })
              : t(enabled ? 'account.noCodes' : 'account.noCodesYet')}
          </p>
        </div>
        <Button isBusy={make.isBusy} onClick={() => make.run(undefined)}>
          {t('account.newCodes')}
        </Button>
      </div>
      <FailureNotice error={error} explain={ceremonyMessage} />
      {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
      {turn.dialog}
      {make.dialog}
    </>
  )
}
