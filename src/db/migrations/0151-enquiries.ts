import { type Kysely, sql } from 'kysely'
import { placeNewTable } from '../schema/citus.ts'

const FORM = JSON.stringify({ enabled: false, classes: [], text: null, slug: null, origins: [] })

/** Adds the form for enquiries on a school's website, and the enquiries. The log has only their state, so that nothing personal outlives a row. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tenants add column enquiries json not null default ${sql.lit(FORM)}`.execute(db)
  await sql`create unique index tenants_by_slug on tenants ((enquiries ->> 'slug'))`.execute(db)
  await sql.raw(TABLE).execute(db)
  await placeNewTable(db, 'enquiries')
  for (const statement of REST) await sql.raw(statement).execute(db)
}

const TABLE = `create table enquiries (
  tenant_id uuid not null,
  id uuid not null,
  form_id uuid not null,
  first_name text not null,
  last_name text not null,
  phone text,
  email text,
  license_class text not null,
  weekdays integer[],
  time_from text collate "C",
  time_to text collate "C",
  message text,
  language text not null,
  consent_at timestamptz not null,
  state text not null check (state in ('new', 'enrolled', 'closed')),
  student_id uuid,
  version integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, form_id),
  constraint enquiries_enrolled check ((state = 'enrolled') = (student_id is not null)))`

const REST = [
  'create index enquiries_of_student on enquiries (tenant_id, student_id)',
  'create index enquiries_by_age on enquiries (created_at)',
  'alter table enquiries add foreign key (tenant_id) references tenants',
  'alter table enquiries add foreign key (tenant_id, student_id) references students on delete cascade',
]
