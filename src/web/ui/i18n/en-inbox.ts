import type { deInbox } from './de-inbox.ts'

export const enInbox: typeof deInbox = {
  inbox: {
    none: 'Nothing new yet. Here you see what students cancel, move, confirm and wish for, what instructors ask for, and which message was not delivered.',
    fresh: 'Since you last looked',
    earlier: 'Earlier',
    cancelled: '{{who}} cancelled: {{lesson}}.',
    cancelledAtFee: '{{who}} cancelled: {{lesson}}. The fee is {{percent}} %.',
    moved: '{{who}} moved: {{lesson}} (before: {{was}}).',
    confirmed: '{{who}} confirmed: {{lesson}}.',
    taken: '{{who}} booked a free time: {{lesson}}.',
    wish: '{{who}} would like lessons: {{wish}}.',
    asked: '{{who}} asks: {{what}} ({{status}}).',
    decided: '{{who}} decided: {{what}} – {{status}}.',
    undelivered: 'Not delivered: {{what}} to {{who}}{{about}} ({{why}}).',
    due_one: 'The time to keep data is over for {{count}} student, to be erased now.',
    due_other: 'The time to keep data is over for {{count}} students, to be erased now.',
    calendarFailing: 'A private calendar of {{who}} cannot be read ({{name}}): {{why}}',
    openInstructor: 'Open the instructor',
    openKeeping: 'Look at the list',
    openLesson: 'Open the lesson',
    openStudent: 'Open the student',
    openRequest: 'Open the requests',
    answer: 'Answer',
    resend: 'Send again',
    notSent: 'Not sent',
  },
}
