import { sql } from 'kysely'
import { type Vehicle, VehicleChangeSchema, VehicleSchema } from '../../contract/vehicle.ts'
import type { ThingRules } from '../../domain/agenda.ts'
import type { LocalDateTime } from '../../domain/local-time.ts'
import { type CountedUse, endsAfter, findCountedUse } from '../appointments/appointment-conditions.ts'
import type { Parameters } from '../connection/statement.ts'
import { jsonList } from '../json-list.ts'
import { resourceRows, type StoredRow } from '../resource-rows.ts'
import { columnsOf } from '../schema/columns.ts'
import type { Database } from '../schema/tables.ts'

const vehicleColumns = columnsOf(VehicleSchema)

export const VEHICLES = resourceRows({
  table: 'vehicles',
  resource: 'vehicle',
  schema: VehicleSchema,
  change: VehicleChangeSchema,
  references: { location_id: 'locations' },
  texts: ['notes'],
  listedTexts: { absences: 'note' },
  hasHistory: true,
})

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

export async function readVehicleRules(db: Database, tenantId: string): Promise<ThingRules[]> {
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

/** Returns the ids of the vehicles that could stand in for one: the same kind and gearbox, nobody's usual vehicle first. */
export async function listSubstituteIds(
  db: Database,
  tenantId: string,
  { id, kind, gearbox }: Pick<Vehicle, 'id' | 'kind' | 'gearbox'>,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from vehicles
    where tenant_id = ${tenantId} and kind = ${kind} and id <> ${id} and active and deleted_at is null
      and (gearbox is null or ${gearbox}::text is null or gearbox = ${gearbox})
    order by exists (
        select from instructors
        where tenant_id = ${tenantId} and usual_vehicle_id = vehicles.id and active),
      name, id`.execute(db)
  return rows.map((row) => row.id)
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

/** Returns the number and first start of the vehicle's appointments that end after a time; undefined if there are none. */
export function findUseOf(
  db: Database,
  tenantId: string,
  { id, after }: { readonly id: string; readonly after: LocalDateTime },
): Promise<CountedUse | undefined> {
  const those = sql<boolean>`${endsAfter(after)} and ${id} = any(vehicle_ids)`
  return findCountedUse(db, tenantId, those)
}
