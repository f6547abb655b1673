import { v7 as uuidv7 } from 'uuid'
import type { Actor } from '../contract/actor.ts'
import type { Tenant } from '../contract/tenant.ts'

/** A command line that acts within a school: `command` is what its log calls it, such as `student erase`. */
export function commandActor(command: string, tenant: Tenant, now: Date): Actor {
  return { kind: 'command', id: null, name: command, role: 'operator', tenant, now, set_id: uuidv7() }
}
