import type { LocalDate } from '../domain/local-time.ts'
import { typedDate } from '../domain/typed-date.ts'

/** A cell that a spreadsheet would compute, which a writer of CSV therefore quotes by an apostrophe. */
const QUOTED_FORMULA = /^'(?=[=+\-@\t\r＝＋－＠])/

/** The text of a cell, without the apostrophe that keeps spreadsheets from computing it. */
export function textOfCell(cell: string): string {
  return cell.replace(QUOTED_FORMULA, '')
}

/** A long number as a spreadsheet spells it: its last digits are lost. */
const ROUNDED = /^\d[.,]\d+e\+\d+$/i

/** Whether a spreadsheet has rounded the number in the cell. */
export function isRounded(cell: string): boolean {
  return ROUNDED.test(cell)
}

/** A spreadsheet may write a time of day behind a date. */
const WITH_TIME = /^(\d{4}-\d{1,2}-\d{1,2})[T ].*$/

/** The birthday of a cell as `YYYY-MM-DD`, read as forms read it; the cell itself if it is no day. */
export function birthdayOfCell(cell: string, today: LocalDate): string {
  const typed = typedDate(cell.replace(WITH_TIME, '$1'), { kind: 'birth', today })
  return 'date' in typed ? typed.date : cell
}
