import fc from 'fast-check'
import type { Absence, AvailabilityWindow, InstructorRules, Vacation } from './agenda.ts'
import { instructorWith } from './agenda-builder.test-support.ts'
import type { Calendar } from './brute-force.test-support.ts'

/** The minutes of a day. */
export const DAY = 24 * 60

/** Generates one to three days off. */
export function daysOff(calendar: Calendar): fc.Arbitrary<Vacation> {
  return fc.tuple(fc.nat({ max: 14 }), fc.nat({ max: 2 })).map(([first, more]) => ({
    start_date: textAt(calendar, first * DAY).slice(0, 10),
    end_date: textAt(calendar, (first + more) * DAY).slice(0, 10),
    note: null,
  }))
}

/** Generates an absence of a few hours or up to two days. */
export function absenceOn(calendar: Calendar, grain: number): fc.Arbitrary<Absence> {
  return fc
    .record({
      start: fc.integer({ min: 0, max: (14 * DAY) / grain }),
      length: fc.oneof(
        fc.integer({ min: 1, max: (6 * 60) / grain }),
        fc.integer({ min: 1, max: (2 * DAY) / grain }),
      ),
    })
    .map(({ start, length }) => ({
      start_at: textAt(calendar, start * grain),
      end_at: textAt(calendar, (start + length) * grain),
      note: null,
    }))
}

/** Generates an instructor with any rules. */
export function instructorOn(calendar: Calendar, grain: number): fc.Arbitrary<InstructorRules> {
  const vacation = daysOff(calendar)
  const unitsUpTo = (max: number) => fc.option(fc.integer({ min: 0, max }), { freq: 2 })
  return fc
    .record({
      active: fc.oneof({ weight: 30, arbitrary: fc.constant(true) }, fc.constant(false)),
      availability_windows: windowsOn(calendar, grain),
      vacations: fc.oneof({ weight: 2, arbitrary: fc.constant([]) }, fc.array(vacation, { maxLength: 2 })),
      absences: fc.oneof(
        { weight: 2, arbitrary: fc.constant([]) },
        fc.array(absenceOn(calendar, grain), { maxLength: 2 }),
      ),
      busy_times: fc.oneof(
        { weight: 2, arbitrary: fc.constant([]) },
        fc.array(
          absenceOn(calendar, grain).map(({ start_at, end_at }) => ({ start_at, end_at })),
          { maxLength: 2 },
        ),
      ),
      max_daily_units: unitsUpTo(8),
      max_daily_override: unitsUpTo(10),
      max_weekly_units: unitsUpTo(14),
      max_weekly_override: unitsUpTo(16),
      required_break_minutes: fc.constantFrom(0, 0, 0, 0, 5, 10, 15, 20, 30, 45, 90, 600),
      max_continuous_minutes: fc.option(fc.constantFrom(90, 120, 180, 240, 360, 480), { freq: 2 }),
    })
    .map(instructorWith)
}

/** Generates no windows, the same hours on most days (in one or two parts), single windows, both, or a change of hours. */
function windowsOn(calendar: Calendar, grain: number): fc.Arbitrary<readonly AvailabilityWindow[]> {
  const time = fc
    .integer({ min: 0, max: DAY / grain })
    .map((step) => (step * grain === DAY ? '24:00' : textAt(calendar, step * grain).slice(11)))
  const single = fc
    .tuple(fc.integer({ min: 1, max: 7 }), time, time)
    .filter(([, one, other]) => one !== other)
    .map(([weekday, one, other]) => ({
      weekday,
      start: one < other ? one : other,
      end: one < other ? other : one,
    }))
  const hours = fc.constantFrom(
    [{ start: '00:00', end: '24:00' }],
    [{ start: '08:00', end: '24:00' }],
    [
      { start: '12:00', end: '24:00' },
      { start: '00:00', end: '12:00' },
    ],
  )
  const days = fc.subarray([1, 2, 3, 4, 5, 6, 7], { minLength: 5 })
  const regular = fc
    .tuple(days, hours)
    .map(([weekdays, parts]) => weekdays.flatMap((weekday) => parts.map((part) => ({ weekday, ...part }))))
  const singles = fc.array(single, { maxLength: 14, size: 'max' })
  // The hours change after one of the days.
  const changed = fc
    .tuple(fc.nat({ max: 13 }), regular, singles)
    .map(([day, before, after]) => [
      ...before.map((window) => ({ ...window, valid_from: null, valid_to: dateAt(calendar, day) })),
      ...after.map((window) => ({ ...window, valid_from: dateAt(calendar, day + 1), valid_to: null })),
    ])
  const inTurn = fc
    .tuple(fc.nat({ max: 13 }), fc.integer({ min: 2, max: 4 }), regular)
    .map(([day, every_weeks, windows]) =>
      windows.map((window) => ({ ...window, valid_from: dateAt(calendar, day), every_weeks })),
    )
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: regular },
    fc.tuple(regular, singles).map((both) => both.flat()),
    singles,
    changed,
    inTurn,
  )
}

/** Returns the date and time of a minute of the calendar. */
export function textAt({ minutes }: Calendar, index: number): string {
  return `${minutes[index]?.date} ${minutes[index]?.time}`
}

function dateAt(calendar: Calendar, day: number): string {
  return textAt(calendar, day * DAY).slice(0, 10)
}
