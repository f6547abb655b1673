import type { LinksTexts } from './de-links.ts'

export const enLinks: LinksTexts = {
  links: {
    calendar: 'Calendar link',
    myCalendar: 'In my calendar',
    calendarIntro:
      'This link shows the lessons in a calendar on a phone or computer. Keep it secret: anyone who has it sees what you choose here, and so does the provider of the calendar.',
    page: 'Page for the student',
    pageIntro:
      'This link shows upcoming lessons and progress without a login. Anyone who has the link can read the page.',
    detail: 'What can be seen',
    full: 'Everything: type, name, phone, notes',
    lesson: 'Type, first name and initial',
    busy: 'Only busy times',
    none: 'There is no link.',
    since: 'Link created {{moment}}',
    used: 'last used {{moment}}',
    unused: 'never used',
    make: 'Create a link',
    renew: 'Create a new link',
    renewAsk: 'The existing link will stop working.',
    end: 'End the link',
    endAsk: 'The link will stop working for everyone who has it.',
    once: 'The link is shown only once.',
    address: 'Link',
    copy: 'Copy',
    copied: 'Copied',
    subscribe: 'Open in the calendar',
    open: 'Open the page',
  },
}
