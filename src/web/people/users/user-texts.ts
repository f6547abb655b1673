import type { TFunction } from 'i18next'
import type { SchoolUser } from '../../../contract/user.ts'
import { dateOf } from '../../../domain/local-time.ts'
import { localNow, localToday } from '../../../domain/time-zone.ts'
import { nameOf, type School } from '../../ui/school.tsx'

/** Returns the user's role; for a user who teaches, `instructor` with the instructor's name. */
export function roleText({ role, instructor_id }: SchoolUser, school: School, t: TFunction): string {
  const instructor = school.instructor.get(instructor_id ?? '')
  return instructor ? `${t('role.instructor')}: ${nameOf(instructor)}` : t(`role.${role}`)
}

export function stateText(
  { state, invited_until }: SchoolUser,
  { format, tenant }: School,
  t: TFunction,
): string {
  if (state !== 'invited') return t(`users.${state}`)
  if (isExpired(invited_until)) return t('users.expired')
  const date = dateOf(localNow(new Date(invited_until ?? ''), tenant.timezone))
  return t('users.invited', { until: format.day(date) })
}

/** Returns the day on which the user was last seen, in words if it is today or unknown. */
export function seenText({ last_seen_at }: SchoolUser, { format, tenant }: School, t: TFunction): string {
  if (last_seen_at === null) return t('users.seenLongAgo')
  const date = dateOf(localNow(new Date(last_seen_at), tenant.timezone))
  return date === localToday(new Date(), tenant.timezone) ? t('users.seenToday') : format.day(date)
}

/** Returns the second factors of which a login needs one. */
export function factorText({ second_factors }: SchoolUser, t: TFunction): string {
  return second_factors.map((one) => t(`factor.${one}`)).join(', ') || t('factor.none')
}

/** Returns the reason why the newest mail to the user has not arrived; undefined if there is none. */
export function mailText({ mail, disabled }: SchoolUser, t: TFunction): string | undefined {
  if (mail === null || disabled || mail.state === 'sent' || mail.reason === null) return undefined
  return t(mail.state === 'failed' ? 'users.notDelivered' : 'users.notYetDelivered', { reason: mail.reason })
}

function isExpired(until: string | null): boolean {
  return until === null || Date.parse(until) <= Date.now()
}
