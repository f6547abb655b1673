import { useTranslation } from 'react-i18next'
import css from './contact-links.module.css'
import { Icon } from './icon.tsx'

type ContactLinksProps = { readonly phone: string | null; readonly email: string | null }

/** Emergency numbers have three digits; what has fewer is not a number. */
const SHORTEST_NUMBER = 3

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

/** What calls a number, however it is written; none for what is no number. */
export function telOf(phone: string): string | undefined {
  const number = phone.replace(/[^+\d]/g, '')
  return number.length >= SHORTEST_NUMBER ? `tel:${number}` : undefined
}

/** An address may contain what would be a header of the message: RFC 6068. */
function mailtoOf(email: string): string {
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}`
}
