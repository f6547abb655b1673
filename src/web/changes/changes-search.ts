import type { UserRole } from '../../contract/auth.ts'
import type { Resource } from '../../contract/change.ts'
import { isLocalDate, type LocalDate } from '../../domain/local-time.ts'
import { idIn } from '../ui/id-in.ts'

/** Every resource, in the order in which the filter offers them; one that is new must be named here. */
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

/** The resources whose changes a role reads: those of users are for owners. */
export function kindsFor(role: UserRole): readonly Resource[] {
  return role === 'owner' ? KINDS : KINDS.filter((kind) => kind !== 'user')
}

/** The parameters of the address of the changes; `person` is the id of the actor. */
export type ChangesSearch = {
  readonly kind?: Resource
  readonly person?: string
  readonly from?: LocalDate
  readonly to?: LocalDate
}

/** Reads the address and ignores invalid parts. */
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
