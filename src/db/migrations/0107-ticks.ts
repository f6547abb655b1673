import { type Kysely, sql } from 'kysely'
import { placeNewTable } from '../schema/citus.ts'

/** Adds the papers and tests that a person has ticked off for an enrolment. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLE).execute(db)
  await placeNewTable(db, 'ticks')
  for (const statement of REST) await sql.raw(statement).execute(db)
}

const TABLE = `create table ticks (
  tenant_id uuid not null,
  id uuid not null,
  student_id uuid not null,
  enrolment_id uuid not null,
  kind text not null,
  date date not null,
  valid_until date,
  note text,
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint ticks_days_check check (valid_until >= date)
)`

const REST = [
  `create unique index ticks_of_enrolment on ticks (tenant_id, enrolment_id, kind) where deleted_at is null`,
  'create index ticks_of_student on ticks (tenant_id, student_id)',
  'alter table ticks add foreign key (tenant_id, student_id) references students on delete cascade',
  'alter table ticks add foreign key (tenant_id, enrolment_id) references enrolments on delete cascade',
]
