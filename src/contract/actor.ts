import type { UserRole } from './auth.ts'
import type { Tenant } from './tenant.ts'

/** The role of an actor: a user has that of their account, an operator may do everything on this installation. */
export type Role = UserRole | 'operator'

/**
 * The user of a request, or a command line, that acts for a school. Every use case takes one, and the log records its changes in
 * the actor's name. `now` is the moment of the request; `set_id` joins the changes of one request.
 */
export type Actor = {
  /** The system acts for somebody who has not logged in. */
  readonly kind: 'user' | 'command' | 'system'
  /** The user's id; the others have none. */
  readonly id: string | null
  /** The user's name, or the command's. */
  readonly name: string
  readonly role: Role
  /** The instructor that the user is, or null. The role decides what the user sees; see `ownOf`. */
  readonly instructor_id: string | null
  readonly tenant: Tenant
  readonly now: Date
  readonly set_id: string
  /** The set of changes that the request takes back. */
  readonly undoes?: string
  /** The session of the request; nothing for commands, the system and links. */
  readonly session_id?: string
}
