import { Problem } from '../../contract/problem.ts'
import type { NewVehicle, Vehicle, VehicleChange } from '../../contract/vehicle.ts'
import { insertCalendars, lockCalendars } from '../../db/calendars/calendar-locks.ts'
import { keepLocation, requireKeptLocation } from '../../db/school/locations.ts'
import { findUseOf, VEHICLES } from '../../db/school/vehicles.ts'
import { localNow } from '../../domain/time-zone.ts'
import { adding, changing, deleting, type ManagedResource, restoring } from '../managed-resource.ts'

export const MANAGED_VEHICLES: ManagedResource<Vehicle> = {
  rows: VEHICLES,
  defaults: { active: true },
  lock: async (db, { tenant }, id) => id && lockCalendars(db, tenant.id, [id]),
  accepted: async (db, { tenant }, given, stored) => {
    if (given.location_id !== stored?.location_id) await requireKeptLocation(db, tenant.id, given.location_id)
    return withNotes(given)
  },
  beforeInsert: (db, { tenant }, id) => insertCalendars(db, tenant.id, [{ id, kind: 'vehicle' }]),
  requireUnused: async (db, { tenant, now }, { id }) => {
    const use = await findUseOf(db, tenant.id, { id, after: localNow(now, tenant.timezone) })
    if (use) throw new Problem('in_use', { params: use })
  },
  restorable: async (db, { tenant }, stored) => {
    return { ...stored, location_id: await keepLocation(db, tenant.id, stored.location_id) }
  },
}

export const addVehicle = adding<Vehicle, NewVehicle>(MANAGED_VEHICLES)
export const changeVehicle = changing<Vehicle, VehicleChange>(MANAGED_VEHICLES)
export const deleteVehicle = deleting(MANAGED_VEHICLES)
export const restoreVehicle = restoring(MANAGED_VEHICLES)

export function withNotes<T extends Pick<VehicleChange, 'absences'>>({ absences, ...rest }: T) {
  return {
    ...rest,
    ...(absences && {
      absences: absences.map(({ start_at, end_at, note = null }) => ({ start_at, end_at, note })),
    }),
  }
}
