import type { LocalDate } from '../domain/local-time.ts'
import { type DateKind, typedDate } from '../domain/typed-date.ts'

/** The apostrophe that CSV writers put before a cell that a spreadsheet would take for a formula. */
const QUOTED_FORMULA = /^'(?=[=+\-@\t\r＝＋－＠])/

export function textOfCell(cell: string): string {
  return cell.replace(QUOTED_FORMULA, '')
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

const WITH_TIME = /^(\d{4}-\d{1,2}-\d{1,2})[T ].*$/

/** Returns a day as `YYYY-MM-DD`, parsed as in forms, or the cell itself if it is no date or a word such as `today`. */
export function dateOfCell(cell: string, reading: { kind: DateKind; today: LocalDate }): string {
  if (!/\d/.test(cell)) return cell
  const typed = typedDate(cell.replace(WITH_TIME, '$1'), reading)
  return 'date' in typed ? typed.date : cell
}

const WHOLE = /^([+-]?\d+)(?:[.,]0{1,2})?$/

/** Returns a whole number, even if written with zero decimals (`12,0`), or the cell itself. */
export function wholeNumberOfCell(cell: string): number | string {
  const [, digits] = WHOLE.exec(cell) ?? []
  return digits === undefined ? cell : Number(digits)
}
