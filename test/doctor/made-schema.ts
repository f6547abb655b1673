import { sql } from 'kysely'
import type { ExpectedTable } from '../../src/db/schema/made-schema.ts'
import type { Database } from '../../src/db/schema/tables.ts'

/** Returns the schema that the migrations have made, by table, as `src/db/schema/schema.json` has it. */
export async function madeSchema(db: Database): Promise<Readonly<Record<string, ExpectedTable>>> {
  const { rows } = await sql<ExpectedTable & { readonly table: string }>`
    select relname as "table",
      (select json_object_agg(attname, typname order by attnum) from pg_attribute
        join pg_type type on type.oid = atttypid
        where attrelid = t.oid and attnum > 0 and not attisdropped) as columns,
      array(select conname::text collate "C" from pg_constraint
        where conrelid = t.oid and contype in ('p', 'u', 'f', 'x', 'c') order by 1) as constraints,
      array(select c.relname::text collate "C" from pg_index join pg_class c on c.oid = indexrelid
        where indrelid = t.oid and not exists (select from pg_constraint where conindid = indexrelid) order by 1) as indexes
    from pg_class t
    where relnamespace = 'public'::regnamespace and relkind = 'r' and not starts_with(relname, 'kysely_')
    order by relname collate "C"`.execute(db)
  return Object.fromEntries(rows.map(({ table, ...made }) => [table, made]))
}

/** Returns the text of the file: one line for each table. */
export function schemaText(tables: Readonly<Record<string, ExpectedTable>>): string {
  const lines = Object.entries(tables).map(([table, expected]) => `  "${table}": ${JSON.stringify(expected)}`)
  return `{\n${lines.join(',\n')}\n}\n`
}
