import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Offer } from '../../contract/offer.ts'
import { intervalOf, minutesOf } from '../../domain/interval.ts'
import { withdrawOffer } from '../data/gaps.ts'
import { Button } from '../ui/button.tsx'
import { ContactLinks } from '../ui/contact-links.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { FailureNotice } from '../ui/failure-notice.tsx'
import field from '../ui/field.module.css'
import { momentText } from '../ui/moment-text.ts'
import { studentName, useSchool } from '../ui/school.tsx'
import css from './gap-dialog.module.css'

/** An offer: its state, the links of its students while it is open, and its withdrawal. */
export function OfferLinks({ offer }: { readonly offer: Offer }) {
  const school = useSchool()
  const { t } = useTranslation()
  const { mutate, error, isPending } = useMutation({ mutationFn: withdrawOffer })
  const isOpen = offer.state === 'open'
  const type = school.lessonType.get(offer.lesson_type_id)?.name
  const length = t('lesson.minutes', { count: minutesOf(intervalOf(offer)) })
  const winner = school.student.get(offer.taken_by ?? '')
  return (
    <section className={css.offer}>
      <p className={css.what}>{[type, length].filter(Boolean).join(' · ')}</p>
      <p role="status">
        {t(`gap.state.${offer.state}`, {
          name: winner ? studentName(winner, school) : '',
          moment: momentText(offer.expires_at, school),
        })}
      </p>
      <FailureNotice error={error} title={t('booking.notSaved')} />
      {isOpen && (
        <>
          <ul className={css.list}>
            {offer.links.map((link) => (
              <LinkRow key={link.student_id} link={link} />
            ))}
          </ul>
          <Button look="remove" isBusy={isPending} onClick={() => mutate(offer)}>
            {t('gap.withdraw')}
          </Button>
        </>
      )}
    </section>
  )
}

function LinkRow({ link: { student_id, url } }: { readonly link: Offer['links'][number] }) {
  const school = useSchool()
  const { t } = useTranslation()
  const student = school.student.get(student_id)
  if (!student) return null
  const name = studentName(student, school)
  return (
    <li>
      <span>{name}</span>
      <ContactLinks phone={student.phone} phone_2={student.phone_2} email={null} />
      {url && (
        <span className={css.link}>
          <input
            className={field.field}
            aria-label={t('gap.linkFor', { name })}
            value={url}
            readOnly
            onFocus={({ target }) => target.select()}
          />
          <CopyButton text={url} />
        </span>
      )}
    </li>
  )
}
