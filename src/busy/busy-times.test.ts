import { describe, expect, it } from 'vitest'
import { localDateTimeFor } from '../domain/local-time.ts'
import { busyTimesIn, UnreadableCalendar } from './busy-times.ts'

const ZONES = `BEGIN:VTIMEZONE
TZID:Mine
BEGIN:STANDARD
DTSTART:19701025T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:19700329T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU
END:DAYLIGHT
END:VTIMEZONE`

const calendarOf = (...parts: readonly string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//x//y//EN', ...parts, 'END:VCALENDAR', '']
    .join('\n')
    .replaceAll('\n', '\r\n')

const event = (lines: string, uid = 'one') => `BEGIN:VEVENT\nUID:${uid}\n${lines}\nEND:VEVENT`

const read = (text: string, email: string | null = 'jonas@school.example') =>
  busyTimesIn({ text, timezone: 'Europe/Berlin', today: '2026-10-19', email }).map(
    ({ start, end }) => `${localDateTimeFor(start).slice(5)}–${localDateTimeFor(end).slice(5)}`,
  )

const failureOf = (text: string) => {
  try {
    return read(text)
  } catch (error) {
    if (error instanceof UnreadableCalendar) return error.failure
    throw error
  }
}

const NINE = 'DTSTART:20261020T070000Z\nDTEND:20261020T080000Z'
const NINE_IN_BERLIN = ['10-20 09:00–10-20 10:00']

/** The entries of a calendar, and the times that they block from Monday, 19 October 2026, by the clock of Berlin. */
const TABLE: Readonly<Record<string, readonly [events: readonly string[], times: readonly string[]]>> = {
  'UTC becomes the wall clock of the school': [[event(NINE)], NINE_IN_BERLIN],
  'a time without a zone is the wall clock of the school': [
    [event('DTSTART:20261020T090000\nDTEND:20261020T100000')],
    NINE_IN_BERLIN,
  ],
  'a zone that the calendar defines': [
    [ZONES, event('DTSTART;TZID=Mine:20261026T090000\nDURATION:PT90M')],
    ['10-26 09:00–10-26 10:30'],
  ],
  'a zone by name without a definition': [
    [event('DTSTART;TZID=America/New_York:20261020T080000\nDURATION:PT1H')],
    ['10-20 14:00–10-20 15:00'],
  ],
  'an unknown zone is the wall clock of the school': [
    [event('DTSTART;TZID=Nowhere:20261020T090000\nDTEND;TZID=Nowhere:20261020T100000')],
    NINE_IN_BERLIN,
  ],
  'a day blocks the day of the school': [[event('DTSTART;VALUE=DATE:20261020')], ['10-20 00:00–10-21 00:00']],
  'the end of days is exclusive': [
    [event('DTSTART;VALUE=DATE:20261020\nDTEND;VALUE=DATE:20261022')],
    ['10-20 00:00–10-22 00:00'],
  ],
  'seconds are rounded outward': [
    [event('DTSTART:20261020T070059Z\nDTEND:20261020T080001Z')],
    ['10-20 09:00–10-20 10:01'],
  ],
  'a moment without length blocks nothing': [[event('DTSTART:20261020T070000Z')], []],
  'an end before the start blocks nothing': [[event('DTSTART:20261020T080000Z\nDTEND:20261020T070000Z')], []],
  'the hour that the clocks repeat is blocked': [
    [event('DTSTART:20261025T003000Z\nDTEND:20261025T011500Z')],
    ['10-25 02:15–10-25 03:15'],
  ],
  'a series across the change of clocks keeps its wall clock': [
    [event('DTSTART;TZID=Europe/Berlin:20261020T090000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY;COUNT=3')],
    [...NINE_IN_BERLIN, '10-27 09:00–10-27 10:00', '11-03 09:00–11-03 10:00'],
  ],
  'a series in UTC moves with the change of clocks': [
    [event(`${NINE}\nRRULE:FREQ=WEEKLY;UNTIL=20261028T000000Z`)],
    [...NINE_IN_BERLIN, '10-27 08:00–10-27 09:00'],
  ],
  'a series from long ago': [
    [event('DTSTART;TZID=Europe/Berlin:20100105T090000\nDURATION:PT1H\nRRULE:FREQ=MONTHLY;BYDAY=1TU')],
    ['11-03 09:00–11-03 10:00', '12-01 09:00–12-01 10:00', '01-05 09:00–01-05 10:00'],
  ],
  'days of every year': [
    [event('DTSTART;VALUE=DATE:19801103\nRRULE:FREQ=YEARLY')],
    ['11-03 00:00–11-04 00:00'],
  ],
  'RDATE and EXDATE': [
    [
      event(
        'DTSTART:20261020T090000\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=3\nEXDATE:20261021T090000\nRDATE:20261030T090000',
      ),
    ],
    [...NINE_IN_BERLIN, '10-22 09:00–10-22 10:00', '10-30 09:00–10-30 10:00'],
  ],
  'an entry with RDATE but no RRULE blocks its start, too': [
    [
      event(
        'DTSTART;TZID=Europe/Berlin:20261020T090000\nDURATION:PT1H\nRDATE;TZID=Europe/Berlin:20261030T090000',
      ),
    ],
    [...NINE_IN_BERLIN, '10-30 09:00–10-30 10:00'],
  ],
  'EXDATE removes the start of an entry with RDATE but no RRULE': [
    [event('DTSTART:20261020T090000\nDURATION:PT1H\nRDATE:20261030T090000\nEXDATE:20261020T090000')],
    ['10-30 09:00–10-30 10:00'],
  ],
  'all-day RDATE': [
    [event('DTSTART;VALUE=DATE:20261020\nRDATE;VALUE=DATE:20261022,20261024')],
    ['10-20 00:00–10-21 00:00', '10-22 00:00–10-23 00:00', '10-24 00:00–10-25 00:00'],
  ],
  'RDATE with periods': [
    [
      event(
        'DTSTART;TZID=Europe/Berlin:20261020T090000\nDURATION:PT1H\nRDATE;VALUE=PERIOD;TZID=Europe/Berlin:20261030T090000/PT2H,20261031T090000/20261031T093000',
      ),
    ],
    [...NINE_IN_BERLIN, '10-30 09:00–10-30 11:00', '10-31 09:00–10-31 09:30'],
  ],
  'an all-day entry with equal start and end blocks that day': [
    [event('DTSTART;VALUE=DATE:20261020\nDTEND;VALUE=DATE:20261020')],
    ['10-20 00:00–10-21 00:00'],
  ],
  'a moved occurrence': [
    [
      event('DTSTART:20261020T090000\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=2'),
      event('RECURRENCE-ID:20261021T090000\nDTSTART:20261023T120000\nDURATION:PT2H'),
    ],
    [...NINE_IN_BERLIN, '10-23 12:00–10-23 14:00'],
  ],
  'an occurrence moved from beyond the range into it': [
    [
      event('DTSTART:20261020T090000\nDURATION:PT1H\nRRULE:FREQ=YEARLY'),
      event('RECURRENCE-ID:20271020T090000\nDTSTART:20261023T120000\nDURATION:PT2H'),
    ],
    [...NINE_IN_BERLIN, '10-23 12:00–10-23 14:00'],
  ],
  'a cancelled, transparent or declined occurrence': [
    [
      event('DTSTART:20261020T090000\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=4'),
      event('RECURRENCE-ID:20261021T090000\nDTSTART:20261021T090000\nDURATION:PT1H\nSTATUS:CANCELLED'),
      event('RECURRENCE-ID:20261022T090000\nDTSTART:20261022T090000\nDURATION:PT1H\nTRANSP:TRANSPARENT'),
      event(
        'RECURRENCE-ID:20261023T090000\nDTSTART:20261023T090000\nDURATION:PT1H\nATTENDEE;PARTSTAT=DECLINED:mailto:jonas@school.example',
      ),
    ],
    NINE_IN_BERLIN,
  ],
  'this and the following': [
    [
      event('DTSTART:20261020T090000\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=3'),
      event('RECURRENCE-ID;RANGE=THISANDFUTURE:20261021T090000\nDTSTART:20261021T120000\nDURATION:PT2H'),
    ],
    [...NINE_IN_BERLIN, '10-21 12:00–10-21 14:00', '10-22 12:00–10-22 14:00'],
  ],
  'an exception of another series changes nothing': [
    [
      event('DTSTART:20261020T090000\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=1'),
      event('RECURRENCE-ID:20261020T090000\nDTSTART:20261020T090000\nDURATION:PT1H\nSTATUS:CANCELLED', 'two'),
    ],
    NINE_IN_BERLIN,
  ],
  'an entry that began before today blocks the rest': [
    [event('DTSTART;VALUE=DATE:20261012\nDTEND;VALUE=DATE:20261020')],
    ['10-19 00:00–10-20 00:00'],
  ],
  'an entry of yesterday blocks nothing': [[event('DTSTART:20261018T090000\nDTEND:20261018T100000')], []],
  'the last of 92 days': [
    [
      event('DTSTART:20270118T230000\nDTEND:20270119T010000', 'a'),
      event('DTSTART:20270119T090000\nDTEND:20270119T100000', 'b'),
    ],
    ['01-18 23:00–01-19 00:00'],
  ],
  'transparent, cancelled and declined entries': [
    [
      event(`${NINE}\nTRANSP:TRANSPARENT`, 'a'),
      event(`${NINE}\nSTATUS:CANCELLED`, 'b'),
      event(`${NINE}\nATTENDEE;PARTSTAT=DECLINED:mailto:Jonas@School.example`, 'c'),
    ],
    [],
  ],
  'tentative entries, entries that others declined, and opaque ones': [
    [event(`${NINE}\nSTATUS:TENTATIVE\nTRANSP:OPAQUE\nATTENDEE;PARTSTAT=DECLINED:mailto:mia@school.example`)],
    NINE_IN_BERLIN,
  ],
  'overlapping and adjoining times are joined': [
    [event(NINE, 'a'), event('DTSTART:20261020T080000Z\nDURATION:PT1H', 'b'), event(NINE, 'c')],
    ['10-20 09:00–10-20 11:00'],
  ],
  'an entry without a readable time blocks nothing, the others do': [
    [event('SUMMARY:none', 'a'), event('DTSTART:yesterday\nDURATION:PT1H', 'b'), event(NINE, 'c')],
    NINE_IN_BERLIN,
  ],
  'tasks and journals block nothing': [['BEGIN:VTODO\nUID:x\nDTSTART:20261020T070000Z\nEND:VTODO'], []],
}

describe('the busy times of a calendar', () => {
  for (const [title, [parts, times]] of Object.entries(TABLE))
    it(title, () => {
      expect(read(calendarOf(...parts))).toEqual(times)
    })

  it('include declined entries if the instructor has no address', () => {
    const declined = event(`${NINE}\nATTENDEE;PARTSTAT=DECLINED:mailto:jonas@school.example`)
    expect(read(calendarOf(declined), null)).toEqual(NINE_IN_BERLIN)
    expect(read(calendarOf(declined))).toEqual([])
  })

  it('are read from several calendars in one file, and behind a byte order mark', () => {
    const second = event('DTSTART:20261021T090000\nDURATION:PT1H')
    expect(read(`\uFEFF${calendarOf(event(NINE))}${calendarOf(second)}`)).toEqual([
      ...NINE_IN_BERLIN,
      '10-21 09:00–10-21 10:00',
    ])
  })
})

describe('an unreadable calendar', () => {
  it('is not_a_calendar without a beginning, or with a line or a rule that is none', () => {
    for (const text of [
      '',
      'hello',
      '<html></html>',
      calendarOf('nonsense'),
      calendarOf(event(`${NINE}\nRRULE:FREQ=SOMETIMES`)),
      'BEGIN:VCARD\r\nEND:VCARD\r\n',
    ])
      expect(failureOf(text), text).toBe('not_a_calendar')
  })

  it('is incomplete if it breaks off, at any line or within the last', () => {
    const whole = calendarOf(event(NINE))
    for (const text of [whole.slice(0, 60), whole.slice(0, -3), whole.replace('END:VCALENDAR\r\n', '')])
      expect(failureOf(text), text.slice(-20)).toBe('incomplete')
  })

  it('is too_complex with more times than a school could have use for', () => {
    const many = Array.from({ length: 6_000 }, (_, at) => {
      const start = new Date(Date.UTC(2026, 9, 20) + at * 20 * 60_000)
        .toISOString()
        .replaceAll(/[-:]|\.000/g, '')
      return event(`DTSTART:${start}\nDURATION:PT10M`, `${at}`)
    })
    expect(failureOf(calendarOf(...many))).toBe('too_complex')
  })
})
