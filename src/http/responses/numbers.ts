import type { Numbers } from '../../booking/school/numbers.ts'
import { type ExportColumn, headingsOf } from '../../csv/headings.ts'
import { csvBegin, csvLines, dialectOf } from '../../csv/writer.ts'
import type { DayRange } from '../../domain/numbers.ts'
import { API_PREFIX } from '../service.ts'

/** Returns the numbers as clients get them: each with the address of its rows. */
export function withAddresses(numbers: Numbers, { from, to }: DayRange) {
  const at = (name: string, filters: Readonly<Record<string, string>> = {}) => {
    const query = Object.entries(filters)
      .map(([field, value]) => `${field}=${encodeURIComponent(value)}`)
      .join('&')
    return `${API_PREFIX}/numbers/${name}${query && `?${query}`}`
  }
  const within = { from, to }
  const ofUse = at('use', within)
  const missed = (kind: string) => at('missed', { ...within, kind })
  const { no_show, cancelled_late, cancelled_in_time, by_school } = numbers.missed
  const { no_lesson, special_owed, ready } = numbers.lists
  return {
    ...within,
    use: numbers.use.map(({ instructor_id, week, ...one }) => {
      // A year has a thousand of them, and nothing in them to encode.
      return { instructor_id, week, ...one, rows: `${ofUse}&instructor_id=${instructor_id}&week=${week}` }
    }),
    free: numbers.free.map(({ week, instructor_id, minutes }) => {
      return { week, instructor_id, minutes, rows: at('free', { instructor_id, week }) }
    }),
    by_type: numbers.by_type.map(({ lesson_type_id, ...one }) => {
      return { lesson_type_id, ...one, rows: at('by_type', { ...within, lesson_type_id }) }
    }),
    missed: {
      ...{ no_show, cancelled_late, cancelled_in_time, by_school },
      rows: {
        no_show: missed('no_show'),
        cancelled_late: missed('cancelled_late'),
        cancelled_in_time: missed('cancelled_in_time'),
        by_school: missed('by_school'),
      },
    },
    to_test: numbers.to_test.map(({ license_class, test, ...one }) => {
      return { license_class, test, ...one, rows: at('to_test', { ...within, license_class, test }) }
    }),
    passed: numbers.passed.map(({ license_class, test, attempt, ...one }) => {
      const rows = at('passed', { ...within, license_class, test, attempt })
      return { license_class, test, attempt, ...one, rows }
    }),
    lists: {
      no_lesson: { count: no_lesson, rows: at('no_lesson') },
      special_owed: { count: special_owed, rows: at('special_owed') },
      ready: { count: ready, rows: at('ready') },
    },
  }
}

type Row = Readonly<Record<string, unknown>>

/** Yields rows as CSV with these columns. */
export async function* numbersCsv(
  { locale }: { readonly locale: string },
  columns: readonly ExportColumn[],
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  const dialect = dialectOf(locale)
  yield csvBegin(headingsOf(columns.map(headingKey), dialect.language), dialect)
  for await (const rows of pages) {
    const lines = rows.map((row) => columns.map((column) => cellOf(row[column], dialect.language)))
    if (lines.length > 0) yield csvLines(lines, dialect)
  }
}

function cellOf(value: unknown, language: string): string | number | null {
  if (typeof value === 'string' || typeof value === 'number') return value
  if (typeof value === 'boolean')
    return (language === 'de' ? ['nein', 'ja'] : ['no', 'yes'])[Number(value)] ?? null
  if (value === null || value === undefined) return null
  return Object.entries(value)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')
}

function headingKey(column: ExportColumn): ExportColumn {
  return column === 'kind' ? 'missed_kind' : column
}
