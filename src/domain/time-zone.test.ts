import { afterEach, describe, expect, it, vi } from 'vitest'
import { localDateTimeFor, minuteOf } from './local-time.ts'
import { clockShiftBetween, isSkipped, isTimeZone, localNow, localToday } from './time-zone.ts'

describe('isTimeZone', () => {
  it.each(['Europe/Berlin', 'America/Argentina/Buenos_Aires', 'UTC'])('%s is known', (zone) => {
    expect(isTimeZone(zone)).toBe(true)
  })

  it.each(['Europe/Nowhere', 'Berlin', '', 'Europe/Berlin '])('%j is not known', (zone) => {
    expect(isTimeZone(zone)).toBe(false)
  })
})

describe('localNow', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it.each([
    ['Europe/Berlin', '2026-03-29T00:59:59Z', '2026-03-29 01:59', 'the last second of winter time'],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29 03:00', 'the clock jumps forward'],
    ['Europe/Berlin', '2026-10-25T00:59:00Z', '2026-10-25 02:59', 'the last minute of summer time'],
    ['Europe/Berlin', '2026-10-25T01:00:00Z', '2026-10-25 02:00', 'the hour repeats'],
    [
      'Europe/Berlin',
      '2026-12-31T23:00:00Z',
      '2027-01-01 00:00',
      'the year begins before UTC, at 00, not 24',
    ],
    ['America/New_York', '2026-03-08T06:59:00Z', '2026-03-08 01:59', 'before the clock jumps forward'],
    ['America/New_York', '2026-03-08T07:00:00Z', '2026-03-08 03:00', 'the clock jumps forward'],
    ['America/New_York', '2026-11-01T06:00:00Z', '2026-11-01 01:00', 'the hour repeats'],
    ['America/New_York', '2027-01-01T04:59:00Z', '2026-12-31 23:59', 'the year ends after UTC'],
    ['Australia/Lord_Howe', '2026-10-03T15:29:00Z', '2026-10-04 01:59', 'before a change of half an hour'],
    ['Australia/Lord_Howe', '2026-10-03T15:30:00Z', '2026-10-04 02:30', 'after a change of half an hour'],
    ['Africa/Casablanca', '2025-02-23T02:00:00Z', '2025-02-23 02:00', 'the clock goes back for Ramadan'],
    ['Africa/Casablanca', '2025-04-06T02:00:00Z', '2025-04-06 03:00', 'the clock goes forward after it'],
    ['Asia/Kolkata', '2026-06-30T18:30:00Z', '2026-07-01 00:00', 'half an hour off UTC'],
    ['UTC', '2026-06-30T23:59:59.999Z', '2026-06-30 23:59', 'seconds are cut, not rounded'],
  ])('in %s, at %s, the clock shows %s: %s', (zone, instant, local) => {
    expect(localNow(new Date(instant), zone)).toBe(local)
  })

  it('returns the right minute for alternating zones, forwards and backwards', () => {
    const shown = ['00:59:59', '01:00:00', '00:59:00'].flatMap((time) =>
      ['Europe/Berlin', 'UTC'].map((zone) => localNow(new Date(`2026-03-29T${time}Z`), zone).slice(11)),
    )
    expect(shown).toEqual(['01:59', '00:59', '03:00', '01:00', '01:59', '00:59'])
  })

  it("does not depend on the machine's time zone", () => {
    vi.stubEnv('TZ', 'Pacific/Auckland')
    expect(new Date(2026, 0, 1).getTimezoneOffset()).toBe(-780)
    expect(localNow(new Date('2026-03-29T01:00:00Z'), 'Europe/Berlin')).toBe('2026-03-29 03:00')
  })
})

describe('isSkipped', () => {
  it.each([
    ['Europe/Berlin', '2026-03-29 02:00', '2026-03-29 02:59'],
    ['America/New_York', '2026-03-08 02:00', '2026-03-08 02:59'],
    ['Australia/Lord_Howe', '2026-10-04 02:00', '2026-10-04 02:29'],
    ['Africa/Casablanca', '2025-04-06 02:00', '2025-04-06 02:59'],
    ['Africa/Cairo', '2025-04-25 00:00', '2025-04-25 00:59'],
    ['Antarctica/Troll', '2026-03-29 01:00', '2026-03-29 02:59'],
    ['America/St_Johns', '2026-03-08 02:00', '2026-03-08 02:59'],
    ['Pacific/Apia', '2011-12-30 00:00', '2011-12-30 23:59'],
  ])('%s skips %s to %s, but not the minute before or after', (zone, first, last) => {
    const before = localDateTimeFor(minuteOf(first) - 1)
    const after = localDateTimeFor(minuteOf(last) + 1)
    const edges = [before, first, last, after].map((local) => isSkipped(local, zone))
    expect(edges).toEqual([false, true, true, false])
  })

  it.each([
    ['Europe/Berlin', '2026-10-25 02:00', '2026-10-25 02:59'],
    ['America/New_York', '2026-11-01 01:00', '2026-11-01 01:59'],
    ['Australia/Lord_Howe', '2026-04-05 01:30', '2026-04-05 01:59'],
    ['Africa/Casablanca', '2025-02-23 02:00', '2025-02-23 02:59'],
  ])('%s repeats %s to %s and skips none of it', (zone, first, last) => {
    const before = localDateTimeFor(minuteOf(first) - 1)
    const after = localDateTimeFor(minuteOf(last) + 1)
    const edges = [before, first, last, after].map((local) => isSkipped(local, zone))
    expect(edges).toEqual([false, false, false, false])
  })

  it.each([
    ['Europe/Berlin', '2026-03-28 02:30', 'the night before the change'],
    ['Europe/Berlin', '2026-03-30 02:30', 'the night after the change'],
    ['Europe/Berlin', '2025-03-29 02:30', 'the date of the change in another year'],
    ['Asia/Tokyo', '2026-03-29 02:30', 'no summer time'],
    ['Africa/Lagos', '2026-03-29 02:30', 'no summer time'],
    ['UTC', '2026-03-29 02:30', 'no summer time'],
  ])('%s does not skip %s: %s', (zone, local) => {
    expect(isSkipped(local, zone)).toBe(false)
  })

  it.each([
    ['Europe/Berlin', '2026-03-29', 60],
    ['Europe/Berlin', '2026-10-25', 0],
    ['America/New_York', '2026-03-08', 60],
    ['America/New_York', '2026-11-01', 0],
    ['Australia/Lord_Howe', '2026-10-04', 30],
    ['Africa/Casablanca', '2025-04-06', 60],
    ['Pacific/Apia', '2011-12-30', 1440],
  ])('%s skips around %s exactly the %i minutes that its clock never shows', (zone, date, count) => {
    const noon = minuteOf(`${date} 12:00`)
    const minutes = Array.from({ length: 2 * 1440 }, (_, index) => noon - 1440 + index)
    const instants = Array.from({ length: 5 * 1440 }, (_, index) => noon - 2.5 * 1440 + index)
    const shown = new Set(instants.map((minute) => localNow(new Date(minute * 60_000), zone)))
    const neverShown = minutes.map(localDateTimeFor).filter((local) => !shown.has(local))
    expect(neverShown).toHaveLength(count)
    expect(minutes.map(localDateTimeFor).filter((local) => isSkipped(local, zone))).toEqual(neverShown)
  })
})

it.each([
  ['2026-03-01T22:59:59Z', '2026-03-01'],
  ['2026-03-01T23:00:00Z', '2026-03-02'],
])('at %s it is %s in Berlin', (instant, date) => {
  expect(localToday(new Date(instant), 'Europe/Berlin')).toBe(date)
})

it.each([
  ['2027-03-28 01:30', '2027-03-28 03:30', 60],
  ['2027-03-28 00:00', '2027-03-28 01:59', 0],
  ['2027-03-28 03:00', '2027-03-28 04:00', 0],
  ['2027-03-27 23:00', '2027-03-28 03:00', 60],
  ['2026-10-25 01:30', '2026-10-25 03:30', -60],
  ['2026-10-25 03:00', '2026-10-25 04:00', 0],
  ['2027-03-01 08:00', '2027-03-01 09:30', 0],
])('between %s and %s the clocks in Berlin shift by %d minutes', (start, end, minutes) => {
  expect(clockShiftBetween(start, end, 'Europe/Berlin')).toBe(minutes)
})
