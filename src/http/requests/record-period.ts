import { type Static, Type } from 'typebox'
import { closed, described, Id, LocalDate, optional } from '../../contract/fields.ts'
import { invalidRequest } from '../../contract/problem.ts'
import type { RecordPeriod } from '../../db/students/records.ts'
import { orderFault } from './time-range.ts'

/** The query parameters of the records of a period. */
export const ofPeriod = {
  from: described(LocalDate, 'The first day of the period.'),
  to: described(LocalDate, 'The last day of the period, inclusive.'),
  state: optional(
    Type.Enum(['ended', 'running'], {
      description:
        '`ended`, by default: the trainings that ended in the period, broken-off ones among them. `running`: those that go on and began by its last day.',
    }),
  ),
  instructor_id: optional(described(Id, 'Only records with a row of this instructor.')),
}

const period = closed(ofPeriod)
export type PeriodQuery = Static<typeof period>

/** Returns the period of a request. Throws `invalid_request` if it ends before it begins. */
export function periodOf({ from, to, state = 'ended', instructor_id }: PeriodQuery): RecordPeriod {
  const fault = orderFault(from, to)
  if (fault) throw invalidRequest([fault])
  return { from, to, state, instructor_id }
}
