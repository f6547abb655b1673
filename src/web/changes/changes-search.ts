import type { Resource } from '../../contract/change.ts'
import { isLocalDate, type LocalDate } from '../../domain/local-time.ts'
import { idIn } from '../ui/id-in.ts'

export const KINDS: readonly Resource[] = [
  'appointment',
  'student',
  'instructor',
  'schedule_request',
  'user',
  'tenant',
  'calendar_feed',
  'student_link',
]

/** What the address of the changes says; `person` is the id of who acted. */
export type ChangesSearch = {
  readonly kind?: Resource
  readonly person?: string
  readonly from?: LocalDate
  readonly to?: LocalDate
}

/** What cannot be read is as if it were not there. */
export function changesSearchIn(search: Readonly<Record<string, unknown>>): ChangesSearch {
  return {
    kind: KINDS.find((kind) => kind === search.kind),
    person: idIn(search.person),
    from: dateIn(search.from),
    to: dateIn(search.to),
  }
}

function dateIn(value: unknown): LocalDate | undefined {
  return typeof value === 'string' && isLocalDate(value) ? value : undefined
}
