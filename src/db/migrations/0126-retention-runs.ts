import { type Kysely, sql } from 'kysely'
import { placeNewTable } from '../schema/citus.ts'

/** Adds the runs that erase the students whose time is over, with an outcome for each, and counts, but no names. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLE).execute(db)
  await placeNewTable(db, 'retention_runs')
  for (const statement of REST) await sql.raw(statement).execute(db)
}

const TABLE = `create table retention_runs (
  tenant_id uuid not null,
  id uuid not null,
  at timestamptz not null,
  actor_kind text not null,
  actor_id uuid,
  actor_name text not null,
  digest text not null,
  agreed boolean not null,
  outcomes jsonb not null,
  counts json not null default '{}',
  finished_at timestamptz,
  primary key (tenant_id, id)
)`

const REST = [
  'create unique index retention_runs_unfinished on retention_runs (tenant_id, digest) where finished_at is null',
  'alter table retention_runs add foreign key (tenant_id) references tenants',
]
