import { hash } from 'node:crypto'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { type Parameters, statement } from './statement.ts'
import type { Database } from './tables.ts'

/** Rows read at a time; a longer list is read in such pages. */
export const PAGE_SIZE = 1000

/** Where a page begins: after the row with these ordering values, at most three; and how many rows it has. */
export type Page = { readonly after?: readonly string[] | undefined; readonly limit: number }

/**
 * Rows as the inside of a JSON array, built by PostgreSQL and passed on untouched.
 * `last` is the page's last row if more rows follow.
 */
export type JsonPage<Row = Readonly<Record<string, unknown>>> = {
  readonly json: string
  readonly last: Row | undefined
}

/** Which rows a list has, without what they say: pages of ids, and a digest of all ids and versions. */
export type Outline = { readonly digest: string; readonly pages: readonly string[] }

/** A list of a tenant; nothing is read until it is asked. */
export type JsonList = {
  /** The fields that order it, the last of them the id; the values of a cursor. */
  readonly orderedBy: readonly string[]
  /** All rows, unless they are more than `PAGE_SIZE`. */
  readonly whole: () => Promise<string | undefined>
  readonly page: (page: Page) => Promise<JsonPage>
  readonly outline: () => Promise<Outline>
  /** The rows of a page of an outline, as they are now; what has left the list since is not among them. */
  readonly rows: (ids: string) => Promise<string>
}

/** A page, its ordering values one by one, because a statement has no parameters in arrays. */
type Cut = {
  readonly first?: string | undefined
  readonly second?: string | undefined
  readonly third?: string | undefined
  readonly limit: number
}

type Select<Values, DB, Table extends keyof DB, Row> = (
  db: Database,
  values: Parameters<Values>,
  after: readonly (RawBuilder<string | undefined> | undefined)[] | undefined,
) => SelectQueryBuilder<DB, Table, Row>

/** Where the rows have an order, and a column or an expression that changes with everything that they show. */
type Kind = {
  readonly orderedBy: readonly string[]
  readonly versionedBy: 'version' | 'updated_at' | 'transaction' | RawBuilder<string>
}

/** A kind of list; `select` is given the ordering values to go on after, if there are any. */
export function jsonList<Values extends object, DB, Table extends keyof DB, Row>(
  { orderedBy, versionedBy }: Kind,
  select: Select<Values, DB, Table, Row>,
): (db: Database, values: Values) => JsonList {
  const readWhole = wholeOf(select)
  const readPage = pageOf(select)
  const readOutline = outlineOf(select, versionedBy)
  const readRows = rowsOf(select)
  return (db, values) => ({
    orderedBy,
    whole: async () => {
      const [whole] = await readWhole(db, values)
      return Number(whole?.count) <= PAGE_SIZE ? (whole?.json ?? '') : undefined
    },
    page: async ({ after = [], limit }) => {
      const [first, second, third] = after
      const [page] = await readPage(db, { ...values, first, second, third, limit })
      return { json: page?.json ?? '', last: page?.last ? JSON.parse(page.last) : undefined }
    },
    outline: async () => {
      const pages = await readOutline(db, values)
      const digest = hash('sha256', pages.map(({ digest }) => digest).join(), 'base64url')
      return { digest, pages: pages.map(({ ids }) => ids) }
    },
    rows: async (ids) => (await readRows(db, { ...values, ids }))[0]?.json ?? '',
  })
}

/** The list with every row finished here: for what PostgreSQL is not to compute. The ordering values stay as they are. */
export function finishedList<Row>(list: JsonList, finished: (row: Row) => object): JsonList {
  const finishedRows = (json: string) =>
    (JSON.parse(`[${json}]`) as Row[]).map((row) => JSON.stringify(finished(row))).join()
  return {
    ...list,
    whole: async () => {
      const whole = await list.whole()
      return whole === undefined ? undefined : finishedRows(whole)
    },
    page: async (page) => {
      const { json, last } = await list.page(page)
      return { json: finishedRows(json), last }
    },
    rows: async (ids) => finishedRows(await list.rows(ids)),
  }
}

/** Most lists have one page: it is read without looking for a last row, which saves a tenth of the time. */
function wholeOf<Values extends object, DB, Table extends keyof DB, Row>(
  select: Select<Values, DB, Table, Row>,
) {
  return statement((db, values: Parameters<Values>) => {
    const rows = select(db, values, undefined).limit(sql.lit(PAGE_SIZE + 1))
    return sql<{ json: string | null; count: string }>`
      select string_agg(row_to_json(page)::text, ',') as json, count(*) as count from ${rows} page`.compile(
      db,
    )
  })
}

function pageOf<Values extends object, DB, Table extends keyof DB, Row>(
  select: Select<Values, DB, Table, Row>,
) {
  return statement((db, values: Parameters<Values & Cut>) => {
    const { first, second, third } = values
    const limit = sql<number>`${values.limit}::integer`
    const rows = select(db, values, first === undefined ? undefined : [first, second, third])
    return sql<{ json: string | null; last: string | null }>`
      select string_agg(json, ',') filter (where number <= ${limit}) as json,
        case when count(*) > ${limit} then min(json) filter (where number = ${limit}) end as last
      from (select row_to_json(page)::text as json, row_number() over () as number
        from ${rows.limit(sql<number>`${limit} + 1`)} page) numbered`.compile(db)
  })
}

/** A release that shows the rows otherwise makes another digest of the same versions: its statement is part of it. */
function outlineOf<Values extends object, DB, Table extends keyof DB, Row>(
  select: Select<Values, DB, Table, Row>,
  versionedBy: Kind['versionedBy'],
) {
  return statement((db, values: Parameters<Values>) => {
    const rows = select(db, values, undefined)
    const shape = sql.lit(hash('sha256', rows.compile().sql, 'base64url'))
    const state = typeof versionedBy === 'string' ? sql.ref(versionedBy) : versionedBy
    const version = sql`id::text || ' ' || ${state}`
    const listed = rows
      .clearSelect()
      .select([sql`id`.as('id'), sql<string>`hashtextextended(${version}, 0)`.as('hash')])
    return sql<{ ids: string; digest: string }>`
      select array_agg(id)::text as ids, ${shape} || count(*) || ' ' || sum(hash) as digest
      from (select id, hash, (row_number() over () - 1) / ${sql.lit(PAGE_SIZE)} as page from ${listed} listed) numbered
      group by page order by page`.compile(db)
  })
}

function rowsOf<Values extends object, DB, Table extends keyof DB, Row>(
  select: Select<Values, DB, Table, Row>,
) {
  return statement((db, values: Parameters<Values & { readonly ids: string }>) => {
    const rows = select(db, values, undefined).where(sql<boolean>`id = any(${values.ids}::uuid[])`)
    return sql<{ json: string | null }>`
      select string_agg(row_to_json(page)::text, ',') as json from ${rows} page`.compile(db)
  })
}
