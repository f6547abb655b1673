import { sql } from 'kysely'
import type { Database } from '../src/db/schema/tables.ts'

type Part = { readonly name: string; readonly drop: string; readonly create: string }

/** Fills a table without its keys and indexes, then creates them from PostgreSQL's definitions. Needs the only connection. */
export async function whileBare(
  db: Database,
  table: string,
  { fill, onMade }: { fill: () => Promise<void>; onMade: (name: string, made: number, of: number) => void },
): Promise<void> {
  const parts = await partsOf(db, table)
  for (const { drop } of parts.toReversed()) await sql.raw(drop).execute(db)
  await fill()
  for (const [index, { name, create }] of parts.entries()) {
    await sql.raw(create).execute(db)
    onMade(name, index + 1, parts.length)
  }
}

/** Returns keys, exclusions and references, then other indexes. Check constraints stay. */
async function partsOf(db: Database, table: string): Promise<readonly Part[]> {
  const { rows } = await sql<Part>`
    select conname as name, format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
    from pg_constraint where conrelid = ${table}::regclass and contype in ('p', 'u', 'x', 'f')
    union all
    select indexrelid::regclass::text, format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
    from pg_index where indrelid = ${table}::regclass
      and not exists (select from pg_constraint where conindid = indexrelid and conrelid = indrelid)`.execute(
    db,
  )
  return rows
}
