import type { Actor } from '../contract/actor.ts'
import type { Slot } from '../contract/slot.ts'
import type { Standing } from '../db/calendars.ts'
import type { Database } from '../db/tables.ts'

/**
 * At most three slots nearest in time to an appointment that the rules refuse, at most two weeks away: of its instructor,
 * or, if there are none, of others who teach the class. What is stored under its id does not count. The reads are of a
 * committed state, without locks. Throws `not_found` for what the tenant does not have.
 */
export async function alternativesFor(
  _db: Database,
  _actor: Actor,
  _refused: Standing,
): Promise<readonly Slot[]> {
  return []
}
