export const deSheet = {
  sheet: {
    title: 'Tagesblatt',
    of: 'Tagesblatt: {{name}}',
    all: 'Tagesblätter aller Fahrlehrer',
    view: 'Diese Ansicht',
    everybody: 'Alle Fahrlehrer',
    toBoard: 'Zum Plan',
    time: 'Zeit',
    needed: 'Noch nötig',
    nothing: 'nichts',
    none: 'Keine Fahrstunden an diesem Tag.',
    cancelled: 'Abgesagt: {{who}}',
    away: 'Abwesend{{note}}',
  },
}
