export const deSettings = {
  settings: {
    school: 'Fahrschule',
    languageHint: 'In dieser Sprache stehen die Namen der Fahrstundenarten und Klassen.',
    country: 'Land',
    timezone: 'Zeitzone',
    unit: 'Eine Einheit',
    told: 'Auf der Seite der Fahrschüler',
    terms: 'Regeln für Absagen',
    newInstructors: 'Neue Fahrlehrer: Grenzen und Pausen',
    newInstructorsHint: 'Diese Werte bekommt jeder neue Fahrlehrer. Bei den anderen ändert sich nichts.',
    newHours: 'Neue Fahrlehrer: Arbeitszeiten',
  },
  steps: {
    title: 'So fangen Sie an',
    hours: 'Übliche Arbeitszeiten',
    instructor: 'Erster Fahrlehrer',
    student: 'Erster Fahrschüler',
    lesson: 'Erste Fahrstunde',
    done: 'erledigt',
  },
}

export type SettingsTexts = typeof deSettings
