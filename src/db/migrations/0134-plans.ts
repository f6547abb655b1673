import { type Kysely, sql } from 'kysely'
import { placeNewTable } from '../schema/citus.ts'

/** Adds plans, and the planning that is going on in each school, which ends by itself if its process dies. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['plans', 'plannings'] as const) {
    await sql.raw(TABLES[table]).execute(db)
    await placeNewTable(db, table)
    await sql.raw(`alter table ${table} add foreign key (tenant_id) references tenants`).execute(db)
  }
}

const TABLES = {
  plans: `create table plans (
    tenant_id uuid not null,
    id uuid not null,
    "from" date not null,
    "to" date not null,
    state text not null check (state in ('draft', 'applied', 'discarded')),
    instructor_ids uuid[],
    student_ids uuid[],
    overrides boolean not null,
    weights json not null,
    effort smallint not null,
    seed integer not null,
    proposed jsonb not null,
    left_out jsonb not null,
    dropped jsonb not null default '[]',
    figures json not null,
    applied jsonb,
    actor_kind text not null,
    actor_id uuid,
    actor_name text not null,
    version integer not null default 1,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (tenant_id, id)
  )`,
  plannings: `create table plannings (
    tenant_id uuid not null,
    id uuid not null,
    until timestamptz not null,
    primary key (tenant_id)
  )`,
}
