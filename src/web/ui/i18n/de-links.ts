export const deLinks = {
  links: {
    calendar: 'Kalender-Link',
    myCalendar: 'In meinem Kalender',
    calendarIntro:
      'Mit diesem Link zeigt der Kalender auf dem Handy oder Computer die Fahrstunden. Er ist geheim: Wer ihn hat, sieht, was gewählt ist, und der Anbieter des Kalenders auch.',
    page: 'Seite für den Fahrschüler',
    pageIntro:
      'Unter diesem Link stehen die kommenden Fahrstunden und der Fortschritt, ohne Anmeldung. Wer den Link hat, kann die Seite lesen.',
    detail: 'Was zu sehen ist',
    full: 'Alles: Art, Name, Telefon, Notizen',
    lesson: 'Art, Vorname und Initiale',
    busy: 'Nur, dass belegt ist',
    none: 'Es gibt keinen Link.',
    since: 'Link vom {{moment}}',
    used: 'zuletzt benutzt {{moment}}',
    unused: 'noch nie benutzt',
    make: 'Link erstellen',
    renew: 'Neuen Link erstellen',
    renewAsk: 'Der bisherige Link gilt dann nicht mehr.',
    end: 'Link beenden',
    endAsk: 'Wer den Link hat, sieht dann nichts mehr.',
    once: 'Der Link wird nur dieses eine Mal gezeigt.',
    address: 'Link',
    copy: 'Kopieren',
    copied: 'Kopiert',
    subscribe: 'Im Kalender öffnen',
    open: 'Seite öffnen',
  },
}

export type LinksTexts = typeof deLinks
