export const deSettings = {
  settings: {
    school: 'Fahrschule',
    languageHint: 'In dieser Sprache stehen die Namen der Fahrstundenarten und Klassen.',
    country: 'Land',
    unit: 'Eine Einheit',
    location: 'Lage der Fahrschule',
    locationHint:
      'Breite und Länge in Grad, wie Landkarten sie angeben. Danach richtet sich, ab wann es für Nachtfahrten dunkel ist. Ohne Lage gibt es dazu keine Hinweise.',
    locationFault: 'Breite und Länge fehlen oder sind nicht lesbar. Beispiel: 53.5511, 9.9937',
    told: 'Auf der Seite der Fahrschüler',
    terms: 'Regeln für Absagen',
    newInstructors: 'Neue Fahrlehrer: Grenzen und Pausen',
    newInstructorsHint: 'Diese Werte bekommt jeder neue Fahrlehrer. Bei den anderen ändert sich nichts.',
    newHours: 'Neue Fahrlehrer: Arbeitszeiten',
    classes: 'Führerscheinklassen',
    classesHint:
      'Was nicht angeboten wird, fehlt bei Fahrschülern und Fahrlehrern zur Auswahl. Wer die Klasse schon hat, behält sie.',
    lessonTypes: 'Fahrstundenarten',
    lessonTypesHint:
      'Was nicht angeboten wird, fehlt beim Buchen. Gebuchte Fahrstunden und der Ausbildungsstand bleiben, wie sie sind. Jede Änderung gilt sofort.',
    offered: 'Wird angeboten',
    notOffered: 'Wird nicht angeboten',
    up: '{{name}}: nach oben',
    down: '{{name}}: nach unten',
    placed: '{{name}}: Platz {{place}} von {{count}}',
    place: 'Platz',
  },
  vehicle: {
    car: 'PKW',
    motorcycle: 'Motorrad',
    trailer: 'Anhänger',
    truck: 'LKW',
    other: 'Anderes',
    manual: 'Schaltung',
    automatic: 'Automatik',
    active: 'Im Einsatz',
    inactive: 'Nicht im Einsatz',
  },
  /** The kinds of things in the list of changes. */
  kinds: {
    appointment: 'Fahrstunde',
    student: 'Fahrschüler',
    instructor: 'Fahrlehrer',
    vehicle: 'Fahrzeug',
    schedule_request: 'Anfrage',
    user: 'Zugang',
    tenant: 'Fahrschule',
    closure: 'Schließzeit',
    lesson_type: 'Fahrstundenart',
    calendar_feed: 'Kalender-Link',
    student_link: 'Link zur Seite',
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
