import type { Actor } from '../contract/actor.ts'
import { newId } from '../contract/new-id.ts'
import type { Tenant } from '../contract/tenant.ts'

/** A command line that acts within a school: `command` is what its log calls it, such as `student erase`. */
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
