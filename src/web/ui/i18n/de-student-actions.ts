export const deStudentActions = {
  studentActions: {
    title: 'Was Fahrschüler auf ihrer Seite tun dürfen',
    hint: 'Die Absage zeigt vorher die Gebühr nach den Regeln oben. Gruppen und Termine, die schon begonnen haben, bleiben beim Büro. Verlegen können sie auf freie Zeiten desselben Fahrlehrers in den nächsten vier Wochen, solange eine Absage kostenlos wäre.',
    confirm: 'Termine bestätigen',
    cancel: 'Termine absagen',
    wish: 'Wunschzeiten nennen',
    move: 'Termine verlegen',
    on: 'ja',
    off: 'nein',
    proof: 'Nachweis neben dem Link',
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
