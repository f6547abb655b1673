import type { WebhookTexts } from './de-webhooks.ts'

export const enWebhooks: WebhookTexts = {
  webhooks: {
    url: 'Address',
    events: 'Events',
    on: 'Enabled',
    off: 'Disabled',
    reason: 'Reason',
    because: {
      failing: 'No message has arrived for three days.',
      gone: 'The receiver wants no more messages (410).',
      secret_lost: 'The secret can no longer be read. Add the webhook again.',
    },
  },
}
