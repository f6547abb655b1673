/** What a spreadsheet would compute, and a writer of CSV therefore quotes by an apostrophe. */
const QUOTED_FORMULA = /^'(?=[=+\-@\t\r＝＋－＠])/

/** The text of a cell, without the apostrophe that keeps spreadsheets from computing it. */
export function textOfCell(cell: string): string {
  return cell.replace(QUOTED_FORMULA, '')
}

/** What a spreadsheet makes of a long number: its last digits are lost. */
const ROUNDED = /^\d[.,]\d+e\+\d+$/i

/** Whether a spreadsheet has rounded the number in the cell. */
export function isRounded(cell: string): boolean {
  return ROUNDED.test(cell)
}

const ISO_DAY = /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[T ].*)?$/
const DAY_FIRST = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})$/

/** The day of a cell as `YYYY-MM-DD`, the month in the middle; the cell itself if it is no day. It need not exist. */
export function dayOfCell(cell: string): string {
  const [, year, month, day] = ISO_DAY.exec(cell) ?? swapped(DAY_FIRST.exec(cell)) ?? []
  if (!year || !month || !day) return cell
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

function swapped(match: RegExpExecArray | null): readonly (string | undefined)[] | undefined {
  return match ? [match[0], match[3], match[2], match[1]] : undefined
}
