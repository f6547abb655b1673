import type { LinksTexts } from './de-links.ts'

export const enLinks: LinksTexts = {
  links: {
    calendar: 'Calendar link',
    myCalendar: 'In my calendar',
    calendarIntro:
      'With this link the calendar on a phone or computer shows the lessons. It is a secret: anyone who has it sees what is chosen here, and so does the provider of the calendar.',
    page: 'Page for the student',
    pageIntro:
      'This link leads to the coming lessons and the progress, without a login. Anyone who has the link can read the page.',
    detail: 'What can be seen',
    full: 'Everything: type, name, phone, notes',
    lesson: 'Type, first name and initial',
    busy: 'Only that it is busy',
    none: 'There is no link.',
    since: 'Link of {{moment}}',
    used: 'last used {{moment}}',
    unused: 'never used',
    make: 'Create a link',
    renew: 'Create a new link',
    renewAsk: 'The link until now will no longer work.',
    end: 'End the link',
    endAsk: 'Anyone who has the link will see nothing any more.',
    once: 'The link is shown only this once.',
    address: 'Link',
    copy: 'Copy',
    copied: 'Copied',
    subscribe: 'Open in the calendar',
    open: 'Open the page',
  },
}
