export const deUndo = {
  edit: { wasStudent: 'Bisher {{name}}' },
  removal: {
    cancelTitle: 'Fahrstunde trotzdem absagen?',
    deleteTitle: 'Fahrstunde trotzdem löschen?',
    keep: 'So lassen',
    text: 'Diese Fahrstunde ist als erledigt eingetragen. Sie zählt danach weder für den Ausbildungsstand noch für die Arbeitszeit.',
  },
  undo: {
    next: 'Rückgängig: {{step}}',
    again: 'Wiederholen: {{step}}',
    done: 'Wiederholt: {{what}}',
    undone: 'Rückgängig gemacht: {{what}}',
    notUndone: 'Nicht rückgängig gemacht: {{step}}. {{why}}',
    notRedone: 'Nicht wiederholt: {{step}}. {{why}}',
    show: 'Anzeigen',
    hasLessons: '{{name}} hat inzwischen Fahrstunden und kann auf der eigenen Karte gelöscht werden.',
  },
  step: {
    booked: '{{what}} gebucht',
    moved: '{{who}} auf {{place}} verschoben',
    resized: 'Dauer von {{what}} auf {{minutes}} min geändert',
    cancelled: '{{what}} abgesagt',
    changed: '{{what}} geändert',
    deleted: '{{what}} gelöscht',
    added: '{{what}} angelegt',
    seriesBooked_one: '{{count}} Fahrstunde für {{who}} gebucht',
    seriesBooked_other: '{{count}} Fahrstunden für {{who}} gebucht',
    seriesCancelled_one: '{{count}} Fahrstunde von {{who}} abgesagt',
    seriesCancelled_other: '{{count}} Fahrstunden von {{who}} abgesagt',
  },
}

export type UndoTexts = typeof deUndo
