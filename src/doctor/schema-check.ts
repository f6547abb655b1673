import { sql } from 'kysely'
import { DROPPED_WHERE_SPREAD, isSpread } from '../db/schema/citus.ts'
import { EXPECTED_SCHEMA } from '../db/schema/made-schema.ts'
import { listMigrationsRun, MIGRATIONS } from '../db/schema/migrate.ts'
import type { Database } from '../db/schema/tables.ts'
import type { Report } from './finding.ts'

/** Reports missing and unknown migrations. Returns whether there are none: otherwise, nothing more can be checked. */
export async function checkMigrations(db: Database, report: Report): Promise<boolean> {
  const run = new Set(await listMigrationsRun(db))
  const missing = MIGRATIONS.filter((name) => !run.has(name))
  const unknown = [...run].filter((name) => !MIGRATIONS.includes(name))
  const resource = 'migration'
  for (const resource_id of missing) report(null, { resource, resource_id, code: 'migration_missing' })
  for (const resource_id of unknown) report(null, { resource, resource_id, code: 'migration_unknown' })
  return missing.length + unknown.length === 0
}

type Constraint = { readonly table: string; readonly name: string; readonly is_enforced: boolean }

/** Checks that every constraint and index of the migrations exists and is enforced. */
export async function checkSchema(db: Database, report: Report): Promise<void> {
  const constraints = await constraintsIn(db)
  const dropped = (await isSpread(db)) ? DROPPED_WHERE_SPREAD : undefined
  for (const [table, expected] of Object.entries(EXPECTED_SCHEMA)) {
    const there = new Set(constraints.filter((one) => one.table === table).map(({ name }) => name))
    for (const resource_id of expected.constraints.filter((name) => !there.has(name) && name !== dropped))
      report(null, { resource: 'constraint', resource_id, code: 'constraint_missing', params: { table } })
  }
  for (const { table, name } of constraints.filter(({ is_enforced }) => !is_enforced))
    report(null, {
      resource: 'constraint',
      resource_id: name,
      code: 'constraint_not_enforced',
      params: { table },
    })

  const indexes = await indexesIn(db)
  const there = new Set(indexes.map(({ name }) => name))
  const expected = Object.values(EXPECTED_SCHEMA).flatMap((table) => table.indexes)
  for (const resource_id of expected.filter((name) => !there.has(name)))
    report(null, { resource: 'index', resource_id, code: 'index_missing' })
  for (const { table, name } of indexes.filter(({ is_valid }) => !is_valid))
    report(null, { resource: 'index', resource_id: name, code: 'index_invalid', params: { table } })
}

/** Returns constraints and whether they are enforced: triggers of a foreign key, and in PostgreSQL 18 constraints, can be disabled. */
async function constraintsIn(db: Database): Promise<readonly Constraint[]> {
  const { rows } = await sql<Constraint>`
    select relname as "table", conname as name, convalidated and coalesce(to_jsonb(c) ->> 'conenforced' = 'true', true)
      and not exists (select from pg_trigger where tgconstraint = c.oid and tgenabled in ('D', 'R')) as is_enforced
    from pg_constraint c join pg_class on pg_class.oid = conrelid
    where connamespace = 'public'::regnamespace and contype in ('p', 'u', 'f', 'x', 'c')
    order by 1, 2`.execute(db)
  return rows
}

async function indexesIn(db: Database) {
  const { rows } = await sql<{ table: string; name: string; is_valid: boolean }>`
    select indrelid::regclass::text as "table", relname as name, indisvalid and indisready and indislive as is_valid
    from pg_index join pg_class on pg_class.oid = indexrelid
    where relnamespace = 'public'::regnamespace order by 1, 2`.execute(db)
  return rows
}
