import { type Kysely, sql } from 'kysely'
import { placeNewTable } from '../schema/citus.ts'

/**
 * Adds vehicles, each with a calendar, and up to three of them per appointment. No extension supports a list of ids in an exclusion
 * constraint: each vehicle becomes a range of one number, so that lists that share a vehicle overlap.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(vehicles).execute(db)
  await placeNewTable(db, 'vehicles')
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const vehicles = `create table vehicles (
  tenant_id uuid not null references tenants,
  id uuid not null,
  name text collate "C" not null,
  kind text not null check (kind in ('car', 'motorcycle', 'trailer', 'truck', 'other')),
  gearbox text check (gearbox in ('manual', 'automatic')),
  license_classes text[] not null,
  plate text,
  notes text,
  active boolean not null,
  absences json not null,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  version integer not null default 1,
  primary key (tenant_id, id))`

/** Half a hash: a range is stored with the number after its last, and the largest number has none. */
const number = (at: number) => `uuid_hash_extended(vehicle_ids[${at}], 0) / 2`
const range = (at: number) =>
  `case when vehicle_ids[${at}] is null then '{}' else int8multirange(int8range(${number(at)}, ${number(at)}, '[]')) end`

/** The vehicles of an appointment as ranges: the expression of the exclusion constraint. */
export const VEHICLE_RANGES = [1, 2, 3].map(range).join(' + ')

const statements = [
  'alter table vehicles add foreign key (tenant_id, id) references calendars',
  'create index vehicles_by_name on vehicles (tenant_id, name, id) where deleted_at is null',
  `alter table appointments add column vehicle_ids uuid[] not null default '{}'`,
  'alter table appointments add constraint appointments_vehicle_ids_check check (cardinality(vehicle_ids) <= 3)',
  `alter table appointments add constraint appointments_vehicle_busy exclude using gist
    (tenant_id with =, (${VEHICLE_RANGES}) with &&, tsrange(start_at, end_at) with &&)
    where (deleted_at is null and status <> 'cancelled' and vehicle_ids <> '{}')`,
  'alter table instructors add column usual_vehicle_id uuid',
  'alter table instructors add foreign key (tenant_id, usual_vehicle_id) references vehicles',
]
