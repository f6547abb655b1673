import { type Kysely, sql } from 'kysely'
import { placeNewTable } from '../schema/citus.ts'

/** Adds the signatures of lessons and training records, with the document that was signed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(TABLE).execute(db)
  await placeNewTable(db, 'signatures')
  for (const statement of REST) await sql.raw(statement).execute(db)
}

const TABLE = `create table signatures (
  tenant_id uuid not null,
  id uuid not null,
  student_id uuid not null,
  enrolment_id uuid,
  appointment_id uuid,
  "as" text not null,
  name text not null,
  digest text not null,
  strokes json,
  document json not null,
  actor_kind text not null,
  actor_id uuid,
  actor_name text not null,
  at timestamptz not null default now(),
  primary key (tenant_id, id),
  constraint signatures_subject_check check ((enrolment_id is null) <> (appointment_id is null))
)`

const REST = [
  'create index signatures_of_appointment on signatures (tenant_id, appointment_id) where appointment_id is not null',
  'create index signatures_of_enrolment on signatures (tenant_id, enrolment_id) where enrolment_id is not null',
  'create index signatures_of_student on signatures (tenant_id, student_id)',
  'alter table signatures add foreign key (tenant_id, student_id) references students on delete cascade',
  'alter table signatures add foreign key (tenant_id, enrolment_id) references enrolments on delete cascade',
  'alter table signatures add foreign key (tenant_id, appointment_id) references appointments on delete cascade',
]
