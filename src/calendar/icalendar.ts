import ICAL from 'ical.js'
import { tzlib_get_ical_block } from 'timezones-ical-library'
import type { LocalDateTime } from '../domain/local-time.ts'

const CALENDARS_ASK_AGAIN = 'PT1H'

// ical.js does not treat these names as text, so a line break in a calendar's name would begin a new line.
const TEXT = ICAL.design.icalendar.property.summary
Object.assign(ICAL.design.icalendar.property, { name: TEXT, 'x-wr-calname': TEXT })

// RFC 5545 §3.1 allows 75 octets. ical.js does not count the space before a folded line.
ICAL.foldLength = 74

export type CalendarHead = { readonly name: string; readonly timezone: string; readonly locale: string }

export type CalendarEntry = {
  readonly uid: string
  readonly version: number
  readonly changed_at: string
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
  readonly summary: string
  readonly description?: string
  readonly location?: string | null
  readonly isCancelled: boolean
}

/** Returns the start of a calendar (RFC 5545), with its zone; entries and `CALENDAR_END` follow. */
export function calendarBegin({ name, timezone, locale }: CalendarHead): string {
  const calendar = emptyCalendar(locale)
  for (const property of ['name', 'x-wr-calname']) calendar.addPropertyWithValue(property, plain(name))
  calendar.addPropertyWithValue('x-wr-timezone', timezone)
  calendar.addPropertyWithValue('refresh-interval', ICAL.Duration.fromString(CALENDARS_ASK_AGAIN))
  calendar.addPropertyWithValue('x-published-ttl', CALENDARS_ASK_AGAIN)
  calendar.addSubcomponent(zoneOf(timezone))
  return calendar.toString().slice(0, -'END:VCALENDAR'.length)
}

function emptyCalendar(locale: string): ICAL.Component {
  const calendar = new ICAL.Component('vcalendar')
  calendar.addPropertyWithValue('version', '2.0')
  calendar.addPropertyWithValue('prodid', `-//Fahrplan//Fahrplan//${locale.slice(0, 2).toUpperCase()}`)
  calendar.addPropertyWithValue('calscale', 'GREGORIAN')
  return calendar
}

export type CalendarParty = { readonly name: string; readonly address: string }

type Invitation = {
  readonly method: 'REQUEST' | 'CANCEL'
  readonly timezone: string
  readonly locale: string
  readonly organizer: CalendarParty | undefined
  readonly attendee: CalendarParty
}

/** Returns a calendar that adds, changes or cancels one event (RFC 5546), for a mail. */
export function calendarInvitation(
  entry: CalendarEntry,
  { method, timezone, locale, organizer, attendee }: Invitation,
): string {
  const calendar = emptyCalendar(locale)
  calendar.addPropertyWithValue('method', method)
  calendar.addSubcomponent(zoneOf(timezone))
  const event = eventOf(entry, timezone)
  if (organizer) addParty(event, 'organizer', organizer)
  const invited = addParty(event, 'attendee', attendee)
  // The lesson is already booked, so calendars must not send the school a reply.
  invited.setParameter('role', 'REQ-PARTICIPANT')
  invited.setParameter('partstat', 'ACCEPTED')
  invited.setParameter('rsvp', 'FALSE')
  calendar.addSubcomponent(event)
  return `${calendar}\r\n`
}

function addParty(event: ICAL.Component, name: string, party: CalendarParty): ICAL.Property {
  const property = event.addPropertyWithValue(name, `mailto:${encodeURI(party.address)}`)
  const shown = plain(party.name)
    .replace(/["\s]+/g, ' ')
    .trim()
  if (shown !== '') property.setParameter('cn', shown)
  return property
}

export function calendarEntry(entry: CalendarEntry, timezone: string): string {
  return `${eventOf(entry, timezone)}\r\n`
}

function eventOf(entry: CalendarEntry, timezone: string): ICAL.Component {
  const event = new ICAL.Component('vevent')
  const stamp = ICAL.Time.fromDateTimeString(`${entry.changed_at.slice(0, 19)}Z`)
  event.addPropertyWithValue('uid', entry.uid)
  event.addPropertyWithValue('sequence', entry.version)
  event.addPropertyWithValue('dtstamp', stamp)
  event.addPropertyWithValue('last-modified', stamp)
  for (const [name, at] of [
    ['dtstart', entry.start_at],
    ['dtend', entry.end_at],
  ] as const) {
    const time = ICAL.Time.fromDateTimeString(`${at.replace(' ', 'T')}:00`)
    event.addPropertyWithValue(name, time).setParameter('tzid', timezone)
  }
  event.addPropertyWithValue('summary', plain(entry.summary))
  if (entry.description) event.addPropertyWithValue('description', plain(entry.description))
  if (entry.location) event.addPropertyWithValue('location', plain(entry.location))
  event.addPropertyWithValue('status', entry.isCancelled ? 'CANCELLED' : 'CONFIRMED')
  event.addPropertyWithValue('transp', entry.isCancelled ? 'TRANSPARENT' : 'OPAQUE')
  event.addPropertyWithValue('class', 'PRIVATE')
  return event
}

export const CALENDAR_END = 'END:VCALENDAR\r\n'

const zones = new Map<string, string>()

/** Returns the definition of a zone, for calendar apps without it. A name that the library lacks is an alias. */
function zoneOf(timezone: string): ICAL.Component {
  const block = zones.get(timezone) ?? blockOf(timezone)
  zones.set(timezone, block)
  const zone = ICAL.Component.fromString(block)
  zone.updatePropertyWithValue('tzid', timezone)
  return zone
}

function blockOf(timezone: string): string {
  const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: timezone }).resolvedOptions()
  if (/^[+-]/.test(timeZone)) return fixedZone(timeZone.replace(':', ''))
  const [block] = [timezone, timeZone].flatMap((name) => tzlib_get_ical_block(name)?.[0] || [])
  if (block === undefined) throw new Error(`no calendar knows the zone ${timezone}`)
  return block
}

function fixedZone(offset: string): string {
  const standard = ['DTSTART:19700101T000000', `TZOFFSETFROM:${offset}`, `TZOFFSETTO:${offset}`]
  return [
    'BEGIN:VTIMEZONE',
    'TZID:fixed',
    'BEGIN:STANDARD',
    ...standard,
    'END:STANDARD',
    'END:VTIMEZONE',
  ].join('\r\n')
}

/** Normalizes line breaks for ical.js, and removes control characters, which it would let through. */
function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removes control characters
  return text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n').replace(/[\0-\x09\x0b-\x1f\x7f]/g, ' ')
}
