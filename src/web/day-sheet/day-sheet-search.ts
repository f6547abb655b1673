import { isLocalDate, type LocalDate } from '../../domain/local-time.ts'
import { idIn } from '../ui/id-in.ts'

/** What the address of the day sheets says: today and everybody, unless it says otherwise. */
export type DaySheetSearch = { readonly day?: LocalDate; readonly instructor?: string }

/** What cannot be read is as if it were not there. */
export function daySheetSearchIn(search: Readonly<Record<string, unknown>>): DaySheetSearch {
  const { day } = search
  return {
    day: typeof day === 'string' && isLocalDate(day) && day >= '2000' ? day : undefined,
    instructor: idIn(search.instructor),
  }
}
