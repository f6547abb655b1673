import type { DialogTexts } from './de-dialogs.ts'

export const enDialogs: DialogTexts = {
  form: {
    discardTitle: 'Discard what you have filled in?',
    unsaved: 'It has not been saved yet.',
    stay: 'Keep editing',
    discard: 'Discard',
  },
  calendar: {
    previousMonth: 'Previous month',
    nextMonth: 'Next month',
    previousYear: 'Previous year',
    nextYear: 'Next year',
    previousDecade: 'Previous decade',
    nextDecade: 'Next decade',
  },
  group: {
    seats: '{{count}} of {{seats}} seats taken',
    also: 'More attendees',
    without: 'Take out {{name}}',
  },
  stale: {
    title: 'Changed in the meantime',
    intro:
      'Somebody else has changed this lesson. Saving applies your changes and leaves the rest as it is now.',
    mine: 'Your version',
    theirs: 'Current version',
    keepMine: 'Save my changes',
    takeTheirs: 'Keep the current version',
  },
}
