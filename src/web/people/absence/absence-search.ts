import type { LocalDate } from '../../../domain/local-time.ts'
import { dayIn, idIn } from '../../ui/id-in.ts'

/** The instructor who is away, and the first and last day; by default today only. */
type AbsenceSearch = {
  readonly day?: LocalDate | undefined
  readonly until?: LocalDate | undefined
  readonly instructor?: string | undefined
}

export function absenceSearchIn({
  day,
  until,
  instructor,
}: Readonly<Record<string, unknown>>): AbsenceSearch {
  return { day: dayIn(day), until: dayIn(until), instructor: idIn(instructor) }
}
