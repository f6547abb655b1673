import type { TFunction } from 'i18next'
import type { ScheduleRequest } from '../../contract/schedule-request.ts'
import { fieldText } from './field-texts.ts'
import type { School } from './school.tsx'

/** Returns "Days off: 3 – 14 August" or "Other working hours: Monday 08:00–12:00". */
export function requestText(request: ScheduleRequest, school: School, t: TFunction): string {
  const { start_date, end_date, availability_windows } = request
  if (start_date !== null && end_date !== null)
    return `${t('request.daysOff')}: ${school.format.days(start_date, end_date)}`
  const [hours] = fieldText('instructor', { availability_windows }, school, t)
  return `${t('request.hours')}: ${hours?.texts.join(', ') || t('instructor.always')}`
}

/** Returns "Accepted: Anna Berg, 3 – 14 August". */
export function decisionText(
  { status, start_date, end_date }: ScheduleRequest,
  name: string,
  { format }: School,
  t: TFunction,
): string {
  const what =
    start_date !== null && end_date !== null ? format.days(start_date, end_date) : t('request.hours')
  return t(status === 'accepted' ? 'request.hasAccepted' : 'request.hasDeclined', { name, what })
}
