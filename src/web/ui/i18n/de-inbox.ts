export const deInbox = {
  inbox: {
    none: 'Noch nichts Neues. Hier steht, was Fahrschüler absagen, verlegen, bestätigen und wünschen, worum Fahrlehrer bitten und welche Nachricht nicht ankam.',
    fresh: 'Seit Sie zuletzt hier waren',
    earlier: 'Früher',
    cancelled: '{{who}} hat abgesagt: {{lesson}}.',
    cancelledAtFee: '{{who}} hat abgesagt: {{lesson}}. Es fallen {{percent}} % an.',
    moved: '{{who}} hat verlegt: {{lesson}} (bisher {{was}}).',
    confirmed: '{{who}} hat bestätigt: {{lesson}}.',
    taken: '{{who}} hat eine freie Zeit gebucht: {{lesson}}.',
    wish: '{{who}} wünscht sich Termine: {{wish}}.',
    asked: '{{who}} fragt an: {{what}} ({{status}}).',
    decided: '{{who}} hat entschieden: {{what}} – {{status}}.',
    call_one: 'Bitte anrufen: {{who}} erhält keine Nachrichten. {{what}}{{about}}.',
    call_other:
      'Bitte anrufen: {{who}} erhält keine Nachrichten. {{what}} von {{count}} Terminen, zuerst{{about}}.',
    told: 'Telefonisch mitgeteilt',
    notStored: 'Nicht gespeichert',
    undelivered: 'Nicht angekommen: {{what}} an {{who}}{{about}} ({{why}}).',
    due_one:
      'Für {{count}} Fahrschüler ist die Aufbewahrungsfrist abgelaufen: Die Daten sind jetzt zu löschen.',
    due_other:
      'Für {{count}} Fahrschüler ist die Aufbewahrungsfrist abgelaufen: Ihre Daten sind jetzt zu löschen.',
    calendarFailing: 'Ein privater Kalender von {{who}} ist nicht lesbar ({{name}}): {{why}}',
    openInstructor: 'Fahrlehrer öffnen',
    openKeeping: 'Liste ansehen',
    openLesson: 'Termin öffnen',
    openStudent: 'Fahrschüler öffnen',
    openRequest: 'Anfragen öffnen',
    answer: 'Beantworten',
    resend: 'Noch einmal senden',
    notSent: 'Nicht gesendet',
  },
}
