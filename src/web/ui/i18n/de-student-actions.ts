export const deStudentActions = {
  studentActions: {
    title: 'Was Fahrschüler auf ihrer Seite tun dürfen',
    hint: 'Vor einer Absage zeigt die Seite die Gebühr nach den Regeln oben. Gruppen und bereits begonnene Termine kann nur das Büro ändern. Verlegen können Fahrschüler auf freie Zeiten desselben Fahrlehrers in den nächsten vier Wochen, solange eine Absage kostenlos wäre.',
    confirm: 'Termine bestätigen',
    cancel: 'Termine absagen',
    wish: 'Wunschzeiten angeben',
    sign: 'Fahrstunden und Ausbildungsnachweis unterschreiben (nur mit Nachweis)',
    move: 'Termine verlegen',
    on: 'ja',
    off: 'nein',
    proof: 'Nachweis zusätzlich zum Link',
    proofHint: 'Damit ein weitergegebener Link allein nichts ändert.',
    proofBy: {
      birth_date: 'Geburtsdatum',
      mail_code: 'Code per E-Mail',
      none: 'keiner',
    },
    confirmed: 'vom Fahrschüler bestätigt: {{at}}',
    confirmation: 'Bestätigung',
  },
}
