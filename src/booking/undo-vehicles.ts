import { Problem } from '../contract/problem.ts'
import type { VehicleChange } from '../contract/vehicle.ts'
import { requireKeptLocation } from '../db/locations.ts'
import { findStoredVehicle, updateVehicle } from '../db/vehicles.ts'
import { deleteLockedVehicle, restoreLockedVehicle } from './change-vehicle.ts'
import type { Reversal } from './reversals.ts'
import type { Undoing } from './undoing.ts'

/** Restores the earlier values or a deleted vehicle. Deletes a new vehicle unless it is in use. */
export async function undoVehicle(undoing: Undoing, reversal: Reversal): Promise<void> {
  const { db, actor } = undoing
  const stored = await findStoredVehicle(db, actor.tenant.id, reversal.id)
  if (stored?.version !== reversal.version) return undoing.refuse(reversal, 'changed_since')
  const change: VehicleChange = reversal.fields
  try {
    if (reversal.action === 'delete') await deleteLockedVehicle(db, actor, stored)
    else if (reversal.action === 'restore') await restoreLockedVehicle(db, actor, stored)
    else {
      await requireKeptLocation(db, actor.tenant.id, change.location_id)
      await updateVehicle(db, actor, { stored, next: { ...stored, ...change } as typeof stored })
    }
  } catch (error) {
    if (error instanceof Problem) return undoing.refuse(reversal, error.code)
    throw error
  }
  undoing.done(reversal)
}
