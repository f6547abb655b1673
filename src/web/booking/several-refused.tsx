import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { whenText } from '../lessons/lesson-texts.ts'
import { refusalMessage } from '../lessons/refusal-messages.ts'
import { FailureNotice } from '../ui/failure-notice.tsx'
import { Notice } from '../ui/notice.tsx'
import { refusalIn } from '../ui/problem-messages.ts'
import { useSchool } from '../ui/school.tsx'
import type { SeveralState } from './use-several.ts'

type SeveralRefusedProps = {
  readonly several: SeveralState
  readonly lessons: readonly Appointment[]
}

/** The reason why none of several lessons was booked, and the lesson that was refused. */
export function SeveralRefused({ several: { error, refused }, lessons }: SeveralRefusedProps) {
  const school = useSchool()
  const { t } = useTranslation()
  if (!error) return null
  const refusal = refusalIn(error)
  if (!refusal || !refused) return <FailureNotice error={error} title={t('booking.notSaved')} />
  const about = { student_id: null, ...refused, appointments: lessons }
  const why = refusalMessage(refusal, about, school, t)
  return (
    <Notice kind="bad" title={t('slots.noneBooked')} isAnswer>
      <p>{t('slots.oneRefused', { when: whenText(refused, school), why })}</p>
      <p>{t('slots.othersFit')}</p>
    </Notice>
  )
}
