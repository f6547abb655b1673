import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { daysLater, localDateTimeFor, minuteOf, mondayOf } from './local-time.ts'
import { daysOfMinutes, sheetEntriesOn, sumsOf, type TimeSheetRow, type TimeSheetRules } from './minutes.ts'
import { instantOf, isSkipped } from './time-zone.ts'
import { workedMinutesOf } from './worked.ts'

const ZONE = 'Europe/Berlin'
const NOW = '2026-11-05 12:00'

/** Types: a drive, a class that counts toward limits, a theory test, and work in the office. */
const TYPES = [
  { category: 'practical', counts_toward_limits: true, counts_toward_legal_minutes: true },
  { category: 'theory', counts_toward_limits: true, counts_toward_legal_minutes: false },
  { category: 'theory_exam', counts_toward_limits: false, counts_toward_legal_minutes: false },
  { category: 'internal', counts_toward_limits: false, counts_toward_legal_minutes: false },
] as const

/** Days around both clock changes, and one that lies partly ahead. */
const DATES = [
  '2026-03-28',
  '2026-03-29',
  '2026-10-24',
  '2026-10-25',
  '2026-10-26',
  '2026-11-01',
  '2026-11-05',
]

const aRow = fc
  .record({
    type: fc.constantFrom(...TYPES),
    status: fc.constantFrom('completed', 'planned', 'no_show', 'cancelled'),
    date: fc.constantFrom(...DATES),
    start: fc.integer({ min: 0, max: 1439 }),
    minutes: fc.integer({ min: 1, max: 400 }),
    actual: fc.option(fc.tuple(fc.integer({ min: -90, max: 90 }), fc.integer({ min: 1, max: 400 }))),
  })
  .map(({ type, status, date, start, minutes, actual }): TimeSheetRow => {
    const begin = minuteOf(`${date} 00:00`) + start
    const from = begin + (actual?.[0] ?? 0)
    return {
      ...{ id: '', student_id: null, lesson_type_id: type.category, ...type, status, overrides: [] },
      start_at: localDateTimeFor(begin),
      end_at: localDateTimeFor(begin + minutes),
      actual_start_at: actual && localDateTimeFor(from),
      actual_end_at: actual && localDateTimeFor(from + actual[1]),
    }
  })
  .filter((row) => timesOf(row).every((time) => !isSkipped(time, ZONE)) && lengthOf(row) > 0)

const aLimit = fc.option(fc.integer({ min: 0, max: 12 }))
const rules = fc.record({
  daily_minutes: fc.record({
    practical: fc.constantFrom(null, 120, 495),
    total: fc.constantFrom(null, 200, 600),
  }),
  breaks: fc.constantFrom(null, {
    after: [
      { over_minutes: 360, break_minutes: 30 },
      { over_minutes: 540, break_minutes: 45 },
    ],
    longest_run_minutes: 360,
  }),
  instructor: fc.record({
    employment: fc.constantFrom('employee' as const, 'owner' as const),
    max_daily_units: aLimit,
    max_daily_override: aLimit,
    max_weekly_units: aLimit,
    max_weekly_override: aLimit,
  }),
})

function timesOf({ start_at, end_at, actual_start_at, actual_end_at }: TimeSheetRow): readonly string[] {
  return [start_at, end_at, actual_start_at ?? start_at, actual_end_at ?? end_at]
}

function startOf({ start_at, actual_start_at }: TimeSheetRow): string {
  return actual_start_at ?? start_at
}

function lengthOf({ start_at, end_at, actual_start_at, actual_end_at }: TimeSheetRow): number {
  return elapsed(actual_start_at ?? start_at, actual_end_at ?? end_at)
}

function elapsed(start: string, end: string): number {
  return (instantOf(end, ZONE) - instantOf(start, ZONE)) / 60_000
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0)
}

/** Marks each minute of a day in which somebody works, and reads runs and breaks off the marks one by one. */
function clockedBy(rows: readonly TimeSheetRow[]) {
  const starts = rows.map((row) => instantOf(startOf(row), ZONE) / 60_000)
  const first = Math.min(...starts)
  const marks: boolean[] = []
  for (const [index, row] of rows.entries())
    for (let at = 0; at < lengthOf(row); at += 1) marks[(starts[index] ?? 0) - first + at] = true
  let [total, breaks, longest, run, idle] = [0, 0, 0, 0, 0]
  for (let at = 0; at < marks.length; at += 1) {
    if (!marks[at]) {
      idle += 1
      continue
    }
    if (idle >= 15) breaks += idle
    run = idle >= 15 ? 1 : run + idle + 1
    idle = 0
    total += 1
    longest = Math.max(longest, run)
  }
  return { total_minutes: total, break_minutes: breaks, longest_run_minutes: longest }
}

it('the minutes of a day are those of a clock that ticks through its lessons', () => {
  fc.assert(
    fc.property(fc.array(aRow, { maxLength: 14 }), rules, (made, some) => {
      const rows = made.map((row, index) => ({ ...row, id: `${index}` }))
      const all: TimeSheetRules = { timezone: ZONE, now: NOW, unit_minutes: 45, ...some }
      const days = daysOfMinutes({ from: '2026-01-01', to: '2027-01-01' }, rows, all)
      const isPast = ({ status, end_at }: TimeSheetRow) => status === 'planned' && end_at <= NOW
      const counts = (row: TimeSheetRow) =>
        row.status === 'completed' || (isPast(row) && ['theory', 'internal'].includes(row.category))
      const isLimited = (row: TimeSheetRow) => counts(row) && row.counts_toward_limits
      for (const day of days) {
        const own = rows.filter((row) => startOf(row).startsWith(day.date))
        const counted = own.filter(counts)
        expect(day).toMatchObject(clockedBy(counted))
        expect(day.planned_minutes).toBe(
          sum(counted.map(({ start_at, end_at }) => elapsed(start_at, end_at))),
        )
        const done = own.filter(({ status }) => status === 'completed')
        expect(day.worked_minutes).toBe(workedMinutesOf(own, ZONE))
        expect(day.practical_minutes).toBe(
          sum(done.filter((row) => row.counts_toward_legal_minutes).map(lengthOf)),
        )
        expect(day.open).toBe(own.filter((row) => isPast(row) && row.category !== 'internal').length)

        const entries = sheetEntriesOn(day.date, rows, all)
        expect(sum(entries.filter((one) => one.is_worked).map(({ minutes }) => minutes))).toBe(
          day.worked_minutes,
        )
        expect(sum(entries.map((one) => one.planned_minutes))).toBe(day.planned_minutes)
        expect(entries.filter((one) => one.is_open)).toHaveLength(day.open)

        const { max_daily_units: limit, max_daily_override: override } = some.instructor
        const limited = sum(own.filter(isLimited).map(lengthOf))
        expect(day.exceeded.includes('school_daily')).toBe(
          limit !== null && limited > Math.max(limit, override ?? 0) * 45,
        )
        const { max_weekly_units: most, max_weekly_override: more } = some.instructor
        const week = rows.filter((row) => mondayOf(startOf(row).slice(0, 10)) === mondayOf(day.date))
        const last = week.filter(counts).map(startOf).sort().at(-1)?.slice(0, 10)
        const isOver =
          most !== null && sum(week.filter(isLimited).map(lengthOf)) > Math.max(most, more ?? 0) * 45
        expect(day.exceeded.includes('school_weekly')).toBe(isOver && last === day.date)

        const { practical, total } = some.daily_minutes
        expect(day.exceeded.includes('practical_daily')).toBe(
          practical !== null && day.practical_minutes > practical,
        )
        expect(day.exceeded.includes('total_daily')).toBe(total !== null && day.total_minutes > total)
        const law = some.instructor.employment === 'employee' && some.breaks !== null
        const needed = day.total_minutes > 540 ? 45 : day.total_minutes > 360 ? 30 : 0
        expect(day.exceeded.includes('break_missing')).toBe(law && day.break_minutes < needed)
        expect(day.exceeded.includes('run_too_long')).toBe(law && day.longest_run_minutes > 360)
      }
      expect(sumsOf(days).worked_minutes).toBe(workedMinutesOf(rows, ZONE))
    }),
    { numRuns: 500 },
  )
})

it('a range has only its own days, with the limit of whole weeks', () => {
  const row = (start_at: string, end_at: string): TimeSheetRow => ({
    ...{ id: start_at, student_id: null, lesson_type_id: 'PRACTICE', ...TYPES[0], status: 'completed' },
    ...{ start_at, end_at, actual_start_at: null, actual_end_at: null, overrides: [] },
  })
  const rows = [row('2026-09-30 08:00', '2026-09-30 11:00'), row('2026-10-01 08:00', '2026-10-01 08:45')]
  const limits = { max_daily_units: null, max_daily_override: null, max_weekly_override: null }
  const days = (from: string, max_weekly_units: number) =>
    daysOfMinutes({ from, to: daysLater(from, 1) }, rows, {
      ...{ timezone: ZONE, now: NOW, unit_minutes: 45, breaks: null },
      daily_minutes: { practical: 180, total: 180 },
      instructor: { employment: 'employee', ...limits, max_weekly_units },
    }).map(({ date, exceeded }) => [date, exceeded])
  expect(days('2026-10-01', 5)).toEqual([['2026-10-01', []]])
  expect(days('2026-10-01', 4)).toEqual([['2026-10-01', ['school_weekly']]])
  expect(days('2026-09-30', 4)).toEqual([['2026-09-30', []]])
  expect(days('2026-10-02', 4)).toEqual([])
})
