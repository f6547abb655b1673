import type { Actor } from '../contract/actor.ts'
import { newId } from '../contract/new-id.ts'
import { notFound, Problem } from '../contract/problem.ts'
import type { NewVehicle, Vehicle, VehicleChange } from '../contract/vehicle.ts'
import { lockCalendars } from '../db/calendars/calendar-locks.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import type { IdempotencyKey } from '../db/idempotency-keys.ts'
import { keepLocation, requireKeptLocation } from '../db/locations.ts'
import { updateRow } from '../db/resource-rows.ts'
import type { Transaction } from '../db/schema/tables.ts'
import {
  findStoredVehicle,
  findUseOf,
  insertVehicle,
  type StoredVehicle,
  VEHICLES,
  type VehicleValues,
} from '../db/vehicles.ts'
import { localNow } from '../domain/time-zone.ts'
import { deletion } from './deletion.ts'
import { type Intent, requireExpected } from './expected-version.ts'
import { commitOnce } from './idempotent.ts'

const BLANK = {
  gearbox: null,
  license_classes: [],
  plate: null,
  location_id: null,
  notes: null,
  active: true,
  absences: [],
}

export async function addVehicle(
  database: DatabasePool,
  actor: Actor,
  given: NewVehicle,
  key?: IdempotencyKey,
): Promise<Vehicle> {
  const vehicle = newVehicle(given)
  return inTransaction(database, async (db, commitWith) => {
    await requireKeptLocation(db, actor.tenant.id, vehicle.location_id)
    return commitOnce({ db, actor, commitWith }, key, insertVehicle(db, actor, vehicle))
  })
}

export function newVehicle(given: NewVehicle): VehicleValues & { readonly id: string } {
  return { id: newId(), ...BLANK, ...withNotes(given) }
}

/** Changes a vehicle; lessons that now break a rule stay. Throws `not_found` and `stale`. */
export async function changeVehicle(
  database: DatabasePool,
  actor: Actor,
  id: string,
  { change, isExpected }: Intent<VehicleChange>,
): Promise<Vehicle> {
  return inTransaction(database, async (db) => {
    const stored = await lockVehicle(db, actor, id)
    if (stored.deleted) throw notFound()
    if (change.location_id !== stored.location_id)
      await requireKeptLocation(db, actor.tenant.id, change.location_id)
    requireExpected(isExpected, stored)
    return updateRow(db, actor, VEHICLES, { stored, next: { ...stored, ...withNotes(change) } })
  })
}

/** Marks a vehicle as deleted. Throws `not_found`, `stale`, and `in_use` if an appointment that has not ended needs it. */
export const deleteVehicle = deletion(lockVehicle, deleteLockedVehicle)

export async function deleteLockedVehicle(
  db: Transaction,
  actor: Actor,
  stored: StoredVehicle,
): Promise<void> {
  const after = localNow(actor.now, actor.tenant.timezone)
  const use = await findUseOf(db, actor.tenant.id, { id: stored.id, after })
  if (use) throw new Problem('in_use', { params: use })
  await updateRow(db, actor, VEHICLES, { stored, next: { ...stored, deleted: true } })
}

export async function restoreVehicle(database: DatabasePool, actor: Actor, id: string): Promise<Vehicle> {
  return inTransaction(database, async (db) => {
    const stored = await lockVehicle(db, actor, id)
    return restoreLockedVehicle(db, actor, stored)
  })
}

export async function restoreLockedVehicle(
  db: Transaction,
  actor: Actor,
  stored: StoredVehicle,
): Promise<Vehicle> {
  const location_id = await keepLocation(db, actor.tenant.id, stored.location_id)
  return updateRow(db, actor, VEHICLES, { stored, next: { ...stored, location_id, deleted: false } })
}

async function lockVehicle(db: Transaction, actor: Actor, id: string): Promise<StoredVehicle> {
  const [, stored] = await Promise.all([
    lockCalendars(db, actor.tenant.id, [id]),
    findStoredVehicle(db, actor.tenant.id, id),
  ])
  if (!stored) throw notFound()
  return stored
}

export function withNotes<T extends Pick<VehicleChange, 'absences'>>({ absences, ...rest }: T) {
  return {
    ...rest,
    ...(absences && {
      absences: absences.map(({ start_at, end_at, note = null }) => ({ start_at, end_at, note })),
    }),
  }
}
