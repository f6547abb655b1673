import { NUMBER_WORDS, relativeDaysIn, weekdayIn } from './date-names.ts'
import {
  dayOf,
  daysLater,
  type LocalDate,
  localDateFor,
  mondayOf,
  monthsLater,
  weekdayOf,
  weekNumberOf,
} from './local-time.ts'

/** A day in words relative to today. `or` is the other reading of an ambiguous text, `isWeek` marks a whole week by its Monday. */
export type RelativeDate = {
  readonly date: LocalDate
  readonly or?: LocalDate
  readonly isWeek?: boolean
}

const NEXT = '(?:nachst|naechst|kommend|next|coming)(?:e[nrsm]?)?'
const AFTER_NEXT = '(?:ubernachst|uebernachst|ubernaechst|uebernaechst)(?:e[nrsm]?)?'
const THIS = '(?:dies(?:e[nrsm]?)?|this)'
const LAST = '(?:letzte[nrsm]?|vorige[nrsm]?|vergangene[nrsm]?|last)'
const COUNT = `(\\d{1,3}|${Object.keys(NUMBER_WORDS).join('|')})`
const UNIT = '(tag(?:en?)?|days?|woche[n]?|weeks?|wks?|monat(?:en?)?|months?)'

const AHEAD = new RegExp(`^(?:(.+?) )?in ${COUNT} ${UNIT}$`)
const AGO = new RegExp(`^(?:vor ${COUNT} ${UNIT}|${COUNT} ${UNIT} ago)$`)
const NEAR_WEEK = new RegExp(`^(?:(${NEXT})|(${AFTER_NEXT})|(${THIS})|(${LAST})) (?:woche|week)$`)
const NEAR_MONTH = new RegExp(`^(?:(${NEXT})|(${LAST})) (?:monat|month)$`)
const NEAR_WEEKDAY = new RegExp(
  `^(?:am |on )?(?:(${NEXT})|(${AFTER_NEXT})|(${THIS})|(${LAST})) (\\p{L}+)\\.?$`,
  'u',
)
const WEEK_AFTER_NEXT = /^(?:the )?week after next$/
const CALENDAR_WEEK =
  /^(?:(?:kw|kalenderwoche|woche|week|wk) ?(\d{1,2})|(\d{1,2})\. ?(?:kw|kalenderwoche|woche))(?:(?: |\/|, ?)(\d{4}))?$/

/**
 * Returns the day of a text in German or English, without accents and in lower case, such as `next thursday`, `in 2 weeks` or
 * `week 50`; undefined for any other text. A week is its Monday, a month its first day.
 */
export function relativeDateIn(text: string, today: LocalDate): RelativeDate | undefined {
  return (
    aheadIn(text, today) ??
    agoIn(text, today) ??
    weekIn(text, today) ??
    monthIn(text, today) ??
    weekdayNear(text, today) ??
    calendarWeekIn(text, today)
  )
}

function aheadIn(text: string, today: LocalDate): RelativeDate | undefined {
  const [, from, count = '', unit = ''] = AHEAD.exec(text) ?? []
  if (count === '') return undefined
  const start = from === undefined ? today : startIn(from, today)
  return start === undefined ? undefined : { date: shifted(start, numberOf(count), unit) }
}

function startIn(text: string, today: LocalDate): LocalDate | undefined {
  const days = relativeDaysIn(text)
  if (days !== undefined) return daysLater(today, days)
  const weekday = weekdayIn(text.replace(/^(?:am|on) /, ''))
  return weekday === undefined ? undefined : weekdayAfter(weekday, today)
}

function agoIn(text: string, today: LocalDate): RelativeDate | undefined {
  const [, german, germanUnit, english, englishUnit] = AGO.exec(text) ?? []
  const [count, unit] = [german ?? english, germanUnit ?? englishUnit]
  return count === undefined || unit === undefined
    ? undefined
    : { date: shifted(today, -numberOf(count), unit) }
}

function weekIn(text: string, today: LocalDate): RelativeDate | undefined {
  const weeks = WEEK_AFTER_NEXT.test(text) ? 2 : weeksOf(NEAR_WEEK.exec(text))
  return weeks === undefined ? undefined : { date: daysLater(mondayOf(today), 7 * weeks), isWeek: true }
}

function weeksOf(found: RegExpExecArray | null): number | undefined {
  if (!found) return undefined
  return [1, 2, 0, -1][found.slice(1, 5).findIndex((part) => part !== undefined)]
}

function monthIn(text: string, today: LocalDate): RelativeDate | undefined {
  const found = NEAR_MONTH.exec(text)
  return found ? { date: monthsLater(`${today.slice(0, 8)}01`, found[1] === undefined ? -1 : 1) } : undefined
}

/** Reads `next thursday`: the first one after today, or else that of the next week, which many people mean. */
function weekdayNear(text: string, today: LocalDate): RelativeDate | undefined {
  const found = NEAR_WEEKDAY.exec(text)
  const weekday = weekdayIn(found?.[5] ?? '')
  const weeks = weeksOf(found)
  if (weekday === undefined || weeks === undefined) return undefined
  const inWeek = (week: number) => daysLater(mondayOf(today), 7 * week + weekday - 1)
  if (weeks === 0) return { date: inWeek(0) }
  if (weeks < 0) return { date: daysLater(weekdayAfter(weekday, daysLater(today, -1)), -7) }
  const first = weekdayAfter(weekday, today)
  if (weeks === 2) return { date: daysLater(first, 7) }
  return first < inWeek(1) ? { date: first, or: inWeek(1) } : { date: first }
}

/** Reads `week 50`; without a year, the first such week that is not over for more than a month. */
function calendarWeekIn(text: string, today: LocalDate): RelativeDate | undefined {
  const [, first, second, year] = CALENDAR_WEEK.exec(text) ?? []
  const week = Number(first ?? second ?? 0)
  if (week < 1 || week > 53) return undefined
  const near = Number(today.slice(0, 4))
  const years = year === undefined ? [near - 1, near, near + 1] : [Number(year)]
  const oldest = year === undefined ? daysLater(today, -RECENT_DAYS) : ''
  const date = years.map((one) => mondayOfWeek(one, week)).find((one) => one !== undefined && one >= oldest)
  return date === undefined ? undefined : { date, isWeek: true }
}

const RECENT_DAYS = 31

function mondayOfWeek(year: number, week: number): LocalDate | undefined {
  const monday = daysLater(mondayOf(`${year}-01-04`), 7 * (week - 1))
  return weekNumberOf(monday) === week ? monday : undefined
}

function weekdayAfter(weekday: number, day: LocalDate): LocalDate {
  const first = dayOf(day) + 1
  return localDateFor(first + ((weekday - weekdayOf(first) + 7) % 7))
}

function shifted(date: LocalDate, count: number, unit: string): LocalDate {
  if (unit.startsWith('m')) return monthsLater(date, count)
  return daysLater(date, unit.startsWith('w') ? 7 * count : count)
}

function numberOf(text: string): number {
  return NUMBER_WORDS[text] ?? Number(text)
}
