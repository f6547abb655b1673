import type { UnitLimits } from './agenda.ts'
import type { Employment } from './employment.ts'
import { type Interval, joined, minutesOf } from './interval.ts'
import { DAILY, type Period, WEEKLY } from './load.ts'
import { dateOf, dayOf, type LocalDate, type LocalDateTime, mondayOf } from './local-time.ts'
import { isSufficientBreak, longestStretchIn } from './stretch.ts'
import { elapsedIntervalOf } from './time-zone.ts'
import { dailyLimitRefusalFor, type OverrideUsed, weeklyLimitRefusalFor } from './unit-limits.ts'
import { actualTimesOf, type WorkedLesson } from './worked.ts'

/** An appointment of an instructor, with the properties of its type on which minutes depend. */
export type TimeSheetRow = WorkedLesson & {
  readonly id: string
  readonly student_id: string | null
  readonly lesson_type_id: string
  readonly category: string
  readonly counts_toward_limits: boolean
  readonly counts_toward_legal_minutes: boolean
  readonly overrides: readonly BookedOverride[]
}

/** An override that an appointment uses. Actor and time are those of the booking, or null if the log lacks it. */
export type BookedOverride = {
  readonly rule: OverrideUsed
  readonly actor: { readonly kind: string; readonly id: string | null; readonly name: string } | null
  readonly at: string | null
}

/** The law's maximum minutes of a day; null where there is none. */
export type DailyMinutes = { readonly practical: number | null; readonly total: number | null }

/** The breaks that employees must have: minutes by the length of the day, and the longest time without one. */
export type BreakLaw = {
  readonly after: readonly { readonly over_minutes: number; readonly break_minutes: number }[]
  readonly longest_run_minutes: number
}

export type TimeSheetRules = {
  readonly timezone: string
  readonly now: LocalDateTime
  readonly unit_minutes: number
  readonly daily_minutes: DailyMinutes
  readonly breaks: BreakLaw | null
  readonly instructor: UnitLimits & { readonly employment: Employment }
}

export const EXCEEDED = [
  'practical_daily',
  'total_daily',
  'school_daily',
  'school_weekly',
  'break_missing',
  'run_too_long',
] as const
export type Exceeded = (typeof EXCEEDED)[number]

/** An appointment on a time sheet. An open one is past, but nobody has recorded how it went; it has no minutes yet. */
export type SheetEntry = Pick<TimeSheetRow, 'student_id' | 'lesson_type_id'> & {
  readonly appointment_id: string
  readonly start_at: LocalDateTime
  readonly end_at: LocalDateTime
  readonly planned_minutes: number
  readonly minutes: number
  readonly is_worked: boolean
  readonly is_practical: boolean
  readonly is_open: boolean
}

type Times = { readonly start_at: LocalDateTime; readonly end_at: LocalDateTime }

export type MinutesOfDay = {
  readonly date: LocalDate
  /** The times of what counts, by start. */
  readonly times: readonly Times[]
  readonly planned_minutes: number
  readonly worked_minutes: number
  readonly practical_minutes: number
  readonly total_minutes: number
  readonly break_minutes: number
  readonly longest_run_minutes: number
  readonly first_start_at: LocalDateTime | null
  readonly last_end_at: LocalDateTime | null
  readonly limits: DailyMinutes & {
    readonly daily_units: number | null
    readonly daily_override_units: number | null
  }
  readonly exceeded: readonly Exceeded[]
  readonly overrides: readonly (BookedOverride & { readonly appointment_id: string })[]
  readonly open: number
}

export type MinutesSums = Pick<
  MinutesOfDay,
  'planned_minutes' | 'worked_minutes' | 'practical_minutes' | 'total_minutes'
> & {
  /** The number of days on which something counts. */
  readonly days: number
}

/** The minutes of an instructor in a month. */
export type MonthOfMinutes = {
  readonly instructor_id: string
  readonly name: string
  readonly number: string | null
  readonly days: readonly MinutesOfDay[]
  readonly sums: MinutesSums
}

/** The categories that are work without a result to record: they count as they stand in the plan. */
const WORK_AS_PLANNED: ReadonlySet<string> = new Set(['internal', 'theory', 'seminar'])

/** Returns the appointments of a day that count or are open, by start. */
export function sheetEntriesOn(
  date: LocalDate,
  rows: readonly TimeSheetRow[],
  rules: Pick<TimeSheetRules, 'timezone' | 'now'>,
): readonly SheetEntry[] {
  return seenIn(rows, rules)
    .filter((one) => one.date === date)
    .map((one) => ({
      appointment_id: one.row.id,
      student_id: one.row.student_id,
      lesson_type_id: one.row.lesson_type_id,
      ...one.times,
      planned_minutes: plannedMinutesOf(one),
      minutes: countedMinutes(one),
      is_worked: isWorked(one),
      is_practical: isPractical(one),
      is_open: one.isOpen,
    }))
}

/**
 * Returns the days in `[from, to)` on which an instructor worked, or has open lessons. Expects the appointments of all ISO weeks
 * that touch the range. A day has the appointments that start on it; minutes are elapsed ones, also over a clock change.
 */
export function daysOfMinutes(
  { from, to }: { readonly from: LocalDate; readonly to: LocalDate },
  rows: readonly TimeSheetRow[],
  rules: TimeSheetRules,
): readonly MinutesOfDay[] {
  const seen = seenIn(rows, rules)
  const weeks = Map.groupBy(seen, ({ date }) => mondayOf(date))
  const exceededWeeks = new Set(
    [...weeks.values()].filter((week) => exceedsSchool(WEEKLY, week, rules)).map(lastDayWorked),
  )
  return [...Map.groupBy(seen, ({ date }) => date)]
    .filter(([date]) => from <= date && date < to)
    .map(([date, day]) => minutesOfDay(date, day, rules, exceededWeeks.has(date)))
}

export function sumsOf(days: readonly MinutesOfDay[]): MinutesSums {
  const sum = (name: keyof Omit<MinutesSums, 'days'>) => days.reduce((total, day) => total + day[name], 0)
  return {
    planned_minutes: sum('planned_minutes'),
    worked_minutes: sum('worked_minutes'),
    practical_minutes: sum('practical_minutes'),
    total_minutes: sum('total_minutes'),
    days: days.filter(({ first_start_at }) => first_start_at !== null).length,
  }
}

type Seen = {
  readonly row: TimeSheetRow
  readonly date: LocalDate
  readonly times: Times
  readonly elapsed: Interval
  readonly plannedMinutes: number
  readonly counts: boolean
  readonly isOpen: boolean
}

function seenIn(
  rows: readonly TimeSheetRow[],
  { timezone, now }: Pick<TimeSheetRules, 'timezone' | 'now'>,
): readonly Seen[] {
  return rows
    .map((row) => {
      const isPastPlan = row.status === 'planned' && row.end_at <= now
      const times = actualTimesOf(row)
      return {
        row,
        times,
        date: dateOf(times.start_at),
        elapsed: elapsedIntervalOf(times, timezone),
        plannedMinutes: minutesOf(elapsedIntervalOf(row, timezone)),
        counts: row.status === 'completed' || (isPastPlan && WORK_AS_PLANNED.has(row.category)),
        isOpen: isPastPlan && row.category !== 'internal',
      }
    })
    .filter(({ counts, isOpen }) => counts || isOpen)
    .sort((a, b) => a.elapsed.start - b.elapsed.start || (a.row.id < b.row.id ? -1 : 1))
}

function minutesOfDay(
  date: LocalDate,
  day: readonly Seen[],
  rules: TimeSheetRules,
  exceedsWeek: boolean,
): MinutesOfDay {
  const counted = day.filter(({ counts }) => counts)
  const work = joined(counted.map(({ elapsed }) => elapsed))
  const { instructor, daily_minutes } = rules
  const minutes = {
    planned_minutes: sumOf(day, plannedMinutesOf),
    worked_minutes: sumOf(day.filter(isWorked), countedMinutes),
    practical_minutes: sumOf(day.filter(isPractical), countedMinutes),
    total_minutes: sumOf(work, minutesOf),
    break_minutes: breakMinutesBetween(work),
    longest_run_minutes: longestStretchIn(work),
  }
  return {
    date,
    times: counted.map(({ times }) => times),
    ...minutes,
    first_start_at: earliest(counted),
    last_end_at: latest(counted),
    limits: {
      practical: daily_minutes.practical,
      total: daily_minutes.total,
      daily_units: instructor.max_daily_units,
      daily_override_units: instructor.max_daily_override,
    },
    exceeded: exceededBy(minutes, rules, {
      school_daily: exceedsSchool(DAILY, day, rules),
      school_weekly: exceedsWeek,
    }),
    overrides: day.flatMap(({ row }) => row.overrides.map((one) => ({ appointment_id: row.id, ...one }))),
    open: day.filter(({ isOpen }) => isOpen).length,
  }
}

type LimitedMinutes = Pick<
  MinutesOfDay,
  'practical_minutes' | 'total_minutes' | 'break_minutes' | 'longest_run_minutes'
>

/** Returns the limits that a day exceeds, in the order of `EXCEEDED`. Exactly the limit is allowed. */
function exceededBy(
  { practical_minutes, total_minutes, break_minutes, longest_run_minutes }: LimitedMinutes,
  { daily_minutes, breaks, instructor }: TimeSheetRules,
  school: { readonly school_daily: boolean; readonly school_weekly: boolean },
): readonly Exceeded[] {
  const law = instructor.employment === 'employee' ? breaks : null
  const isExceeded: Readonly<Record<Exceeded, boolean>> = {
    practical_daily: practical_minutes > (daily_minutes.practical ?? Number.POSITIVE_INFINITY),
    total_daily: total_minutes > (daily_minutes.total ?? Number.POSITIVE_INFINITY),
    ...school,
    break_missing: break_minutes < requiredBreakMinutes(total_minutes, law),
    run_too_long: longest_run_minutes > (law?.longest_run_minutes ?? Number.POSITIVE_INFINITY),
  }
  return EXCEEDED.filter((code) => isExceeded[code])
}

function requiredBreakMinutes(total: number, law: BreakLaw | null): number {
  const required = (law?.after ?? []).filter(({ over_minutes }) => total > over_minutes)
  return Math.max(0, ...required.map(({ break_minutes }) => break_minutes))
}

/** Whether the minutes that count toward limits exceed the school's limit of a day or week, and its override. */
function exceedsSchool(
  period: Period,
  seen: readonly Seen[],
  { instructor, unit_minutes }: TimeSheetRules,
): boolean {
  const limited = seen.filter(({ row }) => row.counts_toward_limits)
  const tally = {
    firstDay: dayOf(seen[0]?.date ?? ''),
    bookedMinutes: 0,
    requestedMinutes: sumOf(limited, countedMinutes),
    limitUnits: instructor[period.limit],
    overrideUnits: instructor[period.override],
    unitMinutes: unit_minutes,
  }
  return (period === DAILY ? dailyLimitRefusalFor(tally) : weeklyLimitRefusalFor(tally)) !== undefined
}

function lastDayWorked(week: readonly Seen[]): LocalDate | undefined {
  return week.findLast(({ counts }) => counts)?.date
}

function breakMinutesBetween(work: readonly Interval[]): number {
  const gaps = work.slice(1).map((next, index) => next.start - (work[index]?.end ?? next.start))
  return sumOf(gaps.filter(isSufficientBreak), (gap) => gap)
}

function isWorked({ row }: Seen): boolean {
  return row.status === 'completed'
}

function isPractical({ row }: Seen): boolean {
  return row.status === 'completed' && row.counts_toward_legal_minutes
}

function countedMinutes({ counts, elapsed }: Seen): number {
  return counts ? minutesOf(elapsed) : 0
}

function plannedMinutesOf({ counts, plannedMinutes }: Seen): number {
  return counts ? plannedMinutes : 0
}

function earliest(seen: readonly Seen[]): LocalDateTime | null {
  return seen[0]?.times.start_at ?? null
}

function latest(seen: readonly Seen[]): LocalDateTime | null {
  return seen.toSorted((a, b) => a.elapsed.end - b.elapsed.end).at(-1)?.times.end_at ?? null
}

function sumOf<T>(list: readonly T[], numberIn: (one: T) => number): number {
  return list.reduce((sum, one) => sum + numberIn(one), 0)
}
