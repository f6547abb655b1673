import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dayOf, daysLater, minutesLater } from './local-time.ts'
import { availableMinutes, daysOfWeek, isoWeekOf, quartersOf, weeksIn } from './numbers.ts'
import { completed } from './steps.ts'
import { clockChangesIn, elapsedIntervalOf } from './time-zone.ts'
import { workingTimesOn } from './working-times.ts'

const dates = fc.integer({ min: 0, max: 3000 }).map((days) => daysLater('2024-01-01', days))

describe('an ISO week', () => {
  it.each([
    ['2026-01-01', '2026-W01'],
    ['2026-02-01', '2026-W05'],
    ['2027-01-01', '2026-W53'],
    ['2024-12-30', '2025-W01'],
  ])('%s is in %s', (date, week) => {
    expect(isoWeekOf(date)).toBe(week)
  })

  it('has the seven days that are in it', () => {
    expect(daysOfWeek('2026-W53')).toEqual({ from: '2026-12-28', to: '2027-01-03' })
    expect(daysOfWeek('2025-W53')).toBeUndefined()
    fc.assert(
      fc.property(dates, (date) => {
        const days = daysOfWeek(isoWeekOf(date))
        expect(days && days.from <= date && date <= days.to).toBe(true)
      }),
    )
  })
})

it('quartiles interpolate between the two nearest numbers', () => {
  expect(quartersOf([])).toEqual({ median: null, quarters: null })
  expect(quartersOf([5])).toEqual({ median: 5, quarters: [5, 5] })
  expect(quartersOf([40, 10, 20, 30])).toEqual({ median: 25, quarters: [17.5, 32.5] })
})

it('the available minutes of a week are those of its days, one by one', () => {
  const time = (hour: number) => `${String(hour).padStart(2, '0')}:00`
  const windows = fc.array(
    fc.record({
      weekday: fc.integer({ min: 1, max: 7 }),
      start: fc.integer({ min: 6, max: 12 }).map(time),
      end: fc.integer({ min: 13, max: 20 }).map(time),
      valid_from: fc.option(dates),
      valid_to: fc.option(dates),
      every_weeks: fc.integer({ min: 1, max: 4 }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  const spans = fc.array(fc.tuple(dates, fc.integer({ min: 0, max: 20 })), { maxLength: 4 })
  fc.assert(
    fc.property(
      windows,
      spans,
      spans,
      dates,
      fc.integer({ min: 0, max: 60 }),
      (open, away, short, from, days) => {
        const range = { from, to: daysLater(from, days) }
        const rules = {
          availability_windows: open,
          vacations: away.map(([start, length]) => ({
            start_date: start,
            end_date: daysLater(start, length),
            note: null,
          })),
          absences: short.map(([start, length]) => ({
            start_at: `${start} 10:00`,
            end_at: minutesLater(`${start} 10:00`, length * 300 + 60),
            note: null,
          })),
        }
        const closed = new Set([dayOf(from) + 2])
        const expected = new Map<string, number>()
        for (let at = 0; at <= days; at += 1) {
          const date = daysLater(from, at)
          const times = closed.has(dayOf(date)) ? [] : workingTimesOn(dayOf(date), rules)
          const minutes = times.reduce((sum, { start, end }) => sum + end - start, 0)
          expected.set(isoWeekOf(date), (expected.get(isoWeekOf(date)) ?? 0) + minutes)
        }
        expect(completed(availableMinutes({ rules, closed }, weeksIn(range)))).toEqual(expected)
      },
    ),
  )
})

it('the elapsed minutes are those of the clock less the changes of the clocks in between', () => {
  const zones = fc.constantFrom(
    'Europe/Berlin',
    'Europe/London',
    'Africa/Casablanca',
    'Australia/Lord_Howe',
    'UTC',
  )
  const around = fc.constantFrom(
    '2026-03-29',
    '2026-10-25',
    '2026-02-15',
    '2026-03-22',
    '2026-04-05',
    '2026-10-04',
    '2026-07-01',
  )
  fc.assert(
    fc.property(
      zones,
      around,
      fc.integer({ min: -600, max: 1800 }),
      fc.integer({ min: 15, max: 1440 }),
      (zone, date, at, length) => {
        const start_at = minutesLater(`${date} 00:00`, at)
        const end_at = minutesLater(start_at, length)
        const shifts = clockChangesIn('2026-01-01', '2026-12-31', zone).filter(
          (change) => start_at < change.at && change.at <= end_at,
        )
        const { start, end } = elapsedIntervalOf({ start_at, end_at }, zone)
        expect(length - shifts.reduce((sum, { minutes }) => sum + minutes, 0)).toBe(end - start)
      },
    ),
  )
})
