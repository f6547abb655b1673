import type { deBusy } from './de-busy.ts'

export const enBusy: typeof deBusy = {
  busy: {
    title: 'Private calendars',
    intro:
      'Enter the secret address of a calendar, for example from Google, Outlook or iCloud. Only the busy times are read, never what they are for. The settings say what that means for bookings.',
    none: 'No calendar yet.',
    name: 'Name',
    ownName: 'Private',
    url: 'Address (ICS)',
    urlHint: 'It begins with https:// or webcal://. Once added, it is not shown again.',
    add: 'Add calendar',
    remove: 'Remove {{name}}',
    removeText: 'The busy times of this calendar disappear from the board. Lessons stay.',
    waiting: 'It will be read in a moment.',
    readAt: 'Read {{when}}',
    failing: 'Cannot be read: {{why}}',
    kept: 'Its last times are kept until 7 days after it was last read.',
    faults: {
      invalid_format: 'The address must begin with https:// or webcal://.',
      not_allowed: 'The address must not contain a user or a password.',
      no_public_address: 'The name of the address is unknown, or in a private network.',
      too_many: 'Five calendars at most.',
    },
    failures: {
      no_public_address: 'The name of the address is unknown, or in a private network.',
      unreachable: 'The server cannot be reached.',
      timeout: 'The server takes too long to respond.',
      not_https: 'The address redirects to one that is not encrypted.',
      too_many_redirects: 'The address redirects too often.',
      forbidden: 'The server asks for a login. Use the secret address of the calendar.',
      not_found: 'There is no calendar at this address any more.',
      http_error: 'The server reports an error.',
      too_large: 'The calendar is larger than 5 MB.',
      not_a_calendar: 'There is no calendar at this address.',
      incomplete: 'The calendar is incomplete.',
      too_complex: 'The calendar has too many entries.',
      address_lost: 'The address can no longer be read. Add the calendar again.',
    },
  },
}
