export const deWebhooks = {
  webhooks: {
    title: 'Webhooks',
    hint: 'Halten Sie andere Programme auf dem Laufenden: Jede Änderung geht sofort und signiert an die Adressen, die Sie hier eintragen.',
    add: 'Webhook hinzufügen',
    url: 'Adresse',
    urlHint: 'Beginnt mit https:// und führt zu einem öffentlichen Server.',
    events: 'Ereignisse',
    eventsHint:
      'Zum Beispiel appointment.* oder student.created; * steht für alle. Mehrere durch Komma getrennt.',
    secret: 'Geheimer Schlüssel',
    secretHint:
      'Damit prüft der Empfänger die Signatur (Standard Webhooks). Er wird nur jetzt angezeigt: Kopieren Sie ihn, bevor Sie fortfahren.',
    copy: 'Kopieren',
    copied: 'Kopiert',
    notCopied: 'Markieren und kopieren Sie ihn selbst.',
    faults: {
      invalid_format: 'Die Adresse muss mit https:// beginnen.',
      not_allowed: 'Die Adresse darf weder Benutzer noch Passwort enthalten.',
      no_public_address:
        'Die Adresse führt zu keinem öffentlichen Server: Der Name ist im DNS unbekannt oder führt in ein privates Netz.',
      events: 'Unbekanntes Ereignis. Beispiele: appointment.*, student.created, *',
    },
    on: 'Eingeschaltet',
    off: 'Ausgeschaltet',
    turnOn: 'Einschalten',
    turnOff: 'Ausschalten',
    removeText:
      'Wartende Nachrichten werden nicht mehr gesendet. Um den Webhook nur anzuhalten, schalten Sie ihn aus.',
    ofUrl: '{{action}}: {{url}}',
    reason: 'Grund',
    because: {
      failing: 'Drei Tage lang kam keine Nachricht an.',
      gone: 'Der Empfänger will keine Nachrichten mehr (410).',
      secret_lost: 'Der geheime Schlüssel ist nicht mehr lesbar. Legen Sie den Webhook neu an.',
    },
    deliveries: 'Zustellungen',
    noDeliveries: 'Noch keine Zustellung.',
    newest: 'Die neuesten 50. Zugestellte und gescheiterte bleiben 30 Tage stehen.',
    states: { waiting: 'Wartet', delivered: 'Zugestellt', failed: 'Gescheitert' },
    attempts_one: '{{count}} Versuch',
    attempts_other: '{{count}} Versuche',
    answer: 'Antwort: {{outcome}}',
    replay: 'Ab hier erneut senden',
    replayOf: 'Ab hier erneut senden: {{event}}, {{time}}',
    replayed: 'Die Änderungen werden erneut gesendet.',
  },
}
