import { type RawBuilder, sql } from 'kysely'
import { type Location, LocationChangeSchema, LocationSchema } from '../../contract/location.ts'
import { notFound } from '../../contract/problem.ts'
import type { LocalDateTime } from '../../domain/local-time.ts'
import { endsAfter, isCountedRow } from '../appointments/appointment-conditions.ts'
import type { Parameters } from '../connection/statement.ts'
import { jsonList } from '../json-list.ts'
import { findRow, resourceRows, type StoredRow } from '../resource-rows.ts'
import { columnsOf } from '../schema/columns.ts'
import type { Database, Transaction } from '../schema/tables.ts'
import { lockTenant } from './tenants.ts'

const locationColumns = columnsOf(LocationSchema)

export const LOCATIONS = resourceRows({
  table: 'locations',
  resource: 'location',
  schema: LocationSchema,
  change: LocationChangeSchema,
  texts: ['address'],
  hasHistory: true,
})

export type StoredLocation = StoredRow<Location>

export const listLocations = jsonList(
  { from: 'locations', orderedBy: { name: 'text', id: 'uuid' }, versionedBy: 'version' },
  (db, { tenantId }: Parameters<{ tenantId: string }>) =>
    db
      .selectFrom('locations')
      .select(locationColumns)
      .where('tenant_id', '=', tenantId)
      .where('deleted_at', 'is', null),
)

export async function readTravelTimes(
  db: Database,
  tenantId: string,
): Promise<readonly Pick<Location, 'id' | 'travel_minutes'>[]> {
  return db
    .selectFrom('locations')
    .select(['id', 'travel_minutes'])
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null)
    .execute()
}

type BranchOfLesson = Readonly<Record<'instructor_id', string>> & { readonly location_id?: string | null }

/** Returns the names and addresses of branches by the id of the branch, and by that of each instructor who belongs to it. */
export async function readBranches(
  db: Database,
  tenantId: string,
  lessons: readonly BranchOfLesson[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [
    ...new Set(
      lessons.flatMap(({ instructor_id, location_id }) => [instructor_id, location_id ?? []].flat()),
    ),
  ]
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ readonly id: string; readonly branch: string }>`
    select key as id, concat_ws(', ', branch.name, branch.address) as branch
    from (select id as key, location_id from instructors where tenant_id = ${tenantId} and id = any(${ids}::uuid[])
      union all select id, id from locations where tenant_id = ${tenantId} and id = any(${ids}::uuid[])) found
    join locations branch on branch.tenant_id = ${tenantId} and branch.id = found.location_id`.execute(db)
  return new Map(rows.map(({ id, branch }) => [id, branch]))
}

/** Returns the query for travel times to unknown locations, or with another value in the opposite direction. */
export function oneSidedTravelTimes(
  tenantId: string,
): RawBuilder<{ readonly resource_id: string; readonly target: string }> {
  return sql`select location.id as resource_id, way.key as target from locations location
    cross join lateral json_each_text(location.travel_minutes) way
    where location.tenant_id = ${tenantId} and location.deleted_at is null and not exists (
      select from locations other
      where other.tenant_id = location.tenant_id and other.deleted_at is null and other.id <> location.id
        and other.id::text = way.key and other.travel_minutes ->> location.id::text = way.value)`
}

export async function requireLocation(
  db: Database,
  tenantId: string,
  id: string | null | undefined,
): Promise<void> {
  if (id && !(await findRow(db, tenantId, LOCATIONS, id))) throw notFound()
}

/** Returns the id, or null if the school has no such location. Locks it against deletion until the transaction ends. */
export async function keepLocation(
  db: Transaction,
  tenantId: string,
  id: string | null | undefined,
): Promise<string | null> {
  if (!id) return null
  const found = await db
    .selectFrom('locations')
    .select('id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forShare()
    .executeTakeFirst()
  return found?.id ?? null
}

/** Throws `not_found` like `requireLocation`. Locks the location against deletion until the transaction ends. */
export async function requireKeptLocation(
  db: Transaction,
  tenantId: string,
  id: string | null | undefined,
): Promise<void> {
  if (id && !(await keepLocation(db, tenantId, id))) throw notFound()
}

/** Locks the school and returns its locations, deleted or not: a travel time is stored at both ends. */
export async function lockLocations(
  db: Transaction,
  tenantId: string,
): Promise<ReadonlyMap<string, StoredLocation>> {
  await lockTenant(db, tenantId)
  const rows = await db
    .selectFrom('locations')
    .select([...locationColumns, sql<boolean>`deleted_at is not null`.as('deleted')])
    .where('tenant_id', '=', tenantId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return new Map(rows.map((one) => [one.id, one]))
}

/** Whether an instructor, a vehicle or an appointment that ends after a time has the location. */
export async function isLocationUsed(
  db: Database,
  tenantId: string,
  { id, after }: { readonly id: string; readonly after: LocalDateTime },
): Promise<boolean> {
  const at = (table: 'instructors' | 'vehicles' | 'appointments') =>
    db.selectFrom(table).select('id').where('tenant_id', '=', tenantId).where('location_id', '=', id).limit(1)
  const found = [
    await at('instructors').executeTakeFirst(),
    await at('vehicles').where('deleted_at', 'is', null).executeTakeFirst(),
    await at('appointments')
      .where('deleted_at', 'is', null)
      .where(isCountedRow)
      .where(endsAfter(after))
      .executeTakeFirst(),
  ]
  return found.some((one) => one !== undefined)
}
