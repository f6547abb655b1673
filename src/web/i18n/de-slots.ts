export const deSlots = {
  slots: {
    until: 'Bis',
    open: 'offen',
    morning: 'Vor 12',
    afternoon: '12–17',
    evening: 'Ab 17',
    anotherOne: 'Weiterer Fahrlehrer',
    without: 'Ohne {{name}}',
    noneUntil: 'Bis {{day}} ist nichts frei, was dazu passt.',
    chosen_one: '{{count}} Termin gewählt',
    chosen_other: '{{count}} Termine gewählt',
    remove: '{{when}} entfernen',
    noneBooked: 'Nichts gebucht',
    oneRefused: '{{when}}: {{why}}',
    othersFit: 'Nehmen Sie diesen Termin heraus oder wählen Sie einen anderen. Die übrigen bleiben gewählt.',
  },
}
