import { type Kysely, sql } from 'kysely'
import { placeNewTable } from '../schema/citus.ts'

/** Adds the weeks in which students can come, the first day of wishes, and the lessons that a student has in a week. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLE).execute(db)
  await placeNewTable(db, 'availability')
  for (const statement of REST) await sql.raw(statement).execute(db)
}

const TABLE = `create table availability (
  tenant_id uuid not null,
  id uuid not null,
  student_id uuid not null,
  week_start date not null,
  lessons integer not null,
  windows json,
  version integer not null default 1,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint availability_week_start_check check (extract(isodow from week_start) = 1)
)`

const REST = [
  `create unique index availability_of_week on availability (tenant_id, week_start, student_id) where deleted_at is null`,
  'create index availability_of_student on availability (tenant_id, student_id)',
  'alter table availability add foreign key (tenant_id, student_id) references students on delete cascade',
  'alter table wishes add column "from" date',
  'alter table students add column lessons_per_week integer',
]
