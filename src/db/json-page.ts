import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from './tables.ts'

/** Rows read at a time; a list of any length is streamed in such pages. */
export const PAGE_SIZE = 1000

/** Where a page begins: after the row with these ordering values. */
export type Page = { readonly after: readonly string[] | undefined; readonly limit: number }

/**
 * Rows as the inside of a JSON array, built by PostgreSQL and passed on untouched.
 * `last` is the page's last row if more rows follow.
 */
export type JsonPage<Row = Readonly<Record<string, unknown>>> = {
  readonly json: string
  readonly last: Row | undefined
}

/** Reads one page of a query that has an order. One row more is read, to know whether a page follows. */
export async function readJsonPage<DB, Table extends keyof DB, Row>(
  db: Database,
  query: SelectQueryBuilder<DB, Table, Row>,
  limit: number,
): Promise<JsonPage<Row>> {
  const { rows } = await sql<{ json: string | null; last: Row | null }>`
    with page as materialized (${query.limit(limit + 1)}),
      shown as materialized (select * from page limit ${limit})
    select string_agg(row_to_json(shown)::text, ',') as json,
      case when (select count(*) from page) > ${limit}
        then (select row_to_json(shown) from shown offset ${limit - 1}) end as last
    from shown`.execute(db)
  return { json: rows[0]?.json ?? '', last: rows[0]?.last ?? undefined }
}
