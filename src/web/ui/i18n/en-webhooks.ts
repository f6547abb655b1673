import type { deWebhooks } from './de-webhooks.ts'

export const enWebhooks: typeof deWebhooks = {
  webhooks: {
    title: 'Webhooks',
    hint: 'Keep other programs up to date: every change is signed and sent at once to the addresses that you enter here.',
    add: 'Add webhook',
    url: 'Address',
    urlHint: 'Begins with https:// and leads to a public server.',
    events: 'Events',
    eventsHint: 'For example appointment.* or student.created; * stands for all. Separate several by commas.',
    secret: 'Secret',
    secretHint:
      'The recipient checks the signature with it (Standard Webhooks). It is shown only now: copy it before you go on.',
    copy: 'Copy',
    copied: 'Copied',
    notCopied: 'Select it and copy it yourself.',
    faults: {
      invalid_format: 'The address must begin with https://.',
      not_allowed: 'The address must not contain a user or a password.',
      no_public_address:
        'The address leads to no public server: DNS does not know the name, or it leads into a private network.',
      events: 'Unknown event. Examples: appointment.*, student.created, *',
    },
    on: 'Enabled',
    off: 'Disabled',
    turnOn: 'Enable',
    turnOff: 'Disable',
    removeText: 'Waiting messages will no longer be sent. To pause the webhook, disable it instead.',
    ofUrl: '{{action}}: {{url}}',
    reason: 'Reason',
    because: {
      failing: 'No message has arrived for three days.',
      gone: 'The recipient wants no more messages (410).',
      secret_lost: 'The secret can no longer be read. Add the webhook again.',
    },
    deliveries: 'Deliveries',
    noDeliveries: 'No deliveries yet.',
    newest: 'The newest 50. Delivered and failed ones stay for 30 days.',
    states: { waiting: 'Waiting', delivered: 'Delivered', failed: 'Failed' },
    attempts_one: '{{count}} attempt',
    attempts_other: '{{count}} attempts',
    answer: 'Response: {{outcome}}',
    replay: 'Send again from here',
    replayOf: 'Send again from here: {{event}}, {{time}}',
    replayed: 'The changes are being sent again.',
  },
}
