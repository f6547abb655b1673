import { lockClosures, lockInstructorCalendars, setClosureDeleted } from '../db/closures.ts'
import type { Undoing } from './undoing.ts'

export async function undoClosures(undoing: Undoing): Promise<void> {
  const { db, actor } = undoing
  const reversals = undoing.take('closure')
  if (reversals.length === 0) return
  await lockInstructorCalendars(db, actor.tenant.id)
  const ids = reversals.map(({ id }) => id)
  const closures = new Map((await lockClosures(db, actor.tenant.id, ids)).map((one) => [one.id, one]))
  for (const reversal of reversals) {
    const stored = closures.get(reversal.id)
    if (stored?.version === reversal.version) {
      await setClosureDeleted(db, actor, stored, reversal.action === 'delete')
      undoing.done(reversal)
    } else undoing.refuse(reversal, 'changed_since')
  }
}
