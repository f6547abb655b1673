import { describe, expect, it } from 'vitest'
import { type CountedAppointment, timed, timedByStart, type UnitLimits } from './agenda.ts'
import { instructorWith, lesson, officeTime } from './agenda-builder.test-support.ts'
import { DAILY, type Period, tallyFor, WEEKLY } from './load.ts'
import { localDateTimeFor, minuteOf } from './local-time.ts'
import { dailyLimitRefusalFor, overridesNeededFor, weeklyLimitRefusalFor } from './unit-limits.ts'

type Case = {
  readonly proposal: CountedAppointment
  readonly booked?: readonly CountedAppointment[]
  readonly limits: Partial<UnitLimits>
  readonly unit_minutes?: number
}

const tallyIn = (period: Period, { proposal, booked = [], limits, unit_minutes = 45 }: Case) =>
  tallyFor(period, timed(proposal), {
    instructor: instructorWith(limits),
    unit_minutes,
    appointments: timedByStart(booked),
  })
const daily = (one: Case) => dailyLimitRefusalFor(tallyIn(DAILY, one))
const weekly = (one: Case) => weeklyLimitRefusalFor(tallyIn(WEEKLY, one))
const overrides = (one: Case) => overridesNeededFor(tallyIn(DAILY, one), tallyIn(WEEKLY, one))

const lasting = (start_at: string, minutes: number) =>
  lesson(start_at, localDateTimeFor(minuteOf(start_at) + minutes))

describe.each([45, 50, 60])('a limit of three units of %i minutes, two of them booked,', (unit_minutes) => {
  const booked = [lasting('2026-03-02 08:00', unit_minutes * 2)]

  it.each([
    ['accepts a lesson one minute below the limit', -1, false],
    ['accepts a lesson exactly at the limit', 0, false],
    ['rejects a lesson one minute above the limit', 1, true],
  ])('%s, per day and per week', (_, extra, refused) => {
    const proposal = lasting('2026-03-02 14:00', unit_minutes + extra)
    expect(daily({ proposal, booked, limits: { max_daily_units: 3 }, unit_minutes }) !== undefined).toBe(
      refused,
    )
    expect(weekly({ proposal, booked, limits: { max_weekly_units: 3 }, unit_minutes }) !== undefined).toBe(
      refused,
    )
  })
})

describe('the limit in force', () => {
  it.each([
    { limit: 4, override: null, units: 4, why: 'there is no override' },
    { limit: 4, override: 6, units: 6, why: 'the override is higher' },
    { limit: 4, override: 4, units: 4, why: 'the override is equal' },
    { limit: 4, override: 2, units: 4, why: 'a lower override is ignored' },
    { limit: 4, override: 0, units: 4, why: 'an override of 0 is ignored' },
    { limit: 0, override: 2, units: 2, why: 'the override exceeds a limit of 0' },
  ])('for $limit with an override of $override is $units units: $why', ({ limit, override, units }) => {
    const dailyLimits = { max_daily_units: limit, max_daily_override: override }
    const weeklyLimits = { max_weekly_units: limit, max_weekly_override: override }
    const within = lasting('2026-03-02 08:00', units * 45)
    const above = lasting('2026-03-02 08:00', units * 45 + 1)
    expect(daily({ proposal: above, limits: dailyLimits })?.code).toBe('daily_limit_exceeded')
    expect(weekly({ proposal: above, limits: weeklyLimits })?.code).toBe('weekly_limit_exceeded')
    expect(daily({ proposal: within, limits: dailyLimits })).toBeUndefined()
    expect(weekly({ proposal: within, limits: weeklyLimits })).toBeUndefined()
  })

  it.each([null, 0])('at 0 with an override of %s rejects a single minute', (override) => {
    const proposal = lasting('2026-03-02 08:00', 1)
    expect(daily({ proposal, limits: { max_daily_units: 0, max_daily_override: override } })).toBeDefined()
    expect(weekly({ proposal, limits: { max_weekly_units: 0, max_weekly_override: override } })).toBeDefined()
  })

  it('does not exist if the limit is null, whatever the override', () => {
    const proposal = lesson('2026-03-02 00:00', '2026-03-03 00:00')
    expect(daily({ proposal, limits: { max_daily_units: null, max_daily_override: 1 } })).toBeUndefined()
    expect(weekly({ proposal, limits: { max_weekly_units: null, max_weekly_override: 1 } })).toBeUndefined()
  })

  it('applies only to its own period, the day or the week', () => {
    const proposal = lesson('2026-03-02 08:00', '09:00')
    expect(daily({ proposal, limits: { max_weekly_units: 0, max_weekly_override: 0 } })).toBeUndefined()
    expect(weekly({ proposal, limits: { max_daily_units: 0, max_daily_override: 0 } })).toBeUndefined()
  })
})

describe('the day', () => {
  const limits = { max_daily_units: 2 }

  it.each([
    ['the day before is another day', lesson('2026-03-01 00:00', '02:00'), false],
    ['the day after is another day', lesson('2026-03-03 00:00', '02:00'), false],
    ['the same weekday of another week is another day', lesson('2026-03-09 08:00', '10:00'), false],
    ['the first minute belongs to the day', lesson('2026-03-02 00:00', '00:46'), true],
    ['the last minute belongs to the day', lesson('2026-03-02 23:14', '2026-03-03 00:00'), true],
    [
      'a lesson that starts the night before belongs to that day',
      lesson('2026-03-01 23:59', '2026-03-02 02:00'),
      false,
    ],
    [
      'a lesson that ends the next day belongs to its first day',
      lesson('2026-03-02 23:59', '2026-03-03 02:00'),
      true,
    ],
  ])('counts the minutes of lessons by their start: %s', (_, other, isFull) => {
    const proposal = lesson('2026-03-02 12:00', '12:45')
    expect(daily({ proposal, booked: [other], limits }) !== undefined).toBe(isFull)
  })

  it('for a proposal across midnight is the one on which it starts', () => {
    const proposal = lesson('2026-03-02 23:30', '2026-03-03 01:01')
    expect(daily({ proposal, limits })?.params).toMatchObject({ date: '2026-03-02', requested_units: 2.02 })
    const full = [lesson('2026-03-03 08:00', '12:00')]
    expect(
      daily({ proposal: lesson('2026-03-02 23:30', '2026-03-03 01:00'), booked: full, limits }),
    ).toBeUndefined()
  })
})

describe('the week', () => {
  const limits = { max_weekly_units: 2 }

  it.each([
    ['2026-03-02', '2026-03-08', '2026-03-02', 'Monday and Sunday'],
    ['2026-03-30', '2026-04-01', '2026-03-30', 'across the end of a month'],
    ['2026-04-05', '2026-03-31', '2026-03-30', 'across the end of a month, backwards'],
    ['2025-12-29', '2026-01-01', '2025-12-29', 'across the end of a year'],
    ['2026-12-28', '2027-01-03', '2026-12-28', 'across the year in week 53'],
    ['2028-02-28', '2028-03-01', '2028-02-28', 'across a leap day'],
    ['2026-03-29', '2026-03-23', '2026-03-23', 'in the week of the spring change'],
  ])('is the same for %s and %s and starts on %s: %s', (one, other, week_start) => {
    const booked = [lesson(`${one} 08:00`, '09:00')]
    const refusal = weekly({ proposal: lesson(`${other} 23:00`, '23:31'), booked, limits })
    expect(refusal?.params).toMatchObject({ week_start })
    expect(weekly({ proposal: lesson(`${other} 23:00`, '23:30'), booked, limits })).toBeUndefined()
  })

  it.each([
    ['2026-03-01', '2026-03-02', 'a Sunday and the Monday after'],
    ['2026-03-09', '2026-03-08', 'a Monday and the Sunday before'],
    ['2026-03-03', '2026-03-10', 'the same weekday a week later'],
    ['2027-01-03', '2027-01-04', 'week 53 and week 1'],
    ['2025-12-28', '2026-01-01', 'week 52 and week 1 of the next year'],
    ['2026-03-31', '2026-03-25', 'two weeks of one month'],
  ])('is not the same for %s and %s: %s', (one, other) => {
    const booked = [lesson(`${one} 08:00`, '12:00')]
    expect(weekly({ proposal: lesson(`${other} 08:00`, '09:30'), booked, limits })).toBeUndefined()
  })

  it('includes a whole lesson from Sunday into Monday, and the next week none of it', () => {
    const booked = [lesson('2026-03-08 23:30', '2026-03-09 01:00')]
    expect(weekly({ proposal: lesson('2026-03-02 00:00', '00:01'), booked, limits })).toBeDefined()
    expect(weekly({ proposal: lesson('2026-03-09 01:00', '02:30'), booked, limits })).toBeUndefined()
  })

  it('sums the minutes of all its days', () => {
    const booked = ['02', '03', '04', '05', '06'].map((day) => lesson(`2026-03-${day} 08:00`, '08:18'))
    expect(weekly({ proposal: lesson('2026-03-07 08:00', '08:01'), booked, limits })).toBeDefined()
    expect(
      weekly({ proposal: lesson('2026-03-07 08:00', '08:18'), booked: booked.slice(1), limits }),
    ).toBeUndefined()
  })
})

describe('minutes are summed before comparison and never rounded to units', () => {
  const tenMinutes = (count: number) =>
    Array.from({ length: count }, (_, index) => lasting(`2026-03-02 ${10 + index}:00`, 10))

  it.each([
    ['five times 10 minutes leave room for 10 more in one unit of 60', 60, 1, 5, 10, false],
    ['nine times 10 minutes leave no room in two units of 45', 45, 2, 9, 1, true],
  ])('%s', (_, unit_minutes, units, count, minutes, refused) => {
    const proposal = lasting('2026-03-02 08:00', minutes)
    const one = { proposal, booked: tenMinutes(count), unit_minutes }
    expect(daily({ ...one, limits: { max_daily_units: units } }) !== undefined).toBe(refused)
    expect(weekly({ ...one, limits: { max_weekly_units: units } }) !== undefined).toBe(refused)
  })
})

describe('a lesson type that does not count toward the limits', () => {
  const limits = { max_daily_units: 2, max_weekly_units: 2 }

  it('can be booked even above a limit of 0', () => {
    const proposal = officeTime('2026-03-02 12:00', '18:00')
    const none = { max_daily_units: 0, max_weekly_units: 0 }
    expect(daily({ proposal, limits: none })).toBeUndefined()
    expect(weekly({ proposal, limits: none })).toBeUndefined()
    expect(overrides({ proposal, limits: none })).toEqual([])
  })

  it('can be booked when other lessons exceed the limits', () => {
    const booked = [lesson('2026-03-02 08:00', '12:00')]
    const one = { proposal: officeTime('2026-03-02 12:00', '13:00'), booked, limits }
    expect([daily(one), weekly(one), overrides(one)]).toEqual([undefined, undefined, []])
  })

  it('takes no units from other lessons', () => {
    const booked = [officeTime('2026-03-02 08:00', '12:00')]
    const proposal = lesson('2026-03-02 12:00', '13:30')
    expect(daily({ proposal, booked, limits })).toBeUndefined()
    expect(weekly({ proposal, booked, limits })).toBeUndefined()
    expect(overrides({ proposal, booked, limits })).toEqual([])
  })
})

describe('the numbers of a refusal', () => {
  it.each([
    [45, 2.22, 1.11],
    [50, 2, 1],
    [60, 1.67, 0.83],
  ])('in units of %i show %d booked and %d requested', (unit_minutes, booked_units, requested_units) => {
    const booked = [lesson('2026-03-02 08:00', '09:40'), officeTime('2026-03-02 09:40', '12:00')]
    const proposal = lesson('2026-03-02 12:00', '12:50')
    const numbers = { limit_units: 1, override_units: 2, booked_units, requested_units }
    const dailyLimits = { max_daily_units: 1, max_daily_override: 2 }
    expect(daily({ proposal, booked, limits: dailyLimits, unit_minutes })).toEqual({
      code: 'daily_limit_exceeded',
      params: { date: '2026-03-02', ...numbers },
    })
    const weeklyLimits = { max_weekly_units: 1, max_weekly_override: 2 }
    expect(weekly({ proposal, booked, limits: weeklyLimits, unit_minutes })).toEqual({
      code: 'weekly_limit_exceeded',
      params: { week_start: '2026-03-02', ...numbers },
    })
  })

  it('show a missing override as null', () => {
    const refusal = daily({ proposal: lesson('2026-03-02 12:00', '13:00'), limits: { max_daily_units: 1 } })
    expect(refusal?.params).toMatchObject({ limit_units: 1, override_units: null, booked_units: 0 })
  })
})

describe('the overrides that a lesson needs', () => {
  const limits = { max_daily_units: 2, max_daily_override: 9, max_weekly_units: 4, max_weekly_override: 9 }
  const today = lesson('2026-03-03 08:00', '09:00')
  const yesterday = lesson('2026-03-02 08:00', '10:30')

  it.each([
    ['empty at exactly the limits', '10:30', [lesson('2026-03-02 08:00', '09:30'), today], []],
    ['daily at one minute above the daily limit', '10:31', [today], ['daily']],
    ['weekly at one minute above the weekly limit', '10:31', [yesterday], ['weekly']],
    ['daily and weekly above both limits', '10:31', [yesterday, today], ['daily', 'weekly']],
    ['empty if only the day before exceeds its limit', '10:30', [yesterday], []],
  ])('are %s', (_, end, booked, expected) => {
    expect(overrides({ proposal: lesson('2026-03-03 10:00', end), booked, limits })).toEqual(expected)
  })

  it('are empty without limits', () => {
    const proposal = lesson('2026-03-02 00:00', '2026-03-03 00:00')
    expect(overrides({ proposal, limits: { max_daily_override: 1, max_weekly_override: 1 } })).toEqual([])
  })
})
