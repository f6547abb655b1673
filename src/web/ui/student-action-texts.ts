import type { Tenant } from '../../contract/tenant.ts'
import { type Field, NOTHING } from './field-kinds.ts'
import { momentText } from './moment-text.ts'

/** The actions that a settings page offers, in their order. */
export const STUDENT_ACTIONS = ['confirm', 'cancel', 'wish', 'sign'] as const

/** The actions that are on, with the verification. */
export const ALLOWED_ACTIONS: Field<Tenant['student_actions']> = {
  label: 'studentActions.title',
  texts: (actions, _, t) => {
    const allowed = STUDENT_ACTIONS.filter((one) => actions[one]).map((one) => t(`studentActions.${one}`))
    const verification = `${t('studentActions.verification')}: ${t(`studentActions.verificationBy.${actions.proof}`)}`
    return [...(allowed.length > 0 ? allowed : [NOTHING]), verification]
  },
}

/** The mode of moving and booking by students, with the bounds that it has. */
export const STUDENT_BOOKING: Field<Tenant['student_booking']> = {
  label: 'studentBooking.title',
  texts: ({ mode, ...bounds }, { lessonType }, t) => {
    const { notice_hours, horizon_days, time_from, time_to, no_gaps, lessons_ahead, lesson_type_ids } = bounds
    const shown = t(`studentBooking.modeIs.${mode}`)
    if (mode === 'off') return [shown]
    const times = [
      t('studentBooking.between', { hours: notice_hours, days: horizon_days }),
      `${time_from}–${time_to}`,
      t(`studentBooking.gaps.${no_gaps ? 'on' : 'off'}`),
    ]
    if (mode === 'move') return [shown, ...times]
    const names = lesson_type_ids?.map((id) => lessonType.get(id)?.name ?? NOTHING)
    return [
      shown,
      ...times,
      t('studentBooking.ahead', { count: lessons_ahead }),
      ...(names ?? [t('studentBooking.anyType')]),
    ]
  },
}

export const CONFIRMED: Field<string | null> = {
  label: 'studentActions.confirmation',
  texts: (at, school) => [at === null ? NOTHING : momentText(at, school)],
}
