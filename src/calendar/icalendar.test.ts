import ical, { type VEvent } from 'node-ical'
import { describe, expect, it } from 'vitest'
import { isSkipped, localNow } from '../domain/time-zone.ts'
import { CALENDAR_END, type CalendarEntry, calendarBegin, calendarEntry } from './icalendar.ts'

const ENTRY: CalendarEntry = {
  uid: 'lesson@fahrplan',
  version: 3,
  changed_at: '2026-05-01T06:07:08.900Z',
  start_at: '2026-05-04 08:00',
  end_at: '2026-05-04 09:30',
  summary: 'Practice',
  isCancelled: false,
}

function calendarWith(
  timezone: string,
  entries: readonly Partial<CalendarEntry>[],
  name = 'Fahrplan',
): string {
  const texts = entries.map((entry) => calendarEntry({ ...ENTRY, ...entry }, timezone))
  return calendarBegin({ name, timezone, locale: 'de' }) + texts.join('') + CALENDAR_END
}

function eventsIn(text: string): readonly VEvent[] {
  return Object.values(ical.sync.parseICS(text)).filter((one): one is VEvent => one?.type === 'VEVENT')
}

/** Days around both clock changes, and one in between. In the southern hemisphere the changes are reversed. */
const CHANGES: readonly (readonly [zone: string, days: readonly string[]])[] = [
  [
    'Europe/Berlin',
    ['2026-03-28', '2026-03-29', '2026-03-30', '2026-07-01', '2026-10-24', '2026-10-25', '2026-10-26'],
  ],
  [
    'Australia/Adelaide',
    ['2026-04-04', '2026-04-05', '2026-04-06', '2026-07-01', '2026-10-03', '2026-10-04', '2026-10-05'],
  ],
  [
    'Australia/Lord_Howe',
    ['2026-04-04', '2026-04-05', '2026-04-06', '2026-10-03', '2026-10-04', '2026-10-05'],
  ],
  ['America/New_York', ['2026-03-07', '2026-03-08', '2026-03-09', '2026-10-31', '2026-11-01', '2026-11-02']],
  ['Asia/Kolkata', ['2026-03-29', '2026-10-25']],
]

describe('the times of an event', () => {
  it.each(CHANGES)('are read by node-ical as the same local times in %s', (zone, days) => {
    const hours = ['00:15', '01:30', '01:59', '02:00', '02:30', '03:00', '08:00', '23:00']
    const starts = days
      .flatMap((day) => hours.map((hour) => `${day} ${hour}`))
      .filter((start_at) => !isSkipped(start_at, zone))
    const entries = starts.map((start_at) => ({
      uid: start_at,
      start_at,
      end_at: `${start_at.slice(0, 10)} 23:45`,
    }))
    const events = eventsIn(calendarWith(zone, entries))
    expect(events).toHaveLength(starts.length)
    expect(events.map(({ start }) => localNow(start, zone))).toEqual(starts)
    expect(events.map(({ end }) => end && localNow(end, zone))).toEqual(entries.map(({ end_at }) => end_at))
  })

  it('are written as stored, with DTSTAMP in UTC', () => {
    const [text] = [
      calendarWith('Europe/Berlin', [{ start_at: '2026-03-08 02:30', end_at: '2026-03-08 03:30' }]),
    ]
    expect(text).toContain('DTSTART;TZID=Europe/Berlin:20260308T023000')
    expect(text).toContain('DTSTAMP:20260501T060708Z')
  })
})

describe('a time zone', () => {
  it.each([...Intl.supportedValuesOf('timeZone'), 'Europe/Kiev', 'US/Pacific', 'UTC', '+05:30'])(
    '%s is described under the TZID that the times use',
    (zone) => {
      const text = calendarWith(zone, [{}])
      expect(text).toContain(`TZID:${zone}\r\n`)
      expect(text).toMatch(/TZOFFSETTO:[+-]\d{4}/)
      expect(text).toContain(`DTSTART;TZID=${zone.includes(':') ? `"${zone}"` : zone}:`)
    },
  )
})

describe('user-supplied text', () => {
  const BEGIN = 'BEGIN:VEVENT\r\nUID:x\nSUMMARY:injected\rEND:VEVENT\u2028X-EVIL:1\u0085\0\x07'

  it.each([
    ['notes', { description: BEGIN }],
    ['a title', { summary: BEGIN }],
  ])('cannot inject a line through %s', (_, entry) => {
    const text = calendarWith('Europe/Berlin', [entry])
    expect(text.match(/^BEGIN:VEVENT$/gm)).toHaveLength(1)
    expect(text.match(/^(SUMMARY:injected|UID:x|X-EVIL)/gm)).toBeNull()
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\p{Cc}\u2028]/u)
    expect(eventsIn(text)).toHaveLength(1)
  })

  it('cannot inject a line through the calendar name', () => {
    const text = calendarWith('Europe/Berlin', [{}], BEGIN)
    expect(text.match(/^BEGIN:VEVENT\r$/gm)).toHaveLength(1)
    expect(text).toContain('NAME:BEGIN:VEVENT\\nUID:x')
  })

  it.each(['a, b; c', 'back\\slash', 'one\ntwo', 'Ä'.repeat(200), '😀'.repeat(100), `${'x'.repeat(60)}ü😀`])(
    'is read back unchanged: %j',
    (words) => {
      const [event] = eventsIn(calendarWith('Europe/Berlin', [{ summary: words, description: words }]))
      expect([event?.summary, event?.description]).toEqual([words, words])
    },
  )

  it('has its backslashes doubled', () => {
    expect(calendarWith('Europe/Berlin', [{ summary: 'C:\\new' }])).toContain('SUMMARY:C:\\\\new\r\n')
  })

  it('is folded at 75 octets, never within a character', () => {
    const text = calendarWith(
      'Europe/Berlin',
      [{ summary: 'Übungsfahrt 😀 '.repeat(40) }],
      'Größe '.repeat(40),
    )
    const lines = text.split('\r\n')
    expect(lines.length).toBeGreaterThan(20)
    for (const line of lines) {
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
      expect(line.isWellFormed()).toBe(true)
    }
    expect(text.endsWith('END:VCALENDAR\r\n')).toBe(true)
  })
})
