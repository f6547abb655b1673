import { stringify } from 'csv-stringify/sync'
import { LOCALE } from '../contract/tenant.ts'

/** The way spreadsheets of a country read a file. */
export type Dialect = { readonly language: string; readonly delimiter: ';' | ',' }

const LOCALES = new RegExp(LOCALE)

/** Excel separates by semicolons where a comma separates decimals. What is no locale is as good as English. */
export function dialectOf(given: string): Dialect {
  const locale = LOCALES.test(given) ? given : 'en'
  const { language } = new Intl.Locale(locale)
  const decimal = new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === 'decimal')
  return { language, delimiter: decimal?.value === ',' ? ';' : ',' }
}

type Cell = string | number | null

/** Without it Excel takes UTF-8 for the characters of the machine. */
const MARK = '\ufeff'

/** The beginning of a file: the mark of UTF-8, and the headings. */
export function csvBegin(headings: readonly string[], dialect: Dialect): string {
  return MARK + csvLines([headings], dialect)
}

/** Lines of a file. What a spreadsheet would compute stands behind an apostrophe (OWASP, CSV injection). */
export function csvLines(lines: readonly (readonly Cell[])[], { delimiter }: Dialect): string {
  return stringify(lines as Cell[][], { delimiter, record_delimiter: '\r\n', escape_formulas: true })
}
