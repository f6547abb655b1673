/** The texts of dialogs and calendars. */
export const deDialogs = {
  form: {
    discardTitle: 'Eingaben verwerfen?',
    unsaved: 'Was Sie ausgefüllt haben, ist noch nicht gespeichert.',
    stay: 'Weiter ausfüllen',
    discard: 'Verwerfen',
  },
  calendar: {
    previousMonth: 'Voriger Monat',
    nextMonth: 'Nächster Monat',
    previousYear: 'Voriges Jahr',
    nextYear: 'Nächstes Jahr',
    previousDecade: 'Voriges Jahrzehnt',
    nextDecade: 'Nächstes Jahrzehnt',
  },
  group: {
    seats: '{{count}} von {{seats}} Plätzen belegt',
    also: 'Weitere Teilnehmer',
    without: '{{name}} herausnehmen',
  },
  stale: {
    title: 'Inzwischen geändert',
    intro:
      'Jemand anderes hat diese Fahrstunde geändert. Mit dem Speichern gelten Ihre Änderungen; alles andere bleibt, wie es jetzt ist.',
    mine: 'Ihre Fassung',
    theirs: 'Jetzige Fassung',
    keepMine: 'Meine Änderungen speichern',
    takeTheirs: 'Jetzige Fassung behalten',
  },
}

/** Every language has the same. */
export type DialogTexts = typeof deDialogs
