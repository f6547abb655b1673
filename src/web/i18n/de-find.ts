export const deFind = {
  find: {
    open: 'Termin finden',
    nearest: 'Die nächsten freien Termine:',
    times: 'Freie Termine',
    from: 'Ab',
    weekdays: 'Wochentage',
    hours: 'Tageszeit',
    anyTime: 'Jederzeit',
    morning: 'Vor 12 Uhr',
    afternoon: '12 bis 17 Uhr',
    evening: 'Ab 17 Uhr',
    anyone: 'Alle Fahrlehrer',
    order: 'Reihenfolge',
    fit: 'Passendste',
    time: 'Früheste',
    searching: 'Freie Termine werden gesucht …',
    none: 'In vier Wochen ist nichts frei, was dazu passt.',
    more: 'Weitere Termine',
    free: 'frei',
  },
  choice: {
    open: 'Bitte aus der Liste wählen.',
    nothing: 'Nichts gefunden',
  },
  warning: {
    in_the_past: 'Der Termin liegt in der Vergangenheit.',
    class_not_taught: '{{instructor}} unterrichtet die Klasse {{license_class}} nicht.',
    not_required: '{{template}} verlangt die Art „{{type}}“ nicht.',
    requirement_already_met:
      '„{{type}}“: Verlangt sind {{required}} E; {{done}} E sind erledigt und {{planned}} E geplant.',
  },
}
