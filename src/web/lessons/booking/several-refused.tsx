import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../../contract/appointment.ts'
import { Notice } from '../../ui/notice.tsx'
import { problemWords, refusalIn } from '../../ui/problem-words.ts'
import { useSchool } from '../../ui/school.tsx'
import { whenWords } from '../lesson-words.ts'
import { refusalWords } from '../refusal-words.ts'
import type { Several } from './use-several.ts'

type SeveralRefusedProps = {
  readonly several: Several
  readonly lessons: readonly Appointment[]
}

/** Why several lessons were not booked, and the one that is the reason. */
export function SeveralRefused({ several: { error, refused }, lessons }: SeveralRefusedProps) {
  const school = useSchool()
  const { t } = useTranslation()
  if (!error) return null
  const refusal = refusalIn(error)
  if (!refusal || !refused) {
    return (
      <Notice kind="bad" title={t('booking.notSaved')} isAnswer>
        {problemWords(error, t)}
      </Notice>
    )
  }
  const about = { student_id: null, ...refused, appointments: lessons }
  const why = refusalWords(refusal, about, school, t)
  return (
    <Notice kind="bad" title={t('slots.noneBooked')} isAnswer>
      <p>{t('slots.oneRefused', { when: whenWords(refused, school), why })}</p>
      <p>{t('slots.othersFit')}</p>
    </Notice>
  )
}
