import type { deUndo } from './de-undo.ts'

export const enUndo: typeof deUndo = {
  edit: { wasStudent: 'Was {{name}}' },
  removal: {
    cancelTitle: 'Cancel this lesson anyway?',
    deleteTitle: 'Delete this lesson anyway?',
    keep: 'Keep lesson',
    text: 'This lesson is recorded as done. It will no longer count towards the student’s progress or as working time.',
  },
  undo: {
    next: 'Undo: {{step}}',
    again: 'Redo: {{step}}',
    done: 'Redone: {{what}}',
    undone: 'Undone: {{what}}',
    notUndone: 'Not undone: {{step}}. {{why}}',
    notRedone: 'Not redone: {{step}}. {{why}}',
    show: 'Show',
  },
  step: {
    booked: 'booked {{what}}',
    moved: 'moved {{who}} to {{place}}',
    resized: 'changed the duration of {{what}} to {{minutes}} min',
    cancelled: 'cancelled {{what}}',
    changed: 'changed {{what}}',
    deleted: 'deleted {{what}}',
    added: 'added {{what}}',
    seriesBooked_one: 'booked {{count}} lesson for {{who}}',
    seriesBooked_other: 'booked {{count}} lessons for {{who}}',
    seriesCancelled_one: 'cancelled {{count}} lesson of {{who}}',
    seriesCancelled_other: 'cancelled {{count}} lessons of {{who}}',
  },
}
