import { type Kysely, sql } from 'kysely'

/**
 * Adds the log of changes: written in the same transaction as each change of a resource, and never changed but by an erasure. `at`
 * is the clock of the database when the row is written, which is under the locks of the change: the changes of one resource are in
 * the order in which they were made. `transaction` shows followers the changes they have not seen, however late these were
 * committed. `tenant_id` references nothing: the resource of a change does, in the same transaction, and checking it again takes
 * longer than all three indexes.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}

const statements = [
  `create table changes (
  tenant_id uuid not null,
  id uuid not null,
  at timestamptz(3) not null default clock_timestamp(),
  transaction xid8 not null default pg_current_xact_id(),
  actor_kind text not null check (actor_kind in ('user', 'command', 'student', 'system')),
  actor_id uuid,
  actor_name text not null,
  resource text not null,
  resource_id uuid not null,
  action text not null check (action in ('created', 'changed', 'deleted', 'restored', 'erased')),
  set_id uuid not null,
  before json,
  after json,
  primary key (tenant_id, at, id))`,
  'create index changes_of_resource on changes (tenant_id, resource_id, at, id)',
  'create index changes_by_transaction on changes (tenant_id, transaction)',
]
