import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiToken } from '../../../contract/api-token.ts'
import { ACCOUNT, apiTokens, endApiToken } from '../../data/account.ts'
import { Button } from '../../ui/button.tsx'
import { Deferred } from '../../ui/deferred.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import page from '../../ui/page.module.css'
import { useSchool } from '../../ui/school.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import { toast } from '../../ui/toasts.ts'
import css from './account-page.module.css'
import { momentIn } from './moment.ts'

const loadDialog = () => import('./token-dialog.tsx')

/** Lists the API tokens of the user's scripts and assistants. */
export function TokenSection() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [isAdding, setAdding] = useState(false)
  const { data, error, isError, refetch } = useQuery(apiTokens)
  const ending = useMutation({
    mutationFn: endApiToken,
    onSettled: () => client.invalidateQueries({ queryKey: ACCOUNT }),
    onSuccess: () => toast({ kind: 'done', text: t('account.tokenEnded') }),
  })
  return (
    <section className={css.group} aria-labelledby="account-tokens">
      <div className={css.head}>
        <h2 id="account-tokens">{t('account.tokens')}</h2>
        <Button icon="plus" onClick={() => setAdding(true)}>
          {t('account.tokenAdd')}
        </Button>
      </div>
      <p className={page.dimmed}>{t('account.tokensHint')}</p>
      <FailureNotice error={ending.error} />
      {!data && (isError ? <Failure error={error} retry={refetch} /> : <Loading />)}
      {data?.length === 0 && <p>{t('account.noPasskeys')}</p>}
      {data && data.length > 0 && (
        <ul>
          {data.map((token) => (
            <TokenRow
              key={token.id}
              token={token}
              isBusy={ending.isPending}
              onEnd={() => ending.mutate(token.id)}
            />
          ))}
        </ul>
      )}
      {isAdding && <Deferred load={loadDialog} props={{ onClose: () => setAdding(false) }} />}
    </section>
  )
}

type TokenRowProps = { readonly token: ApiToken; readonly isBusy: boolean; readonly onEnd: () => void }

function TokenRow({ token, isBusy, onEnd }: TokenRowProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const { name, role, scope, last_used_at, expires_at } = token
  const isOver = new Date(expires_at) <= new Date()
  const facts = [
    t(`role.${role}`),
    t(`account.scope.${scope}`),
    t(isOver ? 'account.tokenExpired' : 'account.tokenUntil', { when: momentIn(school, expires_at) }),
    last_used_at === null
      ? t('account.unused')
      : t('account.usedOn', { when: momentIn(school, last_used_at) }),
  ]
  return (
    <li className={css.row}>
      <div className={css.what}>
        <p>
          <strong>{name}</strong>
        </p>
        <p className={page.dimmed}>{facts.join(' · ')}</p>
      </div>
      <Button look="remove" aria-label={t('account.endThis', { name })} disabled={isBusy} onClick={onEnd}>
        {t('account.end')}
      </Button>
    </li>
  )
}
