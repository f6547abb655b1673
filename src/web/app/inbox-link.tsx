import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { inboxCount } from '../data/inbox.ts'
import { Icon } from '../ui/icon.tsx'
import css from './shell.module.css'

/** The figure at which the service stops counting. */
const MAX_COUNTED = 100

/** The link to the inbox, with the number of new entries; `isIcon` for an instructor's narrow header. */
export function InboxLink({ isIcon = false }: { readonly isIcon?: boolean }) {
  const { t } = useTranslation()
  const { data } = useQuery(inboxCount)
  const count = data?.new ?? 0
  const title = count > 0 ? t('nav.inboxNew', { count }) : t('nav.inbox')
  return (
    <Link
      to="/inbox"
      className={isIcon ? css.iconLink : css.link}
      aria-label={isIcon ? title : undefined}
      activeOptions={{ includeSearch: false }}
    >
      <Icon name="mail" /> {!isIcon && t('nav.inbox')}
      {count > 0 && (
        <span className={css.count} title={title}>
          {count >= MAX_COUNTED ? '99+' : count}
        </span>
      )}
    </Link>
  )
}
