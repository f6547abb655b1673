export const deSetup = {
  setup: {
    title: 'Fahrplan einrichten',
    intro:
      'Legen Sie Ihre Fahrschule an und Ihren eigenen Zugang. Alles andere folgt danach, Schritt für Schritt.',
    whereTitle: 'Öffnen Sie diese Seite mit dem Link, den Fahrplan beim Start ausgibt.',
    where:
      'Er steht dort, wo Fahrplan gestartet wurde: im Terminal, in „journalctl -u fahrplan“ oder in „docker logs“. Was darin hinter dem # steht, ist der Code.',
    code: 'Code aus dem Link',
    wrongCode:
      'Dieser Code ist nicht der richtige. Der aktuelle steht im Link, den Fahrplan beim Start ausgibt.',
    school: 'Fahrschule',
    schoolName: 'Name der Fahrschule',
    countryHint:
      'Bringt Klassen und Fahrstunden mit, wie sie dort vorgeschrieben sind. Später nicht zu ändern, wie auch die Zeitzone.',
    owner: 'Ihr Zugang',
    ownerName: 'Ihr Name',
    passwordHint: 'Mindestens 8 Zeichen.',
    submit: 'Fahrschule anlegen',
    closed: 'Fahrplan ist schon eingerichtet.',
    logIn: 'Zur Anmeldung',
  },
}
