import type { UserRole } from './auth.ts'
import type { Tenant } from './tenant.ts'

/** The role of an actor. An operator may do everything on this installation. */
export type Role = UserRole | 'operator'

/** The author of a request or command in a school. `now` is the time of the request; all its changes share `set_id`. */
export type Actor = {
  /** `system` acts for people who have not logged in. */
  readonly kind: 'user' | 'command' | 'student' | 'system'
  /** Null for commands and the system. */
  readonly id: string | null
  /** The name of the person or command. */
  readonly name: string
  readonly role: Role
  /** The user's instructor record, or null. The role decides about access; see `ownOf`. */
  readonly instructor_id: string | null
  readonly tenant: Tenant
  readonly now: Date
  readonly set_id: string
  /** The set of changes that the request undoes. */
  readonly undoes?: string
  /** Undefined for commands, the system and links. */
  readonly session_id?: string
}
