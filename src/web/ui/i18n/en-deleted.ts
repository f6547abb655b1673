import type { DeletedTexts } from './de-deleted.ts'

export const enDeleted: DeletedTexts = {
  deleted: {
    title: 'Deleted students',
    show: 'Deleted',
    none: 'There are no deleted students.',
    since: 'deleted: {{when}}',
    hint: 'Restoring also brings back the cancelled lessons that still fit the timetable.',
    erase: 'To erase them for good, run the command “student erase” on the server.',
  },
}
