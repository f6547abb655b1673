import {
  dateOf,
  daysLater,
  type LocalDate,
  type LocalDateTime,
  monthsLater,
  timeOf,
} from '../domain/local-time.ts'
import type { MinutesOfDay, MonthOfMinutes } from '../domain/minutes.ts'
import { localNow } from '../domain/time-zone.ts'
import { shownDate, shownTime } from './dates.ts'
import { minutesTextsFor } from './minutes-texts.ts'
import type { Cell, Column, Paper } from './paper.ts'

/** The facts that all sheets of a document share. */
export type MinutesDocument = {
  readonly school: string
  readonly locale: string
  readonly timezone: string
  readonly month: string
}

/** Draws a month of an instructor: a row for every day, and the sums. Undefined if nobody worked. */
export function drawMinutes(
  paper: Paper,
  { school, locale, timezone, month }: MinutesDocument,
  minutes: MonthOfMinutes | undefined,
): void {
  const { language } = new Intl.Locale(locale)
  const texts = minutesTextsFor(language)
  const shownMonth = shownDate(`${month}-01`, locale, { month: 'long', year: 'numeric' })
  const name = minutes && texts.instructor(minutes.name, minutes.number)
  paper.begin({ foot: [school, name, shownMonth].filter(Boolean).join(' · '), page: texts.page })
  paper.text(school, 'strong')
  paper.title(texts.title(shownMonth))
  if (!minutes) {
    paper.text(texts.none)
    return
  }
  paper.text(name ?? '', 'strong')
  const { practical = null, total = null } = minutes.days[0]?.limits ?? {}
  const law = [...(practical ? [texts.practical(practical)] : []), ...(total ? [texts.total(total)] : [])]
  if (law.length > 0) paper.text(texts.limits(law))
  paper.space()
  const days = new Map(minutes.days.map((day) => [day.date, day]))
  const notes = (day: MinutesOfDay) => [
    day.times.map((one) => `${timeOf(one.start_at)}–${timeOf(one.end_at)}`).join(' '),
    ...day.exceeded.map((code) => texts.exceeded[code](day.limits)),
    ...day.overrides.map(({ rule, actor, at }) =>
      texts.override(rule, actor?.name ?? '?', at && shownTime(localNow(new Date(at), timezone), locale)),
    ),
    ...(day.open > 0 ? [texts.open(day.open)] : []),
  ]
  const rows = datesOf(month).map((date): readonly Cell[] => {
    const day = days.get(date)
    return [dayText(date, locale), ...(day ? cellsOf(day, notes(day)) : [])]
  })
  const { planned_minutes, worked_minutes, practical_minutes, total_minutes } = minutes.sums
  const sums = [planned_minutes, worked_minutes, practical_minutes, total_minutes].map(String)
  const sum = [texts.sum(minutes.sums.days), '', '', ...sums].map(
    (text) => ({ text, isStrong: true }) as const,
  )
  paper.table(columnsFor(texts.columns, paper.width), [...rows, sum])
  paper.space()
  paper.text(texts.unit)
}

const WIDTHS = [56, 38, 44, 42, 53, 47, 49, 39, 38] as const

function columnsFor(headings: readonly string[], width: number): readonly Column[] {
  const rest = width - WIDTHS.reduce((sum, one) => sum + one, 0)
  return headings.map((heading, index) => {
    const isNumber = index > 0 && index < WIDTHS.length
    return { heading, width: WIDTHS[index] ?? rest, ...(isNumber && { align: 'right' as const }) }
  })
}

function cellsOf(day: MinutesOfDay, notes: readonly string[]): readonly Cell[] {
  const { exceeded, date } = day
  const marked = (minutes: number, isExceeded: boolean): Cell =>
    isExceeded ? { text: String(minutes), isStrong: true } : String(minutes)
  return [
    timeOn(date, day.first_start_at),
    timeOn(date, day.last_end_at),
    String(day.planned_minutes),
    String(day.worked_minutes),
    marked(day.practical_minutes, exceeded.includes('practical_daily')),
    marked(day.total_minutes, exceeded.includes('total_daily')),
    marked(day.break_minutes, exceeded.includes('break_missing')),
    marked(day.longest_run_minutes, exceeded.includes('run_too_long')),
    notes.join('\n'),
  ]
}

function timeOn(date: LocalDate, at: LocalDateTime | null): string {
  if (at === null) return ''
  return dateOf(at) === date ? timeOf(at) : `${timeOf(at)} +1`
}

function datesOf(month: string): readonly LocalDate[] {
  const dates: LocalDate[] = []
  const end = monthsLater(`${month}-01`, 1)
  for (let date = `${month}-01`; date < end; date = daysLater(date, 1)) dates.push(date)
  return dates
}

function dayText(date: LocalDate, locale: string): string {
  return shownDate(date, locale, { weekday: 'short', day: '2-digit', month: '2-digit' })
}
