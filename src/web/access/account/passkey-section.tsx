import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Passkey } from '../../../contract/passkey.ts'
import { ownPasskeys, secondFactor } from '../../data/account.ts'
import { offerPasskey, passkeyObstacle } from '../../data/passkeys.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import layout from '../../ui/layout.module.css'
import { Notice } from '../../ui/notice.tsx'
import page from '../../ui/page.module.css'
import { useSchool } from '../../ui/school.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import { ceremonyMessage } from '../login/ceremony-messages.ts'
import css from './account-page.module.css'
import { momentIn } from './moment.ts'
import { AddPasskey, RenamePasskey } from './passkey-names.tsx'
import { RemovePasskey } from './remove-passkey.tsx'
import { useProved } from './use-proved.tsx'

export function PasskeySection() {
  const { t } = useTranslation()
  const [isAdding, setAdding] = useState(false)
  const { data, error, isError, refetch } = useQuery(ownPasskeys)
  const hindrance = passkeyObstacle()
  // Confirms the identity first, so that no name is typed in vain.
  const offer = useProved(offerPasskey, () => setAdding(true))
  return (
    <section className={css.group} aria-labelledby="account-passkeys">
      <div className={css.head}>
        <h2 id="account-passkeys">{t('account.passkeys')}</h2>
        {hindrance === undefined && (
          <Button icon="plus" isBusy={offer.isBusy} onClick={() => offer.run(undefined)}>
            {t('account.add')}
          </Button>
        )}
      </div>
      <p className={page.dimmed}>{t('account.passkeysHint')}</p>
      {hindrance && <Notice kind="open">{t(`account.${hindrance}`)}</Notice>}
      <FailureNotice error={offer.error} explain={ceremonyMessage} />
      {!data && (isError ? <Failure error={error} retry={refetch} /> : <Loading />)}
      {data?.length === 0 && <p>{t('account.noPasskeys')}</p>}
      {data && data.length > 0 && (
        <ul>
          {data.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} isLast={data.length === 1} />
          ))}
        </ul>
      )}
      {isAdding && <AddPasskey onClose={() => setAdding(false)} />}
      {offer.dialog}
    </section>
  )
}

function PasskeyRow({ passkey, isLast }: { passkey: Passkey; isLast: boolean }) {
  const school = useSchool()
  const { t } = useTranslation()
  const { data: factor } = useQuery(secondFactor)
  const [doing, setDoing] = useState<'rename' | 'remove'>()
  const close = () => setDoing(undefined)
  const { name, created_at, last_used_at, is_synced } = passkey
  const facts = [
    t('account.addedOn', { when: momentIn(school, created_at) }),
    last_used_at === null
      ? t('account.unused')
      : t('account.usedOn', { when: momentIn(school, last_used_at) }),
    t(is_synced ? 'account.synced' : 'account.oneDevice'),
  ]
  return (
    <li className={css.row}>
      <div className={css.what}>
        <p>
          <strong>{name}</strong>
        </p>
        <p className={page.dimmed}>{facts.join(' · ')}</p>
      </div>
      <div className={layout.buttons}>
        <Button aria-label={`${name}: ${t('account.rename')}`} onClick={() => setDoing('rename')}>
          {t('account.rename')}
        </Button>
        <Button
          look="remove"
          aria-label={`${name}: ${t('account.remove')}`}
          onClick={() => setDoing('remove')}
        >
          {t('account.remove')}
        </Button>
      </div>
      {doing === 'rename' && <RenamePasskey passkey={passkey} onClose={close} />}
      {doing === 'remove' && (
        <RemovePasskey
          passkey={passkey}
          endsSecondFactor={isLast && factor?.enabled === true}
          onClose={close}
        />
      )}
    </li>
  )
}
