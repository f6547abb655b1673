import { type SelectQueryBuilder, sql } from 'kysely'
import { statement } from './statement.ts'
import type { Database } from './tables.ts'

/** Rows read at a time; a longer list is streamed in such pages. */
export const PAGE_SIZE = 1000

/** Where a page begins: after the row with these ordering values, at most three. `PAGE_SIZE` rows unless said otherwise. */
export type Page = { readonly after?: readonly string[] | undefined; readonly limit?: number }

/**
 * Rows as the inside of a JSON array, built by PostgreSQL and passed on untouched.
 * `last` is the page's last row if more rows follow.
 */
export type JsonPage<Row = Readonly<Record<string, unknown>>> = {
  readonly json: string
  readonly last: Row | undefined
}

/** A page, its ordering values one by one, because a statement has no parameters in arrays. */
type Cut = {
  readonly first?: string | undefined
  readonly second?: string | undefined
  readonly third?: string | undefined
  readonly limit?: number | undefined
}

/**
 * Reads pages of a query that has an order; `select` is given the ordering values to go on after, if there are any.
 * Most lists have one page: that one is read without looking for a last row, which saves a tenth of the time.
 */
export function jsonPages<Values extends object, DB, Table extends keyof DB, Row>(
  select: (
    db: Database,
    values: Values,
    after: readonly (string | undefined)[] | undefined,
  ) => SelectQueryBuilder<DB, Table, Row>,
): (db: Database, values: Values, page: Page) => Promise<JsonPage> {
  const readWhole = statement((db, values: Values) => {
    const rows = select(db, values, undefined).limit(sql.lit(PAGE_SIZE + 1))
    return sql<{ json: string | null; count: string }>`
      select string_agg(row_to_json(page)::text, ',') as json, count(*) as count from ${rows} page`.compile(
      db,
    )
  })
  const readPage = statement((db, values: Values & Cut) => {
    const { first, second, third } = values
    // A limit that the planner cannot see makes it plan anew each time.
    const limit = values.limit === undefined ? sql.lit(PAGE_SIZE) : sql<number>`${values.limit}::integer`
    const rows = select(db, values, first === undefined ? undefined : [first, second, third])
    return sql<{ json: string | null; last: string | null }>`
      select string_agg(json, ',') filter (where number <= ${limit}) as json,
        case when count(*) > ${limit} then min(json) filter (where number = ${limit}) end as last
      from (select row_to_json(page)::text as json, row_number() over () as number
        from ${rows.limit(sql<number>`${limit} + 1`)} page) numbered`.compile(db)
  })
  return async (db, values, { after, limit }) => {
    if (after === undefined && limit === undefined) {
      const [whole] = await readWhole(db, values)
      if (Number(whole?.count) <= PAGE_SIZE) return { json: whole?.json ?? '', last: undefined }
    }
    const [first, second, third] = after ?? []
    const [page] = await readPage(db, { ...values, first, second, third, limit })
    return { json: page?.json ?? '', last: page?.last ? JSON.parse(page.last) : undefined }
  }
}
