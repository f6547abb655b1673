import type { Actor } from '../contract/actor.ts'
import { newId } from '../contract/new-id.ts'
import { notFound, Problem } from '../contract/problem.ts'
import type { NewVehicle, Vehicle, VehicleChange } from '../contract/vehicle.ts'
import { lockCalendars } from '../db/calendars/calendar-locks.ts'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inTransaction } from '../db/connection/transaction.ts'
import type { IdempotencyKey } from '../db/idempotency-keys.ts'
import type { Transaction } from '../db/schema/tables.ts'
import {
  findStoredVehicle,
  findUseOf,
  insertVehicle,
  type StoredVehicle,
  updateVehicle,
} from '../db/vehicles.ts'
import { localNow } from '../domain/time-zone.ts'
import { type ExpectedVersion, requireExpected } from './expected-version.ts'
import { commitOnce } from './idempotent.ts'

const BLANK = {
  gearbox: null,
  license_classes: [],
  plate: null,
  notes: null,
  active: true,
  absences: [],
}

/** Adds a vehicle. Fails where its key is taken (`idempotent.ts`). */
export async function addVehicle(
  database: DatabasePool,
  actor: Actor,
  given: NewVehicle,
  key?: IdempotencyKey,
): Promise<Vehicle> {
  const vehicle = { id: newId(), ...BLANK, ...withNotes(given) }
  return inTransaction(database, (db, commitWith) =>
    commitOnce({ db, actor, commitWith }, key, insertVehicle(db, actor, vehicle)),
  )
}

/** Changes a vehicle, even if lessons then break a rule: they stand. Throws `not_found` and `stale`. */
export async function changeVehicle(
  database: DatabasePool,
  actor: Actor,
  id: string,
  { change, isExpected }: { change: VehicleChange; isExpected: ExpectedVersion },
): Promise<Vehicle> {
  return inTransaction(database, async (db) => {
    const stored = await lockVehicle(db, actor, id)
    if (stored.deleted) throw notFound()
    requireExpected(isExpected, stored)
    return updateVehicle(db, actor, { stored, next: { ...stored, ...withNotes(change) } })
  })
}

/** Hides a vehicle. Throws `not_found`, `stale`, and `in_use` if appointments to come need it. */
export async function deleteVehicle(
  database: DatabasePool,
  actor: Actor,
  id: string,
  isExpected: ExpectedVersion,
): Promise<void> {
  await inTransaction(database, async (db) => {
    const stored = await lockVehicle(db, actor, id)
    if (stored.deleted) throw notFound()
    requireExpected(isExpected, stored)
    await deleteLockedVehicle(db, actor, stored)
  })
}

/** Hides a vehicle whose calendar is locked. Throws `in_use`. */
export async function deleteLockedVehicle(
  db: Transaction,
  actor: Actor,
  stored: StoredVehicle,
): Promise<void> {
  const after = localNow(actor.now, actor.tenant.timezone)
  const use = await findUseOf(db, actor.tenant.id, { id: stored.id, after })
  if (use) throw new Problem('in_use', { params: use })
  await updateVehicle(db, actor, { stored, next: { ...stored, deleted: true } })
}

/** Undoes a deletion; a vehicle that is not deleted stays as it is. Throws `not_found`. */
export async function restoreVehicle(database: DatabasePool, actor: Actor, id: string): Promise<Vehicle> {
  return inTransaction(database, async (db) => {
    const stored = await lockVehicle(db, actor, id)
    return updateVehicle(db, actor, { stored, next: { ...stored, deleted: false } })
  })
}

/** The vehicle, deleted or not, with the calendar locked that booking locks. Throws `not_found`. */
async function lockVehicle(db: Transaction, actor: Actor, id: string): Promise<StoredVehicle> {
  const [, stored] = await Promise.all([
    lockCalendars(db, actor.tenant.id, [id]),
    findStoredVehicle(db, actor.tenant.id, id),
  ])
  if (!stored) throw notFound()
  return stored
}

/** The same values as they are stored: an absence without a note has null. */
export function withNotes<T extends Pick<VehicleChange, 'absences'>>({ absences, ...rest }: T) {
  return {
    ...rest,
    ...(absences && {
      absences: absences.map(({ start_at, end_at, note = null }) => ({ start_at, end_at, note })),
    }),
  }
}
