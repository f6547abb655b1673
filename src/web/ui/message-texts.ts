import type { Tenant } from '../../contract/tenant.ts'
import { MESSAGE_KINDS } from '../../domain/messages.ts'
import type { Field } from './field-kinds.ts'

/** The kinds that a school sends, the hours of reminders and the quiet hours. */
export const MESSAGES: Field<Tenant['messages']> = {
  label: 'messages.title',
  words: (messages, _, t) => {
    const { quiet, reminder, reminder_hours } = messages
    const kinds = MESSAGE_KINDS.filter((kind) => messages[kind]).map((kind) => t(`messages.kind.${kind}`))
    const hours = reminder ? [`${t('messages.reminderHours')}: ${reminder_hours.join(', ')}`] : []
    return [...kinds, ...hours, ...(quiet ? [t('messages.quietWords', { ...quiet })] : [])]
  },
}

export const MESSAGES_CONSENT: Field<boolean> = {
  label: 'field.messages_consent',
  words: (agrees, _, t) => [t(agrees ? 'messages.agreed' : 'messages.refusedConsent')],
}
