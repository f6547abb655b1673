import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  contains,
  daysTouchedBy,
  earliestOverlap,
  type Interval,
  intervalOf,
  joined,
  minutesOf,
  overlaps,
  pieceOn,
  without,
} from './interval.ts'
import { dayOf, localDateFor } from './local-time.ts'

const between = (start: number, end: number): Interval => ({ start, end })

describe('two intervals', () => {
  it.each([
    [between(0, 9), false, 'lies before'],
    [between(0, 10), false, 'ends where the other starts'],
    [between(0, 11), true, 'ends a minute into the other'],
    [between(0, 20), true, 'begins before and ends with the other'],
    [between(0, 30), true, 'contains the other'],
    [between(10, 11), true, 'starts with the other'],
    [between(10, 20), true, 'equals the other'],
    [between(12, 18), true, 'lies inside the other'],
    [between(19, 20), true, 'ends with the other'],
    [between(19, 30), true, "starts in the other's last minute"],
    [between(20, 30), false, 'starts where the other ends'],
    [between(21, 30), false, 'lies after'],
  ])('%j and 10–20 overlap: %s, since the first %s', (interval, expected) => {
    expect(overlaps(interval, between(10, 20))).toBe(expected)
    expect(overlaps(between(10, 20), interval)).toBe(expected)
  })

  it.each([
    [between(10, 20), true, 'is the same'],
    [between(10, 11), true, 'starts with it'],
    [between(19, 20), true, 'ends with it'],
    [between(9, 20), false, 'starts a minute earlier'],
    [between(10, 21), false, 'ends a minute later'],
    [between(9, 21), false, 'is larger'],
    [between(20, 30), false, 'only touches'],
  ])('10–20 contains %j: %s, since it %s', (inner, expected) => {
    expect(contains(between(10, 20), inner)).toBe(expected)
  })
})

describe('an interval of local times', () => {
  it('has its start and end in minutes since 1970', () => {
    const interval = intervalOf({ start_at: '1970-01-01 23:30', end_at: '1970-01-02 00:15' })
    expect(interval).toEqual({ start: 1410, end: 1455 })
    expect(minutesOf(interval)).toBe(45)
  })

  it('has the same length on the night of a clock change as on any other', () => {
    expect(minutesOf(intervalOf({ start_at: '2026-03-29 01:00', end_at: '2026-03-29 04:00' }))).toBe(180)
  })
})

describe('joined', () => {
  it.each([
    ['an empty list', [], []],
    ['a single one', [between(1, 2)], [between(1, 2)]],
    ['two that touch', [between(1, 5), between(5, 9)], [between(1, 9)]],
    ['two that overlap', [between(1, 6), between(5, 9)], [between(1, 9)]],
    ['two with a minute between', [between(1, 4), between(5, 9)], [between(1, 4), between(5, 9)]],
    ['one inside another', [between(1, 9), between(2, 3)], [between(1, 9)]],
    ['two equal ones', [between(1, 9), between(1, 9)], [between(1, 9)]],
    ['unsorted ones', [between(8, 9), between(1, 3), between(3, 5)], [between(1, 5), between(8, 9)]],
    ['one inside and one after', [between(1, 9), between(2, 3), between(9, 10)], [between(1, 10)]],
  ])('returns the fewest intervals for %s', (_, given, expected) => {
    const untouched = structuredClone(given)
    expect(joined(given)).toEqual(expected)
    expect(given).toEqual(untouched)
  })
})

describe('the days that an interval touches', () => {
  it.each([
    ['2026-03-02 00:00', '2026-03-02 00:01', ['2026-03-02']],
    ['2026-03-02 23:00', '2026-03-02 23:59', ['2026-03-02']],
    ['2026-03-02 23:00', '2026-03-03 00:00', ['2026-03-02']],
    ['2026-03-02 23:00', '2026-03-03 00:01', ['2026-03-02', '2026-03-03']],
    ['2026-03-02 00:00', '2026-03-03 00:00', ['2026-03-02']],
    ['2026-03-02 12:00', '2026-03-03 12:00', ['2026-03-02', '2026-03-03']],
    ['2026-02-28 23:00', '2026-03-02 01:00', ['2026-02-28', '2026-03-01', '2026-03-02']],
    ['2026-12-31 23:59', '2027-01-01 00:01', ['2026-12-31', '2027-01-01']],
  ])('from %s to %s are %j', (start_at, end_at, dates) => {
    expect(daysTouchedBy(intervalOf({ start_at, end_at })).map(localDateFor)).toEqual(dates)
  })
})

describe('the piece of an interval on a day', () => {
  const night = intervalOf({ start_at: '2026-03-02 22:00', end_at: '2026-03-04 06:00' })

  it.each([
    ['2026-03-02', between(1320, 1440), 'from its start to midnight'],
    ['2026-03-03', between(0, 1440), 'the whole day'],
    ['2026-03-04', between(0, 360), 'from midnight to its end'],
  ])('on %s is %j: %s', (date, piece) => {
    expect(pieceOn(dayOf(date), night)).toEqual(piece)
  })

  it('is the interval itself if it lies within the day', () => {
    const interval = intervalOf({ start_at: '2026-03-02 08:00', end_at: '2026-03-02 09:00' })
    expect(pieceOn(dayOf('2026-03-02'), interval)).toEqual(between(480, 540))
  })
})

describe('intervals minus holes', () => {
  const ten = [between(0, 10)]
  it.each([
    ['nothing', [], ten],
    ['holes that only touch its start and end', [between(-5, 0), between(10, 12)], ten],
    ['a hole inside', [between(3, 5)], [between(0, 3), between(5, 10)]],
    ['a hole over its start', [between(-2, 1)], [between(1, 10)]],
    ['a hole over its end', [between(9, 12)], [between(0, 9)]],
    ['a hole of the same length', [between(0, 10)], []],
    ['a longer hole', [between(-1, 11)], []],
    ['several holes', [between(0, 1), between(4, 5), between(9, 10)], [between(1, 4), between(5, 9)]],
  ])('keep the rest of 0–10 after removing %s', (_, holes, left) => {
    expect(without(ten, holes)).toEqual(left)
  })

  it('are both shortened by a hole that overlaps them', () => {
    expect(without([...ten, between(20, 30)], [between(5, 25)])).toEqual([between(0, 5), between(25, 30)])
  })
})

describe('the earliest overlap in a list', () => {
  const times = fc
    .record({ start: fc.integer({ min: 0, max: 60 }), minutes: fc.integer({ min: 1, max: 30 }) })
    .map(({ start, minutes }) => ({ start, end: start + minutes }))

  it('is the first by start, then end, of all that overlap', () => {
    const find = earliestOverlap((one: Interval) => one)
    fc.assert(
      fc.property(fc.array(times, { maxLength: 30 }), times, (list, interval) => {
        const [first] = list
          .filter((one) => one.start < interval.end && interval.start < one.end)
          .sort((a, b) => a.start - b.start || a.end - b.end)
        expect(find(interval, list)).toEqual(first)
      }),
    )
  })

  it('reads a list once, however often it is asked', () => {
    let reads = 0
    const find = earliestOverlap((one: Interval) => {
      reads += 1
      return one
    })
    const list = Array.from({ length: 200 }, (_, at) => ({ start: at * 10, end: at * 10 + 5 }))
    for (let start = 0; start < 2000; start += 1) find({ start, end: start + 1 }, list)
    expect(reads).toBe(list.length)
  })
})
