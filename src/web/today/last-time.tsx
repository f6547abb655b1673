import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Appointment } from '../../contract/appointment.ts'
import { dateOf } from '../../domain/local-time.ts'
import { POLLING } from '../data/polling.ts'
import { practisedBefore } from '../data/practised.ts'
import { useSchool } from '../ui/school.tsx'
import css from './last-time.module.css'

/** The notes on the student's last lesson: its contents, and the plan for the next one. */
export function LastTime({ lesson }: { lesson: Appointment }) {
  const { format } = useSchool()
  const { t } = useTranslation()
  const { data } = useQuery({ ...practisedBefore(lesson), ...POLLING })
  if (!data) return null
  return (
    <div>
      <h3 className={css.heading}>{t('today.lastTime', { day: format.day(dateOf(data.start_at)) })}</h3>
      <p className={css.text}>{data.practised}</p>
    </div>
  )
}
