export const deExams = {
  exam: {
    result: 'Prüfungsergebnis',
    passed: 'Bestanden',
    failed: 'Nicht bestanden',
    why: 'Grund für das Nichtbestehen',
    ready: 'Prüfungsreif',
    notReady: 'Noch nicht prüfungsreif',
    onlyReady: 'Nur Prüfungsreife',
    noneReady: 'Noch ist niemand prüfungsreif.',
    nextSlot: 'Nächster Termin: {{when}}, {{who}}',
    noSlot: 'Kein freier Prüfungstermin in den nächsten vier Wochen',
    missing: {
      requirements: 'Fahrstunden fehlen',
      theory: 'Theorieunterricht fehlt',
      theory_test: 'Theorieprüfung fehlt',
    },
    testPassed: 'Theorieprüfung bestanden',
    testFailed: 'Theorieprüfung nicht bestanden',
    done: 'Praktische Prüfung bestanden',
    from: 'nächste Prüfung ab {{day}}',
  },
}
