export const deWebhooks = {
  webhooks: {
    url: 'Adresse',
    events: 'Ereignisse',
    on: 'Eingeschaltet',
    off: 'Ausgeschaltet',
    reason: 'Grund',
    because: {
      failing: 'Drei Tage lang kam keine Nachricht an.',
      gone: 'Der Empfänger will keine Nachrichten mehr (410).',
      secret_lost: 'Das Geheimnis ist nicht mehr lesbar. Legen Sie den Webhook neu an.',
    },
  },
}

export type WebhookTexts = typeof deWebhooks
