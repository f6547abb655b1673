import type { deDates } from './de-dates.ts'

export const enDates: typeof deDates = {
  date: {
    missing: 'Please enter a date.',
    unreadable: 'Please enter a date, such as 24/12.',
    no_such_day: 'There is no such day.',
    no_such_time: 'There is no such time.',
    no_year: 'Please enter the year, too.',
    unlikely_year: 'The year must be from {{min}} to {{max}}.',
    which_day: 'Which day in {{year}}?',
    too_early: '{{min}} at the earliest.',
    too_late: '{{max}} at the latest.',
    in_the_future: 'This is in the future.',
    unlikely_age: 'The age must be from {{min}} to {{max}}.',
    age_one: '{{count}} year old',
    age_other: '{{count}} years old',
    past: '{{words}}: in the past',
    clocks:
      'The clocks change that night: the lesson lasts {{count}} min and counts as {{minutes}} min by the clock.',
    pick: 'Choose a day',
  },
  number: {
    not_whole: 'Please enter a whole number.',
    too_small: '{{min}} at least.',
    too_large: '{{max}} at most.',
  },
  text: {
    required: 'Please fill in this field.',
    noEmail: 'Please enter an e-mail address, such as name@school.com.',
    oddPhone: 'This is probably not a phone number.',
    oddEmail: 'This is probably not an e-mail address.',
    tooShort: 'At least {{min}} characters.',
    tooLong: 'Too long by {{over}}: the maximum is {{max}} characters.',
  },
}
