import type { LocalDate } from '../../domain/local-time.ts'
import { dayIn } from '../ui/id-in.ts'

/** The records that the list shows; by default the incomplete ones. */
export const RECORD_FILTERS = ['unsigned', 'all'] as const
export type ShownRecords = (typeof RECORD_FILTERS)[number]

/** The page's parameters. The period of trainings that ended is by default the present year. */
export type RecordsSearch = {
  readonly running?: true
  readonly from?: LocalDate
  readonly to?: LocalDate
  readonly show?: ShownRecords
}

export function recordsSearchIn({
  running,
  from,
  to,
  show,
}: Readonly<Record<string, unknown>>): RecordsSearch {
  return {
    running: running === true || undefined,
    from: dayIn(from),
    to: dayIn(to),
    show: RECORD_FILTERS.find((one) => one === show),
  }
}
