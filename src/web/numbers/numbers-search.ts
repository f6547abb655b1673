import type { LocalDate } from '../../domain/local-time.ts'
import { dayIn, textIn } from '../ui/id-in.ts'

/** The page's parameters: the period, by default this month, and the address of the rows to show in place of the numbers. */
export type NumbersSearch = { readonly from?: LocalDate; readonly to?: LocalDate; readonly rows?: string }

export function numbersSearchIn({ from, to, rows }: Readonly<Record<string, unknown>>): NumbersSearch {
  return { from: dayIn(from), to: dayIn(to), rows: textIn(rows) }
}
