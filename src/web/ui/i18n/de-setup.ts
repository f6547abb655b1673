export const deSetup = {
  setup: {
    title: 'Fahrplan einrichten',
    intro:
      'Legen Sie Ihre Fahrschule an und Ihren eigenen Zugang. Alles andere folgt danach, Schritt für Schritt.',
    whereTitle: 'Öffnen Sie diese Seite mit dem Link, den Fahrplan beim Start ausgibt.',
    where:
      'Er steht dort, wo Fahrplan gestartet wurde: im Terminal, in „journalctl -u fahrplan“ oder in „docker logs“. Der Code ist der Teil hinter dem #.',
    insecureTitle: 'Unter dieser Adresse kann sich niemand anmelden: Sie ist nicht mit HTTPS gesichert.',
    insecure:
      'Browser speichern eine Anmeldung nur über HTTPS oder auf dem Computer, auf dem Fahrplan läuft. Setzen Sie einen Proxy mit Zertifikat vor Fahrplan, etwa Caddy oder nginx, und öffnen Sie dessen https://-Adresse; oder öffnen Sie diese Seite auf jenem Computer unter http://localhost.',
    code: 'Code aus dem Link, oder der ganze Link',
    wrongCode: 'Dieser Code ist falsch. Der aktuelle steht im Link, den Fahrplan beim Start ausgibt.',
    school: 'Fahrschule',
    schoolName: 'Name der Fahrschule',
    countryHint:
      'Legt fest, welche Klassen und Fahrstunden dort vorgeschrieben sind. Das Land lässt sich später nicht ändern.',
    owner: 'Ihr Zugang',
    ownerName: 'Ihr Name',
    passwordHint: 'Mindestens 8 Zeichen.',
    submit: 'Fahrschule anlegen',
    closed: 'Fahrplan ist schon eingerichtet.',
    logIn: 'Zur Anmeldung',
  },
}
