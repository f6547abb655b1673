export const deRole = {
  role: {
    lost_one: '{{count}} Eingabe ist noch nicht gesendet. Mit dem Abmelden geht sie verloren.',
    lost_other: '{{count}} Eingaben sind noch nicht gesendet. Mit dem Abmelden gehen sie verloren.',
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
