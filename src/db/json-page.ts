import { type SelectQueryBuilder, sql } from 'kysely'
import { statement } from './statement.ts'
import type { Database } from './tables.ts'

/** Rows read at a time; a list of any length is streamed in such pages. */
export const PAGE_SIZE = 1000

/** Where a page begins: after the row with these ordering values, at most three. */
export type Page = { readonly after: readonly string[] | undefined; readonly limit: number }

/**
 * Rows as the inside of a JSON array, built by PostgreSQL and passed on untouched.
 * `last` is the page's last row if more rows follow.
 */
export type JsonPage<Row = Readonly<Record<string, unknown>>> = {
  readonly json: string
  readonly last: Row | undefined
}

/** The ordering values of the row before the page, one by one, because a statement has no parameters in arrays. */
type Cut = {
  readonly first?: string | undefined
  readonly second?: string | undefined
  readonly third?: string | undefined
  readonly limit: number
}

/**
 * Reads pages of a query that has an order; `select` is given the ordering values to go on after, if there are any.
 * One row more than asked for is read, to know whether a page follows.
 */
export function jsonPages<Values extends object, DB, Table extends keyof DB, Row>(
  select: (
    db: Database,
    values: Values,
    after: readonly (string | undefined)[] | undefined,
  ) => SelectQueryBuilder<DB, Table, Row>,
): (db: Database, values: Values, page: Page) => Promise<JsonPage> {
  const read = statement((db, values: Values & Cut) => {
    const { first, second, third } = values
    const limit = sql<number>`${values.limit}::integer`
    const rows = select(db, values, first === undefined ? undefined : [first, second, third])
    return sql<{ json: string | null; last: string | null }>`
      select string_agg(json, ',') filter (where number <= ${limit}) as json,
        case when count(*) > ${limit} then min(json) filter (where number = ${limit}) end as last
      from (select row_to_json(page)::text as json, row_number() over () as number
        from (${rows.limit(sql<number>`${limit} + 1`)}) page) numbered`.compile(db)
  })
  return async (db, values, { after, limit }) => {
    const [first, second, third] = after ?? []
    const [page] = await read(db, { ...values, first, second, third, limit })
    return { json: page?.json ?? '', last: page?.last ? JSON.parse(page.last) : undefined }
  }
}
