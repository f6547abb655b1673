import { sql } from 'kysely'
import type { Actor } from '../contract/actor.ts'
import { type Vehicle, VehicleSchema } from '../contract/vehicle.ts'
import type { VehicleRules } from '../domain/agenda.ts'
import type { LocalDateTime } from '../domain/local-time.ts'
import { endsAfter, isCountedRow } from './appointment-conditions.ts'
import { insertCalendars } from './calendars/calendar-locks.ts'
import type { Parameters } from './connection/statement.ts'
import { jsonList } from './json-list.ts'
import { insertRow, type StoredRow } from './resource-rows.ts'
import { columnsOf, startAt } from './schema/columns.ts'
import type { Database, Transaction } from './schema/tables.ts'

const vehicleColumns = columnsOf(VehicleSchema)

export const VEHICLES = {
  table: 'vehicles',
  resource: 'vehicle',
  schema: VehicleSchema,
  json: ['absences'],
} as const

export type StoredVehicle = StoredRow<Vehicle>

const stored = [...vehicleColumns, sql<boolean>`deleted_at is not null`.as('deleted')] as const

export const listVehicles = jsonList(
  { from: 'vehicles', orderedBy: { name: 'text', id: 'uuid' }, versionedBy: 'version' },
  (db, { tenantId }: Parameters<{ tenantId: string }>) =>
    db
      .selectFrom('vehicles')
      .select(vehicleColumns)
      .where('tenant_id', '=', tenantId)
      .where('deleted_at', 'is', null),
)

export async function readVehicleRules(db: Database, tenantId: string): Promise<VehicleRules[]> {
  return db
    .selectFrom('vehicles')
    .select(['id', 'absences', sql<boolean>`active and deleted_at is null`.as('active')])
    .where('tenant_id', '=', tenantId)
    .execute()
}

export type VehicleIdentity = Pick<Vehicle, 'id' | 'name' | 'plate'>

export async function readVehicleIdentities(db: Database, tenantId: string): Promise<VehicleIdentity[]> {
  return db
    .selectFrom('vehicles')
    .select(['id', 'name', 'plate'])
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute()
}

/** Returns the vehicle, deleted or not. Lock its calendar before a change. */
export async function findStoredVehicle(
  db: Database,
  tenantId: string,
  id: string,
): Promise<StoredVehicle | undefined> {
  return db
    .selectFrom('vehicles')
    .select(stored)
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export type VehicleValues = Omit<Vehicle, 'id' | 'version' | 'created_at' | 'updated_at'>

export async function insertVehicle(
  db: Transaction,
  actor: Actor,
  vehicle: VehicleValues & { readonly id: string },
): Promise<Vehicle> {
  await insertCalendars(db, actor.tenant.id, [{ id: vehicle.id, kind: 'vehicle' }])
  return insertRow(db, actor, VEHICLES, vehicle)
}

/** Returns the number and first start of the vehicle's appointments that end after a time; undefined if there are none. */
export async function findUseOf(
  db: Database,
  tenantId: string,
  { id, after }: { readonly id: string; readonly after: LocalDateTime },
): Promise<{ readonly appointments: number; readonly start_at: string } | undefined> {
  const rows = await db
    .selectFrom('appointments')
    .select(startAt)
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .where(isCountedRow)
    .where(endsAfter(after))
    .where(sql<boolean>`${id} = any(vehicle_ids)`)
    .orderBy('appointments.start_at')
    .execute()
  const [first] = rows
  return first && { appointments: rows.length, start_at: first.start_at }
}
