import { sql } from 'kysely'
import { expect } from 'vitest'
import { connectForMaintenance } from '../../src/db/connection/connect.ts'
import type { DatabasePool } from '../../src/db/connection/pool.ts'
import type { TestService } from './app.ts'
import { asOwner } from './as-owner.ts'

/**
 * Returns every column of every table that contains one of the words in a text. Reads the rows of all schools in the
 * worker's database, which takes longer than the service's statement timeout.
 */
export function placesOf(
  service: Pick<TestService, 'db'>,
  words: readonly string[],
): Promise<readonly string[]> {
  return asOwner(service, (owner) => placesIn(owner, words), connectForMaintenance)
}

async function placesIn(owner: DatabasePool, words: readonly string[]): Promise<readonly string[]> {
  const { rows: columns } = await sql<{ table: string; column: string }>`
    select table_name as table, column_name as column from information_schema.columns
    join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE'
      and (data_type in ('text', 'json', 'jsonb', 'ARRAY', 'bytea') or data_type like 'char%')`.execute(owner)
  expect(columns.length).toBeGreaterThan(50)
  const places: string[] = []
  const patterns = words.map((word) => `%${word}%`)
  for (const { table, column } of columns) {
    const text = sql`regexp_replace(${sql.ref(column)}::text, '[ /-]', '', 'g')`
    const { rows } =
      await sql`select from ${sql.table(table)} where ${text} ilike any(${patterns}) limit 1`.execute(owner)
    if (rows.length > 0) places.push(`${table}.${column}`)
  }
  return places.toSorted()
}
