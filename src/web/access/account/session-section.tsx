import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { OwnSession } from '../../../contract/own-session.ts'
import { ACCOUNT, endSessions, ownSessions } from '../../data/account.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNotice } from '../../ui/failure-notice.tsx'
import page from '../../ui/page.module.css'
import { useSchool } from '../../ui/school.tsx'
import { Failure, Loading } from '../../ui/states.tsx'
import { toast } from '../../ui/toasts.ts'
import css from './account-page.module.css'
import { momentIn } from './moment.ts'

export function SessionSection() {
  const { t } = useTranslation()
  const client = useQueryClient()
  const { data, error, isError, refetch } = useQuery(ownSessions)
  const ending = useMutation({
    mutationFn: endSessions,
    onSettled: () => client.invalidateQueries({ queryKey: ACCOUNT }),
    onSuccess: (_, id) =>
      toast({ kind: 'done', text: t(id === undefined ? 'account.othersEnded' : 'account.ended') }),
  })
  return (
    <section className={css.group} aria-labelledby="account-sessions">
      <div className={css.head}>
        <h2 id="account-sessions">{t('account.sessions')}</h2>
        {data && data.length > 1 && (
          <Button look="remove" disabled={ending.isPending} onClick={() => ending.mutate(undefined)}>
            {t('account.endOthers')}
          </Button>
        )}
      </div>
      <p className={page.dimmed}>{t('account.sessionsHint')}</p>
      <FailureNotice error={ending.error} />
      {!data && (isError ? <Failure error={error} retry={refetch} /> : <Loading />)}
      {data && (
        <ul>
          {data.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              isBusy={ending.isPending}
              onEnd={() => ending.mutate(session.id)}
            />
          ))}
        </ul>
      )}
    </section>
  )
}

type SessionRowProps = {
  readonly session: OwnSession
  readonly isBusy: boolean
  readonly onEnd: () => void
}

function SessionRow({ session, isBusy, onEnd }: SessionRowProps) {
  const school = useSchool()
  const { t } = useTranslation()
  const name = [session.browser, session.system].filter(Boolean).join(', ') || t('account.program')
  const facts = [
    t('account.since', { when: momentIn(school, session.created_at) }),
    t('account.usedOn', { when: momentIn(school, session.last_used_at) }),
  ]
  return (
    <li className={css.row}>
      <div className={css.what}>
        <p>
          <strong>{name}</strong>
          {session.is_current && ` · ${t('account.thisOne')}`}
        </p>
        <p className={page.dimmed}>{facts.join(' · ')}</p>
      </div>
      {!session.is_current && (
        <Button aria-label={t('account.endThis', { name })} disabled={isBusy} onClick={onEnd}>
          {t('account.end')}
        </Button>
      )}
    </li>
  )
}
