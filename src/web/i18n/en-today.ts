import type { deToday } from './de-today.ts'

export const enToday: typeof deToday = {
  today: {
    title: 'My day',
    now: 'Now',
    next: 'Next',
    none: 'You have no lessons on this day.',
    lessons_one: '{{count}} appointment',
    lessons_other: '{{count}} appointments',
    waiting_one: '{{count}} entry will be sent as soon as there is a connection again.',
    waiting_other: '{{count}} entries will be sent as soon as there is a connection again.',
    start: 'Lesson begins',
    begun: 'Began {{start}}, until {{end}}',
    correct: 'Correct the times',
    lastTime: 'Practised last, {{day}}',
    unsaved: 'notes not saved',
    staleNotes:
      'Somebody else has changed these notes meanwhile. Your version is still here; choose the one that holds.',
  },
  role: {
    owner: 'Owner',
    office: 'Office',
    instructor: 'Instructor',
    changed: 'You now have the role “{{role}}”. What is not saved here you can copy before you go on.',
    goOn: 'Go on',
    officeOnly: 'This page is for the office.',
    ownerOnly: 'This page is for the owner.',
    forbidden: 'Your role does not allow that.',
  },
}
