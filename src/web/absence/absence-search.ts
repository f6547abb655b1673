import type { LocalDate } from '../../domain/local-time.ts'
import { dayIn, idIn } from '../ui/id-in.ts'

/** The cause, and the first and last day; by default today only. */
export type AbsenceSearch = {
  readonly day?: LocalDate | undefined
  readonly until?: LocalDate | undefined
  readonly instructor?: string | undefined
  readonly vehicle?: string | undefined
  /** Set if the whole school is closed. */
  readonly closed?: true | undefined
  /** Set if the instructor's hours or limits change, or the vehicle is no longer used. */
  readonly change?: true | undefined
}

export function absenceSearchIn({
  day,
  until,
  instructor,
  vehicle,
  closed,
  change,
}: Readonly<Record<string, unknown>>): AbsenceSearch {
  return {
    day: dayIn(day),
    until: dayIn(until),
    instructor: idIn(instructor),
    vehicle: idIn(vehicle),
    closed: closed === true ? true : undefined,
    change: change === true ? true : undefined,
  }
}
