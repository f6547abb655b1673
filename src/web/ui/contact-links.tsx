import { useTranslation } from 'react-i18next'
import css from './contact-links.module.css'
import { Icon } from './icon.tsx'

type ContactLinksProps = { readonly phone: string | null; readonly email: string | null }

export function ContactLinks({ phone, email }: ContactLinksProps) {
  const { t } = useTranslation()
  if (!phone && !email) return null
  return (
    <p className={css.contact}>
      {phone && (
        <a href={`tel:${phone.replace(/[^+\d]/g, '')}`} title={t('lesson.call')}>
          <Icon name="phone" /> {phone}
        </a>
      )}
      {email && (
        <a href={`mailto:${email}`} title={t('lesson.mail')}>
          <Icon name="mail" /> {email}
        </a>
      )}
    </p>
  )
}
