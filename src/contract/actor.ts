import type { UserRole } from './auth.ts'
import type { Tenant } from './tenant.ts'

/** The role of an actor. An operator may do everything on this installation. */
export type Role = UserRole | 'operator'

/** The user or command that acts for a school. `now` is the time of the request; `set_id` joins its changes. */
export type Actor = {
  /** `system` acts for somebody who has not logged in. */
  readonly kind: 'user' | 'command' | 'student' | 'system'
  /** Null unless it is a user or a student. */
  readonly id: string | null
  /** The person's name, or the command's. */
  readonly name: string
  readonly role: Role
  /** The instructor that the user is, or null. The role decides what the user sees; see `ownOf`. */
  readonly instructor_id: string | null
  readonly tenant: Tenant
  readonly now: Date
  readonly set_id: string
  /** The set of changes that the request undoes. */
  readonly undoes?: string
  /** Undefined for commands, the system and links. */
  readonly session_id?: string
}
