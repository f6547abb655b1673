import { Problem } from '../contract/problem.ts'
import type { VehicleChange } from '../contract/vehicle.ts'
import { findStoredVehicle, updateVehicle } from '../db/vehicles.ts'
import { deleteLockedVehicle } from './change-vehicle.ts'
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
    else
      await updateVehicle(db, actor, {
        stored,
        next: { ...stored, ...change, deleted: false } as typeof stored,
      })
  } catch (error) {
    if (error instanceof Problem) return undoing.refuse(reversal, error.code)
    throw error
  }
  undoing.done(reversal)
}
