import type { LocalDate } from '../domain/local-time.ts'
import type { StudentLanguage } from '../domain/page-languages.ts'
import { visibleText } from '../domain/pasted.ts'
import { localToday } from '../domain/time-zone.ts'
import { type DateKind, typedDate } from '../domain/typed-date.ts'

/**
 * The apostrophe that CSV writers put before a cell that a spreadsheet would take for a formula, and the service before one that
 * begins like that itself.
 */
const QUOTED_FORMULA = /^'(?='*[=+\-@\t\r＝＋－＠])/

/** The formula with which programs keep a spreadsheet from changing a value, as in `="0171"`. */
const VALUE_FORMULA = /^="([^"]*)"$/

export function textOfCell(cell: string): string {
  return QUOTED_FORMULA.test(cell) ? cell.slice(1) : cell.replace(VALUE_FORMULA, '$1')
}

/** Whether a cell of a file is a dash or the zeros of a date, written for no value. A dash that is text has an apostrophe before it. */
export function isPlaceholder(cell: string): boolean {
  return /^(?:-+|00\.00\.0000|0000-00-00)$/.test(cell)
}

/** A long number in scientific notation, whose last digits a spreadsheet has lost. */
const ROUNDED = /^\d[.,]\d+e\+\d+$/i

export function isRounded(cell: string): boolean {
  return ROUNDED.test(cell)
}

const FLAGS: Readonly<Record<string, boolean>> = {
  ...Object.fromEntries(
    ['ja', 'yes', 'true', 'wahr', '1', 'x', 'j', 'y', 'oui', 'tak'].map((word) => [word, true]),
  ),
  ...Object.fromEntries(
    ['nein', 'no', 'false', 'falsch', '0', '-', 'n', 'non', 'nie'].map((word) => [word, false]),
  ),
}

export function flagOfCell(cell: string): boolean | string {
  return FLAGS[cell.toLowerCase()] ?? cell
}

/** Returns the language that a cell has by its code or by its name in German, English or itself; undefined for others. */
export function languageOfCell(
  cell: string,
  languages: readonly StudentLanguage[],
): StudentLanguage | undefined {
  const written = cell.toLowerCase()
  return languages.find((language) =>
    ['de', 'en', language].some((reader) => {
      const name = new Intl.DisplayNames(reader, { type: 'language' }).of(language) ?? language
      return written === language || written === name.toLowerCase()
    }),
  )
}

/** A time of day behind a date, as databases and spreadsheets write one that nobody has entered. */
const TIME = /(?:T|,? )\d{1,2}:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?: ?[AP]M| Uhr)?(?:Z|[+-]\d\d:?\d\d)?$/i
/** A time with the offset of another zone: the day in the school may differ. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/
const MIDNIGHT = /T00:00(?::00(?:\.0{1,9})?)?(?:Z|[+-])/

type DateReading = {
  readonly kind: DateKind
  readonly today: LocalDate
  /** The time zone of the school. */
  readonly timezone: string
}

/** Returns a day as `YYYY-MM-DD`, parsed as in forms, or the cell itself if it is no date or a word such as `today`. */
export function dateOfCell(cell: string, { timezone, ...reading }: DateReading): string {
  if (!/\d/.test(cell)) return cell
  const seen = visibleText(cell)
  if (MOMENT.test(seen) && !MIDNIGHT.test(seen)) {
    const moment = new Date(seen)
    return Number.isNaN(moment.getTime()) ? cell : localToday(moment, timezone)
  }
  const typed = typedDate(seen.replace(TIME, ''), reading)
  return 'date' in typed ? typed.date : cell
}

const WHOLE = /^([+-]?\d+)(?:[.,]0{1,2})?$/

/** Returns a whole number, even if written with zero decimals (`12,0`), or the cell itself. */
export function wholeNumberOfCell(cell: string): number | string {
  const [, digits] = WHOLE.exec(cell) ?? []
  return digits === undefined ? cell : Number(digits)
}

/** Returns an address of several lines in one, without the commas that already end a line; one of a single line is unchanged. */
export function addressInLine(cell: string): string {
  const lines = cell
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines
    .map((line, index) => (index < lines.length - 1 && line.endsWith(',') ? line.slice(0, -1) : line))
    .join(', ')
}

/** Adds a cell to notes, on a line of its own behind its label. */
export function joinedNotes(before: string | undefined, cell: string, label: string): string {
  const line = label === '' ? cell : `${label}: ${cell}`
  return before === undefined ? line : `${before}\n${line}`
}
