import { stringify } from 'csv-stringify/sync'
import { LOCALE } from '../contract/tenant.ts'

export type Dialect = { readonly language: string; readonly delimiter: ';' | ',' }

const LOCALES = new RegExp(LOCALE)

export function dialectOf(given: string): Dialect {
  const locale = LOCALES.test(given) ? given : 'en'
  const { language } = new Intl.Locale(locale)
  const decimal = new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === 'decimal')
  return { language, delimiter: decimal?.value === ',' ? ';' : ',' }
}

type Cell = string | number | null

const MARK = '\ufeff'

export function csvBegin(headings: readonly string[], dialect: Dialect): string {
  return MARK + csvLines([headings], dialect)
}

/** A text that looks like a formula that has been escaped: without another apostrophe an import would take its own for that. */
const ESCAPED_FORMULA = /^'+[=+\-@\t\r＝＋－＠]/

/** Returns lines of CSV, with an apostrophe before cells that a spreadsheet would compute (OWASP, CSV injection). */
export function csvLines(lines: readonly (readonly Cell[])[], { delimiter }: Dialect): string {
  const options = {
    record_delimiter: '\r\n',
    quote_record_delimiter: true,
    escape_formulas: true,
    cast: { string: escaped },
  }
  return stringify(lines as Cell[][], { delimiter, ...options })
}

function escaped(text: string): string {
  return ESCAPED_FORMULA.test(text) ? `'${text}` : text
}
