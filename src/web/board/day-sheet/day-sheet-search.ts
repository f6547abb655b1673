import { isLocalDate, type LocalDate } from '../../../domain/local-time.ts'
import { idIn } from '../../ui/id-in.ts'

/** By default today and all instructors. */
export type DaySheetSearch = { readonly day?: LocalDate; readonly instructor?: string }

export function daySheetSearchIn(search: Readonly<Record<string, unknown>>): DaySheetSearch {
  const { day } = search
  return {
    day: typeof day === 'string' && isLocalDate(day) && day >= '2000' ? day : undefined,
    instructor: idIn(search.instructor),
  }
}
