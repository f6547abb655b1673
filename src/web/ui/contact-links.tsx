import { useTranslation } from 'react-i18next'
import type { Student } from '../../contract/student.ts'
import css from './contact-links.module.css'
import { Icon } from './icon.tsx'
import { telOf } from './tel-of.ts'

type ContactLinksProps = Pick<Student, 'phone' | 'phone_2' | 'email'>

/** Links that call and write; nothing where neither is known. */
export function ContactLinks({ phone, phone_2, email }: ContactLinksProps) {
  const { t } = useTranslation()
  if (!phone && !phone_2 && !email) return null
  return (
    <p className={css.contact}>
      {[phone, phone_2].map(
        (number) =>
          number && (
            <a key={number} href={telOf(number)} title={t('lesson.call')}>
              <Icon name="phone" /> {number}
            </a>
          ),
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
