import { isLocalDate, type LocalDate } from '../../domain/local-time.ts'
import { idIn } from '../ui/id-in.ts'

/** What the address of an instructor's day says: which day, and which of its lessons is shown large. */
export type TodaySearch = { readonly date?: LocalDate; readonly lesson?: string }

/** What cannot be read is as if it were not there. */
export function todaySearchIn({ date, lesson }: Readonly<Record<string, unknown>>): TodaySearch {
  return {
    date: typeof date === 'string' && isLocalDate(date) && date >= '2000' ? date : undefined,
    lesson: idIn(lesson),
  }
}
