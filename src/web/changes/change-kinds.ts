import type { UserRole } from '../../contract/auth.ts'
import type { Resource } from '../../contract/change.ts'

/** Every resource, in the filter's order; the compiler reports a missing one. */
const OFFERED = {
  appointment: true,
  student: true,
  instructor: true,
  vehicle: true,
  location: true,
  schedule_request: true,
  user: true,
  tenant: true,
  lesson_type: true,
  closure: true,
  wish: true,
  offer: true,
  calendar_feed: true,
  student_link: true,
  webhook: true,
} as const satisfies Record<Resource, true>

const KINDS = Object.keys(OFFERED) as readonly Resource[]

/** Returns the resources whose changes a role reads: users only for owners. */
export function kindsFor(role: UserRole): readonly Resource[] {
  return role === 'owner' ? KINDS : KINDS.filter((kind) => kind !== 'user')
}
