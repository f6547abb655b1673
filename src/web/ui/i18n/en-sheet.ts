import type { deSheet } from './de-sheet.ts'

export const enSheet: typeof deSheet = {
  sheet: {
    title: 'Day sheet',
    of: 'Day sheet: {{name}}',
    all: 'Day sheets of all instructors',
    view: 'This view',
    everybody: 'All instructors',
    toBoard: 'To the board',
    time: 'Time',
    needed: 'Still needed',
    nothing: 'nothing',
    none: 'No lessons on this day.',
    cancelled: 'Cancelled: {{who}}',
    away: 'Absent{{note}}',
  },
}
