import type { LocalDate } from '../../../domain/local-time.ts'
import { dayIn, idIn } from '../../ui/id-in.ts'

/** The day sheet's address; by default today and all instructors. */
export type DaySheetSearch = { readonly day?: LocalDate; readonly instructor?: string }

export function daySheetSearchIn(search: Readonly<Record<string, unknown>>): DaySheetSearch {
  return { day: dayIn(search.day), instructor: idIn(search.instructor) }
}
