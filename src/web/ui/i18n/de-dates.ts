export const deDates = {
  date: {
    missing: 'Bitte ein Datum eingeben.',
    unreadable: 'Bitte ein Datum eingeben, etwa 24.12.',
    no_such_day: 'Diesen Tag gibt es nicht.',
    no_such_time: 'Diese Uhrzeit gibt es nicht.',
    no_year: 'Bitte mit Jahr eingeben.',
    unlikely_year: 'Möglich sind die Jahre {{min}} bis {{max}}.',
    which_day: 'Welcher Tag im Jahr {{year}}?',
    too_early: 'Frühestens {{min}}.',
    too_late: 'Spätestens {{max}}.',
    in_the_future: 'Das liegt in der Zukunft.',
    unlikely_age: 'Möglich sind {{min}} bis {{max}} Jahre.',
    age_one: '{{count}} Jahr alt',
    age_other: '{{count}} Jahre alt',
    past: '{{words}}: liegt in der Vergangenheit',
    clocks:
      'Die Uhren werden in dieser Nacht umgestellt: Die Fahrstunde dauert {{count}} min, gezählt werden {{minutes}} min nach der Uhr.',
    pick: 'Tag auswählen',
  },
  number: {
    not_whole: 'Bitte eine ganze Zahl eingeben.',
    too_small: 'Mindestens {{min}}.',
    too_large: 'Höchstens {{max}}.',
  },
  text: {
    required: 'Bitte füllen Sie dieses Feld aus.',
    noEmail: 'Bitte geben Sie eine E-Mail-Adresse ein, etwa name@fahrschule.de.',
    oddPhone: 'Das ist wohl keine Telefonnummer.',
    oddEmail: 'Das ist wohl keine E-Mail-Adresse.',
    tooShort: 'Mindestens {{min}} Zeichen.',
    tooLong: '{{over}} Zeichen zu viel: möglich sind {{max}}.',
  },
}
