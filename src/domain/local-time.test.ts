import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import {
  dateOf,
  dayOf,
  dayOfMinute,
  daysLater,
  isLocalDate,
  isLocalDateTime,
  isTimeOfDay,
  localDateFor,
  localDateTimeFor,
  midnightOf,
  minuteOf,
  minuteOfDay,
  minutesLater,
  mondayOf,
  timeOf,
  weekdayOf,
  weekNumberOf,
  weekStartOf,
} from './local-time.ts'

describe('a local date', () => {
  it.each(['1900-01-01', '2099-12-31', '2024-02-29', '2000-02-29', '2026-04-30'])('%s exists', (text) => {
    expect(isLocalDate(text)).toBe(true)
  })

  it.each([
    ['1899-12-31', 'is before the first year'],
    ['2100-01-01', 'is after the last year'],
    ['1900-02-29', 'is 29 February in 1900, which is not a leap year'],
    ['2026-02-29', 'is 29 February in a year that is not a leap year'],
    ['2026-02-30', 'does not exist'],
    ['2026-04-31', 'does not exist'],
    ['2026-00-10', 'has no month'],
    ['2026-13-01', 'has month 13'],
    ['2026-01-00', 'has no day'],
    ['2026-01-32', 'has day 32'],
    ['2026-1-1', 'lacks zeros'],
    ['26-01-01', 'lacks the century'],
    ['2026-01-01 ', 'has a blank at the end'],
    ['2026-01-01\n', 'has a line break at the end'],
    [' 2026-01-01', 'has a blank at the start'],
    ['２０２６-01-01', 'has digits of another script'],
    ['', 'is empty'],
  ])('%j is invalid: it %s', (text) => {
    expect(isLocalDate(text)).toBe(false)
  })
})

describe('a local date-time', () => {
  it.each(['2000-01-01 00:00', '2099-12-31 23:59', '2024-02-29 12:30'])('%s exists', (text) => {
    expect(isLocalDateTime(text)).toBe(true)
  })

  it.each([
    ['1999-12-31 23:59', 'is before the first year'],
    ['2100-01-01 00:00', 'is after the last year'],
    ['2026-02-30 10:00', 'has a date that does not exist'],
    ['2026-01-01 24:00', 'has hour 24'],
    ['2026-01-01 10:60', 'has minute 60'],
    ['2026-01-01T10:00', 'has a letter between date and time'],
    ['2026-01-01 10:00Z', 'has a zone'],
    ['2026-01-01 10:00:00', 'has seconds'],
    ['2026-01-01 9:00', 'lacks a zero'],
    ['2026-01-01', 'has no time'],
    ['', 'is empty'],
  ])('%j is invalid: it %s', (text) => {
    expect(isLocalDateTime(text)).toBe(false)
  })
})

describe('a time of day', () => {
  it.each([
    ['00:00', true],
    ['09:59', true],
    ['19:00', true],
    ['20:00', true],
    ['23:59', true],
    ['24:00', false],
    ['12:60', false],
    ['9:00', false],
    ['-1:00', false],
    ['12:00\n', false],
    ['', false],
  ])('%j is valid: %s', (text, valid) => {
    expect(isTimeOfDay(text)).toBe(valid)
  })

  it.each([
    ['00:00', 0],
    ['00:59', 59],
    ['08:05', 485],
    ['23:59', 1439],
    ['24:00', 1440],
  ])('%s is minute %i of the day', (text, minute) => {
    expect(minuteOfDay(text)).toBe(minute)
  })
})

describe('days and minutes', () => {
  it.each([
    ['1969-12-31', -1],
    ['1970-01-01', 0],
    ['1970-01-02', 1],
    ['2000-03-01', 11_017],
  ])('%s is day %i', (date, day) => {
    expect(dayOf(date)).toBe(day)
    expect(dayOf(`${date} 23:59`)).toBe(day)
    expect(localDateFor(day)).toBe(date)
  })

  it.each([
    ['1969-12-31 23:59', -1, -1],
    ['1970-01-01 00:00', 0, 0],
    ['1970-01-01 23:59', 1439, 0],
    ['1970-01-02 00:00', 1440, 1],
  ])('%s is minute %i, on day %i', (text, minute, day) => {
    expect(minuteOf(text)).toBe(minute)
    expect(localDateTimeFor(minute)).toBe(text)
    expect(dayOfMinute(minute)).toBe(day)
  })

  it.each(['2026-03-29', '2026-10-25'])(
    'the day of a clock change, %s, has 24 hours like any other',
    (date) => {
      const nextMidnight = localDateFor(dayOf(date) + 1)
      expect(minuteOf(`${nextMidnight} 00:00`) - minuteOf(`${date} 00:00`)).toBe(1440)
    },
  )

  it('each day from 1900 to 2099 has the same text and weekday as in Date', () => {
    const calendar = new Date(Date.UTC(1900, 0, 1))
    for (let day = dayOf('1900-01-01'); day <= dayOf('2099-12-31'); day++) {
      const text = calendar.toISOString().slice(0, 10)
      if (localDateFor(day) !== text || dayOf(text) !== day || !isLocalDate(text)) expect.fail(text)
      if (weekdayOf(day) !== (calendar.getUTCDay() || 7)) expect.fail(`${text}: weekday`)
      calendar.setUTCDate(calendar.getUTCDate() + 1)
    }
    expect(calendar.getUTCFullYear()).toBe(2100)
  })

  it('every minute round-trips through text, and later minutes sort later', () => {
    const minute = fc.integer({ min: minuteOf('2000-01-01 00:00'), max: minuteOf('2099-12-31 23:58') })
    fc.assert(
      fc.property(minute, (value) => {
        const text = localDateTimeFor(value)
        expect(isLocalDateTime(text)).toBe(true)
        expect(minuteOf(text)).toBe(value)
        expect(localDateTimeFor(value + 1) > text).toBe(true)
      }),
    )
  })
})

describe('weekdays and weeks', () => {
  it.each([
    ['2026-03-01', 7],
    ['2026-03-02', 1],
    ['2026-03-08', 7],
    ['1969-12-28', 7],
    ['1969-12-29', 1],
    ['1970-01-01', 4],
  ])('%s is ISO weekday %i', (date, weekday) => {
    expect(weekdayOf(dayOf(date))).toBe(weekday)
  })

  it.each([
    ['2026-03-01', '2026-02-23', 'Sunday belongs to the week before'],
    ['2026-03-02', '2026-03-02', 'Monday begins its own week'],
    ['2026-03-08', '2026-03-02', 'Sunday ends the week'],
    ['2026-04-01', '2026-03-30', 'the week spans the end of a month'],
    ['2026-01-01', '2025-12-29', 'the week spans the end of a year'],
    ['2027-01-03', '2026-12-28', 'week 53 ends in the next year'],
    ['2027-01-04', '2027-01-04', 'week 1 follows week 53'],
    ['2028-03-01', '2028-02-28', 'the week spans a leap day'],
    ['1970-01-01', '1969-12-29', 'the week starts before 1970'],
  ])('the week of %s starts on %s: %s', (date, monday) => {
    expect(localDateFor(weekStartOf(dayOf(date)))).toBe(monday)
  })
})

describe('dates and times as text', () => {
  it('are the two halves of a date-time', () => {
    expect(dateOf('2026-03-02 08:15')).toBe('2026-03-02')
    expect(timeOf('2026-03-02 08:15')).toBe('08:15')
  })

  it.each([
    ['2026-02-28', 1, '2026-03-01'],
    ['2026-01-01', -1, '2025-12-31'],
    ['2026-03-02', 0, '2026-03-02'],
  ])('%s plus %i days is %s', (date, days, expected) => {
    expect(daysLater(date, days)).toBe(expected)
  })

  it.each([
    ['2026-03-02 23:59', 1, '2026-03-03 00:00'],
    ['2026-03-02 00:00', -1, '2026-03-01 23:59'],
    ['2026-03-29 01:30', 60, '2026-03-29 02:30'],
  ])('%s plus %i minutes is %s', (text, minutes, expected) => {
    expect(minutesLater(text, minutes)).toBe(expected)
  })

  it.each([
    ['2026-01-01', 1],
    ['2025-12-28', 52],
    ['2025-12-29', 1],
    ['2026-12-31', 53],
    ['2027-01-03', 53],
    ['2027-01-04', 1],
    ['2028-02-29', 9],
  ])('%s is in ISO week %i (F24)', (date, week) => {
    expect(weekNumberOf(date)).toBe(week)
  })

  it('a week starts on its Monday, and a day at midnight', () => {
    expect(mondayOf('2026-03-08')).toBe('2026-03-02')
    expect(localDateTimeFor(midnightOf(dayOf('2026-03-08')))).toBe('2026-03-08 00:00')
  })
})

describe("the machine's time zone", () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it.each([
    ['America/New_York', 300],
    ['Pacific/Auckland', -780],
  ])('%s does not affect days, weekdays or minutes (F23)', (zone, offsetInJanuary) => {
    vi.stubEnv('TZ', zone)
    expect(new Date(2026, 0, 1).getTimezoneOffset()).toBe(offsetInJanuary)
    expect(localDateFor(dayOf('2026-03-02'))).toBe('2026-03-02')
    expect(localDateTimeFor(minuteOf('2026-03-29 02:30'))).toBe('2026-03-29 02:30')
    expect(weekdayOf(dayOf('2026-03-02 00:00'))).toBe(1)
    expect(isLocalDate('2026-03-31')).toBe(true)
    expect(isLocalDate('2026-04-31')).toBe(false)
  })
})
