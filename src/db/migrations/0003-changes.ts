import { type Kysely, sql } from 'kysely'

/**
 * Adds the log of changes. A change is logged in the transaction that makes it; later, only an erasure modifies it. `at` is the
 * database's clock at the write, under the locks of the change, so that the changes of one resource are in the order in which they
 * were made. By `transaction`, followers find the changes that they have not seen, however late these were committed. `tenant_id`
 * has no foreign key: the changed resource has one, in the same transaction, and another check takes longer than all three
 * indexes.
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
