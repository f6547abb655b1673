/** The labels of fields that the app's first page does not need. */
export const deLaterLabels = {
  units: 'Einheiten',
  week: 'Woche',
  test: 'Prüfung',
  attempt: 'Versuch',
  missed_kind: 'Grund',
  passed: 'Bestanden',
  passed_on: 'Bestanden am',
  days: 'Tage',
  last_lesson_on: 'Letzte Fahrstunde',
  exam_on: 'Prüfung am',
  ready_since: 'Prüfungsreif seit',
  source: 'Herkunft',
}
