export const deDeleted = {
  deleted: {
    title: 'Gelöschte Fahrschüler',
    show: 'Gelöschte',
    none: 'Kein Fahrschüler ist gelöscht.',
    since: 'gelöscht: {{when}}',
    hint: 'Wiederherstellen holt auch die abgesagten Stunden zurück, die noch in den Plan passen.',
    erase: 'Endgültig löscht ein Befehl auf dem Server: „student erase“.',
  },
}

export type DeletedTexts = typeof deDeleted
