import type { LocationChange } from '../contract/location.ts'
import { Problem } from '../contract/problem.ts'
import { LOCATIONS, lockLocations } from '../db/locations.ts'
import { updateRow } from '../db/resource-rows.ts'
import { deleteLockedLocation, isFull, mirrorTravelTimes } from './locations.ts'
import type { Reversal } from './reversals.ts'
import type { UndoTransaction } from './undoing.ts'

/** Takes the reversals of unchanged locations. All are checked first, because each may write the travel times of others. */
export async function takeUnchangedLocations(undoing: UndoTransaction): Promise<readonly Reversal[]> {
  const reversals = undoing.take('location')
  if (reversals.length === 0) return []
  const all = await lockLocations(undoing.db, undoing.actor.tenant.id)
  const isUnchanged = ({ id, version }: Reversal) => all.get(id)?.version === version
  for (const reversal of reversals) if (!isUnchanged(reversal)) undoing.refuse(reversal, 'changed_since')
  return reversals.filter(isUnchanged)
}

/** Restores earlier values and deleted locations, and deletes new ones that are not in use. Keeps travel times equal both ways. */
export async function undoLocations(undoing: UndoTransaction, reversals: readonly Reversal[]): Promise<void> {
  const { db, actor } = undoing
  const changed: string[] = []
  for (const reversal of reversals) {
    const all = await lockLocations(db, actor.tenant.id)
    const stored = all.get(reversal.id)
    if (!stored) continue
    if (reversal.action === 'restore' && isFull(all)) {
      undoing.refuse(reversal, 'not_undoable')
      continue
    }
    try {
      if (reversal.action === 'delete') await deleteLockedLocation(db, actor, stored)
      else {
        const change: LocationChange = reversal.fields
        await updateRow(db, actor, LOCATIONS, { stored, next: { ...stored, ...change, deleted: false } })
        changed.push(stored.id)
      }
      undoing.done(reversal)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      undoing.refuse(reversal, error.code)
    }
  }
  for (const id of changed) await mirrorTravelTimes(db, actor, id)
}
