import type { UserRole } from '../../contract/auth.ts'
import type { Resource } from '../../contract/change.ts'
import { isLocalDate, type LocalDate } from '../../domain/local-time.ts'
import { idIn } from '../ui/id-in.ts'

/** Every resource, in the filter's order; the compiler reports a missing one. */
const OFFERED = {
  appointment: true,
  student: true,
  instructor: true,
  vehicle: true,
  schedule_request: true,
  user: true,
  tenant: true,
  lesson_type: true,
  closure: true,
  calendar_feed: true,
  student_link: true,
} as const satisfies Record<Resource, true>

const KINDS = Object.keys(OFFERED) as readonly Resource[]

/** Returns the resources whose changes a role reads: users only for owners. */
export function kindsFor(role: UserRole): readonly Resource[] {
  return role === 'owner' ? KINDS : KINDS.filter((kind) => kind !== 'user')
}

/** `person` is the id of the actor. */
export type ChangesSearch = {
  readonly kind?: Resource
  readonly person?: string
  readonly from?: LocalDate
  readonly to?: LocalDate
}

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
