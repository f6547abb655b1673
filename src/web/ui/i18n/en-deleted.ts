import type { DeletedTexts } from './de-deleted.ts'

export const enDeleted: DeletedTexts = {
  deleted: {
    title: 'Deleted students',
    show: 'Deleted',
    none: 'No student is deleted.',
    since: 'deleted: {{when}}',
    hint: 'Restoring also brings back the cancelled lessons that still fit the timetable.',
    erase: 'A command on the server erases them for good: “student erase”.',
  },
}
