import type { Tenant } from '../../contract/tenant.ts'
import { type Field, NOTHING } from './field-kinds.ts'
import { momentText } from './moment-text.ts'

/** The actions that a settings page offers, in their order. */
export const STUDENT_ACTIONS = ['confirm', 'cancel', 'wish', 'sign'] as const

/** The actions that are on, with the proof. */
export const ALLOWED_ACTIONS: Field<Tenant['student_actions']> = {
  label: 'studentActions.title',
  texts: (actions, _, t) => {
    const allowed = STUDENT_ACTIONS.filter((one) => actions[one]).map((one) => t(`studentActions.${one}`))
    const proof = `${t('studentActions.proof')}: ${t(`studentActions.proofBy.${actions.proof}`)}`
    return [...(allowed.length > 0 ? allowed : [NOTHING]), proof]
  },
}

export const CONFIRMED: Field<string | null> = {
  label: 'studentActions.confirmation',
  texts: (at, school) => [at === null ? NOTHING : momentText(at, school)],
}
