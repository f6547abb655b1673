import type { Webhook } from '../../contract/webhook.ts'
import { type Fields, NOTHING, text } from './field-kinds.ts'

export const WEBHOOK: Fields<Webhook> = {
  url: text('webhooks.url'),
  events: { label: 'webhooks.events', words: (events) => events },
  disabled: {
    label: 'lesson.status',
    words: (disabled, _, t) => [t(disabled ? 'webhooks.off' : 'webhooks.on')],
  },
  disabled_reason: {
    label: 'webhooks.reason',
    words: (reason, _, t) => [reason ? t(`webhooks.because.${reason}`) : NOTHING],
  },
}
