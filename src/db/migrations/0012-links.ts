import { type Kysely, sql } from 'kysely'
import { placeNewTable } from '../schema/citus.ts'

/**
 * Adds links that need no login: an instructor's calendar feed and a student's page, at most one each. Only a hash of the
 * secret is stored. A link is deleted with its student. Also adds a school's phone number and cancellation terms.
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
  // For feeds, which end with the instructor's login.
  'create index users_of_instructor on users (instructor_id) where instructor_id is not null',
]

const foreignKeys = [
  '(tenant_id, instructor_id) references instructors',
  '(tenant_id, student_id) references students on delete cascade',
]
