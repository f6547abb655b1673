import { useTranslation } from 'react-i18next'
import css from './contact-links.module.css'
import { Icon } from './icon.tsx'
import { telOf } from './tel-of.ts'

type ContactLinksProps = { readonly phone: string | null; readonly email: string | null }

/** Links that call and write; nothing where neither is known. */
export function ContactLinks({ phone, email }: ContactLinksProps) {
  const { t } = useTranslation()
  if (!phone && !email) return null
  return (
    <p className={css.contact}>
      {phone && (
        <a href={telOf(phone)} title={t('lesson.call')}>
          <Icon name="phone" /> {phone}
        </a>
      )}
      {email && (
        <a href={mailtoOf(email)} title={t('lesson.mail')}>
          <Icon name="mail" /> {email}
        </a>
      )}
    </p>
  )
}

/** An address may contain what would be a header of the message: RFC 6068. */
function mailtoOf(email: string): string {
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}`
}
