import type { Actor } from '../contract/actor.ts'
import { newId } from '../contract/new-id.ts'
import type { Tenant } from '../contract/tenant.ts'

/** Returns an actor for a command in a school. `command` is its name in the log, such as `student erase`. */
export function commandActor(command: string, tenant: Tenant, now: Date): Actor {
  return {
    kind: 'command',
    id: null,
    name: command,
    role: 'operator',
    instructor_id: null,
    tenant,
    now,
    set_id: newId(),
  }
}
