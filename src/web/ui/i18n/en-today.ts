import type { deToday } from './de-today.ts'

export const enToday: typeof deToday = {
  today: {
    title: 'My day',
    now: 'Now',
    next: 'Next',
    none: 'You have no lessons on this day.',
    lessons_one: '{{count}} appointment',
    lessons_other: '{{count}} appointments',
    waiting_one: '{{count}} entry will be sent once you are back online.',
    waiting_other: '{{count}} entries will be sent once you are back online.',
    start: 'Lesson begins',
    begun: 'Began {{start}}, until {{end}}',
    correct: 'Correct the times',
    unlikely: 'Planned {{planned}}. Is {{actual}} ({{count}} min) right?',
    saveUnlikely: 'Yes, save',
    lastTime: 'Last practised, {{day}}',
    unsaved: 'notes not saved',
    attendance: 'Attendance',
    present: '{{count}} of {{all}} present',
    allPresent: 'All present',
    sent_one: '{{count}} entry has been sent.',
    sent_other: '{{count}} entries have been sent.',
    renewed: 'A new version of Fahrplan is available.',
    renew: 'Update',
    stale: 'Somebody else has changed it in the meantime. Choose which version to keep.',
  },
}
