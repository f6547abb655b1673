import type { deLegend } from './de-legend.ts'

/** The texts of the board's legend. */
export const enLegend: typeof deLegend = {
  legend: {
    title: 'Colours and signs of the board',
    types: 'The colour of a block is the type of the lesson',
    lessons: 'Lessons',
    completed: 'Done: paler',
    noShow: 'No-show: a red frame and the word',
    cancelled: 'Cancelled: a strip at the edge; the time is free',
    noted: 'Has notes',
    mark: 'No longer fits; the words give the reason',
    offered: 'A time offered by the search',
    landing: 'While dragging: possible here',
    refused: 'While dragging: not possible here',
    times: 'Times',
    outside: 'Outside working hours',
    away: 'Away or closed: striped',
    holiday: 'A public holiday on which lessons may be booked',
    dark: 'Dark, with a dashed line and the time',
    now: 'Now',
    units: 'Bars of units',
    below: 'Below the limit',
    full: 'At the limit',
    over: 'Above the limit: striped',
  },
}
