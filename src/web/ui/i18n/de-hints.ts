export const deHints = {
  choice: {
    open: 'Bitte aus der Liste wählen.',
    nothing: 'Nichts gefunden',
    more_one: '{{count}} weiterer Eintrag: Bitte mehr Buchstaben tippen.',
    more_other: '{{count}} weitere Einträge: Bitte mehr Buchstaben tippen.',
  },
  same: {
    title: 'Gibt es diese Person schon?',
    phone: '{{name}} hat dieselbe Telefonnummer.',
    email: '{{name}} hat dieselbe E-Mail-Adresse.',
    birth_date: '{{name}} heißt genauso und hat denselben Geburtstag.',
    name: '{{name}} heißt genauso.',
    open: 'Öffnen',
    take: 'Diese Person nehmen',
  },
  warning: {
    in_the_past: 'Der Termin liegt in der Vergangenheit: {{day}}.',
    far_ahead: 'Der Termin liegt mehr als neun Monate voraus: {{day}}.',
    no_student: '„{{type}}“ ohne Fahrschüler.',
    class_not_taught: '{{instructor}} unterrichtet die Klasse {{license_class}} nicht.',
    not_required: '{{template}} verlangt die Art „{{type}}“ nicht.',
    requirement_already_met:
      '„{{type}}“: Verlangt sind {{required}} E; {{done}} E sind erledigt und {{planned}} E geplant.',
    not_dark: '„{{type}}“ bei Tageslicht: Dunkel ist es von {{from}} bis {{until}} Uhr.',
    never_dark: '„{{type}}“ bei Tageslicht: Es wird nicht dunkel.',
    vehicle_not_fitting: 'Das Fahrzeug{{vehicle}} passt nicht zur Klasse {{license_class}}.',
  },
}

export type HintTexts = typeof deHints
