import { useTranslation } from 'react-i18next'
import type { Student } from '../../contract/student.ts'
import css from './contact-links.module.css'
import { Icon } from './icon.tsx'
import { numbersOf, telOf } from './tel-of.ts'

type ContactLinksProps = Pick<Student, 'phone' | 'phone_2' | 'email'>

/** Links to call and write to a person. */
export function ContactLinks({ email, ...phones }: ContactLinksProps) {
  const { t } = useTranslation()
  const numbers = numbersOf(phones)
  if (numbers.length === 0 && !email) return null
  return (
    <p className={css.contact}>
      {numbers.map((number) => (
        <a key={number} href={telOf(number)} title={t('lesson.call')}>
          <Icon name="phone" /> {number}
        </a>
      ))}
      {email && (
        <a href={mailtoOf(email)} title={t('lesson.mail')}>
          <Icon name="mail" /> {email}
        </a>
      )}
    </p>
  )
}

/** Returns a `mailto:` link, encoded because an address may contain header fields (RFC 6068). */
function mailtoOf(email: string): string {
  return `mailto:${encodeURIComponent(email).replace('%40', '@')}`
}
