import type { NewVehicle, Vehicle } from '../../contract/vehicle.ts'
import type { DuplicateVehicle } from '../../contract/vehicle-import.ts'
import type { Database } from '../../db/schema/tables.ts'
import { readVehicleIdentities, type VehicleIdentity } from '../../db/school/vehicles.ts'
import { shortest } from '../../domain/spelling.ts'
import type { Steps } from '../../domain/steps.ts'
import { type Given, insertNew } from '../managed-resource.ts'
import { MANAGED_VEHICLES } from '../school/vehicles.ts'
import type { TimeSlicer } from '../time-slicer.ts'
import type { ImportLine, PlanImport } from './import-lines.ts'

export const planVehicles: PlanImport<NewVehicle> = async ({ db, actor, lines, slicer }) => ({
  duplicates: await findDuplicateVehicles(db, actor.tenant.id, lines, slicer),
  write: async (wanted) => {
    for (const { value } of wanted) {
      await slicer.pause()
      await insertNew(db, actor, MANAGED_VEHICLES, value as Given<Vehicle>)
    }
  },
})

export async function findDuplicateVehicles(
  db: Database,
  tenantId: string,
  lines: readonly ImportLine<NewVehicle>[],
  slicer: TimeSlicer,
): Promise<DuplicateVehicle[]> {
  return slicer.run(duplicateVehiclesIn(lines, await readVehicleIdentities(db, tenantId)))
}

/** Finds duplicates. Many vehicles may share a name: `same_as` names only the first, or the first without a plate. */
export function* duplicateVehiclesIn(
  lines: readonly ImportLine<NewVehicle>[],
  stored: readonly VehicleIdentity[],
): Steps<DuplicateVehicle[]> {
  const [byPlate, byName, plateless] = [
    new Map<string, KnownVehicle>(),
    new Map<string, KnownVehicle>(),
    new Map<string, KnownVehicle>(),
  ]
  const remember = (one: KnownVehicle) => {
    const name = signsOf(one.name)
    if (one.plate) keepFirst(byPlate, signsOf(one.plate), one)
    else keepFirst(plateless, name, one)
    keepFirst(byName, name, one)
  }
  for (const one of stored) {
    remember({ ...one, line: null })
    yield
  }
  const duplicates: DuplicateVehicle[] = []
  for (const { line, value } of lines) {
    yield
    const { name, plate = null } = value
    const samePlate = plate ? byPlate.get(signsOf(plate)) : undefined
    const same = samePlate ?? (plate ? plateless : byName).get(signsOf(name))
    if (!same) {
      remember({ id: null, line, name, plate })
      continue
    }
    const same_as = { vehicle_id: same.id, line: same.line, name: same.name }
    duplicates.push({ line, name, likeness: samePlate ? 'plate' : 'name', same_as })
  }
  return duplicates
}

function keepFirst(kept: Map<string, KnownVehicle>, key: string, one: KnownVehicle): void {
  if (!kept.has(key)) kept.set(key, one)
}

type KnownVehicle = Omit<VehicleIdentity, 'id'> & { readonly id: string | null; readonly line: number | null }

function signsOf(text: string): string {
  return shortest(text).replace(/[^\p{L}\p{N}]/gu, '') || text
}
