import { useQueryClient } from '@tanstack/react-query'
import { type PropsWithChildren, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../data/send.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { problemMessage } from './problem-messages.ts'
import css from './states.module.css'

/** A placeholder with the content's size. */
export function Loading() {
  const { t } = useTranslation()
  return (
    <div className={css.loading} role="status" aria-label={t('app.loading')}>
      <div className={css.shimmer} />
    </div>
  )
}

/** Explains why something could not be loaded, with a button to retry. */
export function Failure({ error, retry }: { error: unknown; retry: () => void }) {
  const { t } = useTranslation()
  return (
    <div className={css.message} role="alert">
      <Icon name="alert" size={32} />
      {!isGone(error) && <h2>{t('failure.title')}</h2>}
      <p>{problemMessage(error, t)}</p>
      {!isGone(error) && (
        <Button look="primary" onClick={retry}>
          {t('action.retry')}
        </Button>
      )}
    </div>
  )
}

/** The reason why a list is empty, and a remedy. */
export function Empty({ text, children }: PropsWithChildren<{ text: string }>) {
  return (
    <div className={css.message}>
      <Icon name="calendar" size={32} />
      <p>{text}</p>
      {children}
    </div>
  )
}

/** Shows above every page that its data cannot be refreshed. */
export function OfflineBar() {
  const { t } = useTranslation()
  const cache = useQueryClient().getQueryCache()
  const isOld = useSyncExternalStore(
    (changed) => cache.subscribe(changed),
    () =>
      cache
        .getAll()
        .some(
          (query) => query.isActive() && query.state.status === 'error' && query.state.data !== undefined,
        ),
  )
  if (!isOld) return null
  return (
    <div className={css.offline} role="status">
      <Icon name="alert" /> {t('app.offline')}
    </div>
  )
}

/** Whether the resource does not exist, so that a retry would not help. */
function isGone(error: unknown): boolean {
  return error instanceof ApiProblem && error.is('not_found')
}
