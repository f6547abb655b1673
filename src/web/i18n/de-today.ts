export const deToday = {
  today: {
    title: 'Mein Tag',
    now: 'Jetzt',
    next: 'Als Nächstes',
    none: 'An diesem Tag haben Sie keine Fahrstunden.',
    lessons_one: '{{count}} Termin',
    lessons_other: '{{count}} Termine',
    waiting_one: '{{count}} Eingabe wird gesendet, sobald wieder Verbindung besteht.',
    waiting_other: '{{count}} Eingaben werden gesendet, sobald wieder Verbindung besteht.',
    start: 'Fahrstunde beginnt',
    begun: 'Begonnen {{start}}, bis {{end}}',
    correct: 'Zeiten berichtigen',
    lastTime: 'Zuletzt geübt, {{day}}',
    unsaved: 'Notizen nicht gespeichert',
    staleNotes:
      'Jemand anderes hat diese Notizen inzwischen geändert. Ihre Fassung ist noch da; entscheiden Sie, welche gilt.',
  },
  role: {
    owner: 'Inhaber',
    office: 'Büro',
    instructor: 'Fahrlehrer',
    changed:
      'Sie haben jetzt die Rolle „{{role}}“. Was hier noch nicht gespeichert ist, können Sie kopieren, bevor Sie weitergehen.',
    goOn: 'Weiter',
    officeOnly: 'Diese Seite ist für das Büro.',
    ownerOnly: 'Diese Seite ist für den Inhaber.',
    forbidden: 'Das darf Ihre Rolle nicht.',
  },
}
