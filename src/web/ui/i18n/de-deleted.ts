export const deDeleted = {
  deleted: {
    title: 'Gelöschte Fahrschüler',
    show: 'Gelöschte',
    none: 'Es gibt keine gelöschten Fahrschüler.',
    since: 'gelöscht: {{when}}',
    hint: 'Wiederherstellen holt auch die abgesagten Stunden zurück, die noch in den Plan passen.',
    erase: 'Endgültig gelöscht werden sie mit dem Befehl „student erase“ auf dem Server.',
  },
}

export type DeletedTexts = typeof deDeleted
