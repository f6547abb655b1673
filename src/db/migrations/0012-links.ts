import { type Kysely, sql } from 'kysely'
import { placeNewTable } from '../schema/citus.ts'

/**
 * Links that need no login: an instructor's calendar feed, a student's page. Each has one at most. What the link carries is
 * known by its hash alone. An erased student takes the link along. A school says how it is reached, and its terms.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
  await placeNewTable(db, 'links')
  for (const key of foreignKeys) await sql.raw(`alter table links add foreign key ${key}`).execute(db)
}

const statements = [
  `create table links (
  tenant_id uuid not null,
  id uuid not null,
  instructor_id uuid,
  student_id uuid,
  detail text check (detail in ('full', 'lesson', 'busy')),
  token_hash bytea not null,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  primary key (tenant_id, id),
  unique (tenant_id, token_hash),
  unique (tenant_id, instructor_id),
  unique (tenant_id, student_id),
  constraint links_holder_check check (num_nonnulls(instructor_id, student_id) = 1),
  constraint links_detail_of_feed_check check ((detail is null) = (instructor_id is null)))`,
  'alter table tenants add column phone text, add column cancellation_terms text',
  // A feed ends with the login of its instructor.
  'create index users_of_instructor on users (instructor_id) where instructor_id is not null',
]

const foreignKeys = [
  '(tenant_id, instructor_id) references instructors',
  '(tenant_id, student_id) references students on delete cascade',
]
