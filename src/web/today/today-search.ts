import { isLocalDate, type LocalDate } from '../../domain/local-time.ts'
import { idIn } from '../ui/id-in.ts'

/** The parameters of the address of an instructor's day: the day, and the lesson shown large. */
export type TodaySearch = { readonly date?: LocalDate; readonly lesson?: string }

/** Reads the address and ignores invalid parts. */
export function todaySearchIn({ date, lesson }: Readonly<Record<string, unknown>>): TodaySearch {
  return {
    date: typeof date === 'string' && isLocalDate(date) && date >= '2000' ? date : undefined,
    lesson: idIn(lesson),
  }
}
