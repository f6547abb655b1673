import type { Tenant } from '../../contract/tenant.ts'
import { headingsOf } from '../../csv/headings.ts'
import { csvBegin, csvLines, dialectOf } from '../../csv/writer.ts'
import type { MinutesOfDay, MonthOfMinutes } from '../../domain/minutes.ts'
import { localNow } from '../../domain/time-zone.ts'
import type { MinutesDocument } from '../../pdf/minutes-sheet.ts'
import { API_PREFIX } from '../service.ts'

/** Returns the minutes as clients get them: each day with the address of its appointments. */
export function withRows({ days, ...month }: MonthOfMinutes) {
  const { instructor_id, name, number, sums } = month
  const address = (date: string) => `${API_PREFIX}/minutes/rows?instructor_id=${instructor_id}&date=${date}`
  const shown = days.map(({ times: _, ...day }) => ({ ...day, rows: address(day.date) }))
  return { instructor_id, name, number, days: shown, sums }
}

const COLUMNS = [
  'instructor_id',
  'number',
  'instructor',
  'date',
  'first_start_at',
  'last_end_at',
  'planned_minutes',
  'worked_minutes',
  'practical_minutes',
  'practical_limit',
  'total_minutes',
  'total_limit',
  'break_minutes',
  'longest_run_minutes',
  'daily_units',
  'daily_override_units',
  'exceeded',
  'overrides',
  'open',
] as const

/** Yields the minutes as CSV, a line per instructor and day. */
export async function* minutesCsv(
  { locale, timezone }: Pick<Tenant, 'locale' | 'timezone'>,
  months: AsyncIterable<MonthOfMinutes>,
): AsyncGenerator<string> {
  const dialect = dialectOf(locale)
  yield csvBegin(headingsOf(COLUMNS, dialect.language), dialect)
  for await (const { days, instructor_id, number, name: instructor } of months) {
    const lines = days.map(({ limits, ...day }) => {
      const { practical: practical_limit, total: total_limit, ...units } = limits
      const texts = { exceeded: day.exceeded.join(', '), overrides: overridesText(day, timezone) }
      const row = {
        ...day,
        ...texts,
        instructor_id,
        number,
        instructor,
        practical_limit,
        total_limit,
        ...units,
      }
      return COLUMNS.map((column) => row[column])
    })
    if (lines.length > 0) yield csvLines(lines, dialect)
  }
}

/** Returns the facts of a printed document. */
export function minutesDocumentOf(
  { name: school, locale, timezone }: Pick<Tenant, 'name' | 'locale' | 'timezone'>,
  month: string,
): MinutesDocument {
  return { school, locale, timezone, month }
}

/** Returns the overrides of a day with the people who booked them, such as `daily: Anna Office 2026-05-03 16:20`. */
export function overridesText({ overrides }: Pick<MinutesOfDay, 'overrides'>, timezone: string): string {
  return overrides
    .map(({ rule, actor, at }) =>
      [`${rule}:`, actor?.name ?? '?', at && localNow(new Date(at), timezone)].filter(Boolean).join(' '),
    )
    .join('; ')
}
