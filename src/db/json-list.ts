import { hash } from 'node:crypto'
import { type Compilable, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { type Parameters, statement } from './connection/statement.ts'
import type { Database } from './schema/tables.ts'

export const PAGE_SIZE = 1000

/** The sort values of the row before the page, and the maximum number of rows. */
export type PagePosition = { readonly after?: readonly string[] | undefined; readonly limit: number }

/** Rows as a JSON array without its brackets, built by PostgreSQL. `last` is the page's last row if more rows follow. */
export type JsonPage<Row = Readonly<Record<string, unknown>>> = {
  readonly json: string
  readonly last: Row | undefined
}

/** The rows of a list without their content: pages of ids, and a digest of ids and versions. */
export type Outline = { readonly digest: string; readonly pages: readonly string[] }

/** All rows as JSON. `digest` is that of their outline if the list is versioned. */
export type Whole = { readonly json: string; readonly digest: string }

export type JsonList = {
  /** The sort fields, which make up a cursor; the last one is the id. */
  readonly orderedBy: readonly string[]
  /** Whether no row changes without its version, so that equal digests mean equal rows. */
  readonly isVersioned: boolean
  /** All rows; undefined if they exceed `PAGE_SIZE`. */
  readonly whole: () => Promise<Whole | undefined>
  readonly page: (page: PagePosition) => Promise<JsonPage>
  readonly outline: () => Promise<Outline>
  /** The current rows of an outline's page as separate JSON texts, without rows that have left the list. */
  readonly rows: (ids: string) => Promise<readonly string[]>
}

type PageBounds = { readonly limit: number } & { readonly [After in `after_${string}`]?: string }

type Select<Values, DB, Table extends keyof DB, Row> = (
  db: Database,
  values: Parameters<Values>,
) => SelectQueryBuilder<DB, Table, Row>

/** The table, the order, and an expression that changes whenever a selected field changes. */
type Kind = {
  readonly from: string
  /** The sort fields with their SQL types; the last one is the id. */
  readonly orderedBy: Readonly<Record<string, 'text' | 'timestamp' | 'timestamptz' | 'uuid'>>
  readonly isNewestFirst?: boolean
  /** An unselected column to sort by instead of the id. */
  readonly ranking?: string
  readonly versionedBy:
    | 'version'
    | 'updated_at'
    | 'transaction'
    | RawBuilder<string>
    | ((values: Parameters<{ tenantId: string }>) => RawBuilder<string>)
}

/** Defines a list, optionally with a filter; `selectRows` selects rows and columns. */
export function jsonList<Values extends { readonly tenantId: string }, DB, Table extends keyof DB, Row>(
  kind: Kind,
  selectRows: Select<Values, DB, Table, Row>,
): (db: Database, tenantId: string, filter?: Omit<Values, 'tenantId'>) => JsonList {
  const select = inOrder(kind, selectRows)
  const orderedBy = Object.keys(kind.orderedBy)
  const readWhole = wholeOf(kind, select)
  const readPage = pageOf(kind, select)
  const readOutline = outlineOf(select, kind.versionedBy)
  const readRows = rowsOf(select)
  return (db, tenantId, filter) => {
    const values = { ...filter, tenantId } as Values
    return {
      orderedBy,
      isVersioned: kind.versionedBy === 'version',
      whole: async () => {
        const [whole] = await readWhole(db, values)
        if (!whole || Number(whole.count) > PAGE_SIZE) return undefined
        const digests = whole.json === null ? [] : [whole.digest]
        return { json: whole.json ?? '', digest: digestOf(digests) }
      },
      page: async ({ after = [], limit }) => {
        const cut = Object.fromEntries(after.map((value, index) => [`after_${orderedBy[index]}`, value]))
        const [page] = await readPage(db, { ...values, ...cut, limit })
        return { json: page?.json ?? '', last: page?.last ? JSON.parse(page.last) : undefined }
      },
      outline: async () => {
        const pages = await readOutline(db, values)
        return { digest: digestOf(pages.map(({ digest }) => digest)), pages: pages.map(({ ids }) => ids) }
      },
      rows: async (ids) => (await readRows(db, { ...values, ids })).map(({ json }) => json),
    }
  }
}

function digestOf(digests: readonly string[]): string {
  return hash('sha256', digests.join(), 'base64url')
}

/** Finishes rows in this process, for values that PostgreSQL should not compute. `finished` must not change sort values. */
export function finishedList<Row>(list: JsonList, finished: (row: Row) => object): JsonList {
  const finishedRow = (row: Row) => JSON.stringify(finished(row))
  const finishedRows = (json: string) => (JSON.parse(`[${json}]`) as Row[]).map(finishedRow).join()
  return {
    ...list,
    isVersioned: false,
    whole: async () => {
      const whole = await list.whole()
      return whole && { ...whole, json: finishedRows(whole.json) }
    },
    page: async (page) => {
      const { json, last } = await list.page(page)
      return { json: finishedRows(json), last }
    },
    rows: async (ids) => (await list.rows(ids)).map((json) => finishedRow(JSON.parse(json))),
  }
}

/** Finishes rows like `finishedList`, for values that need the database. `finished` receives all rows of a read. */
export function finishedLaterList<Row>(
  list: JsonList,
  finished: (rows: readonly Row[]) => Promise<readonly object[]>,
): JsonList {
  const finishedRows = async (json: string) =>
    (await finished(JSON.parse(`[${json}]`))).map((row) => JSON.stringify(row))
  return {
    ...list,
    isVersioned: false,
    whole: async () => {
      const whole = await list.whole()
      return whole && { ...whole, json: (await finishedRows(whole.json)).join() }
    },
    page: async (page) => {
      const { json, last } = await list.page(page)
      return { json: (await finishedRows(json)).join(), last }
    },
    rows: async (ids) => finishedRows((await list.rows(ids)).join()),
  }
}

function inOrder<Values, DB, Table extends keyof DB, Row>(
  { from, orderedBy, isNewestFirst, ranking }: Kind,
  select: Select<Values, DB, Table, Row>,
): Select<Values, DB, Table, Row> {
  const names = ranking ? [ranking] : Object.keys(orderedBy)
  const direction = sql.raw(isNewestFirst ? 'desc' : 'asc')
  const columns = sql.join(names.map((name) => sql`${sql.ref(`${from}.${name}`)} ${direction}`))
  return (db, values) => select(db, values).orderBy(columns)
}

function isAfter<Values extends { readonly tenantId: string }>(
  { from, orderedBy, isNewestFirst, ranking }: Kind,
  values: Parameters<Values & PageBounds>,
): RawBuilder<boolean> | undefined {
  const { after_id, tenantId } = values
  if (after_id === undefined) return undefined
  if (ranking) {
    const rank = sql.ref(ranking)
    return sql`${rank} > (select ${rank} from ${sql.table(from)} where tenant_id = ${tenantId} and id = ${after_id})`
  }
  const columns = sql.join(Object.keys(orderedBy).map((name) => sql.ref(`${from}.${name}`)))
  const cursor = sql.join(
    Object.entries(orderedBy).map(([name, type]) => sql`${values[`after_${name}`]}::${sql.raw(type)}`),
  )
  return sql`(${columns}) ${sql.raw(isNewestFirst ? '<' : '>')} (${cursor})`
}

/** Reads a list of one page, as most are: without finding a last row, this takes a tenth less time. */
function wholeOf<Values extends { readonly tenantId: string }, DB, Table extends keyof DB, Row>(
  { versionedBy }: Kind,
  select: Select<Values, DB, Table, Row>,
) {
  return statement((db, values: Parameters<Values>) => {
    const rows = select(db, values)
    // The page has the time as text, in milliseconds, to which `versionOf` truncates it.
    const version = sql`version, updated_at::timestamptz`
    const digest = versionedBy === 'version' ? digestOfRows(rows, rowHash(version)) : sql.lit('')
    return sql<{ json: string | null; count: string; digest: string }>`
      select case when count(*) <= ${sql.lit(PAGE_SIZE)} then string_agg(row_to_json(page)::text, ',') end as json,
        count(*) as count, ${digest} as digest
      from ${rows.limit(sql.lit(PAGE_SIZE + 1))} page`.compile(db)
  })
}

function pageOf<Values extends { readonly tenantId: string }, DB, Table extends keyof DB, Row>(
  kind: Kind,
  select: Select<Values, DB, Table, Row>,
) {
  return statement((db, values: Parameters<Values & PageBounds>) => {
    const limit = sql<number>`${values.limit}::integer`
    const rest = isAfter(kind, values)
    const rows = select(db, values).$if(rest !== undefined, (all) => all.where(rest ?? sql.lit(true)))
    return sql<{ json: string | null; last: string | null }>`
      select string_agg(json, ',') filter (where number <= ${limit}) as json,
        case when count(*) > ${limit} then min(json) filter (where number = ${limit}) end as last
      from (select row_to_json(page)::text as json, row_number() over () as number
        from ${rows.limit(sql<number>`${limit} + 1`)} page) numbered`.compile(db)
  })
}

function outlineOf<Values extends { readonly tenantId: string }, DB, Table extends keyof DB, Row>(
  select: Select<Values, DB, Table, Row>,
  versionedBy: Kind['versionedBy'],
) {
  return statement((db, values: Parameters<Values>) => {
    const rows = select(db, values)
    const hashOfRow = rowHash(versionOf(versionedBy, values))
    const listed = rows.clearSelect().select([sql`id`.as('id'), hashOfRow.as('hash')])
    return sql<{ ids: string; digest: string }>`
      select array_agg(id)::text as ids, ${digestOfRows(rows, sql`hash`)} as digest
      from (select id, hash, (row_number() over () - 1) / ${sql.lit(PAGE_SIZE)} as page from ${listed} listed) numbered
      group by page order by page`.compile(db)
  })
}

/** The digest of a page. It includes the statement, so that a release that formats rows differently changes it. */
function digestOfRows(rows: Compilable, hashOfRow: RawBuilder<unknown>) {
  const shape = sql.lit(hash('sha256', rows.compile().sql, 'base64url'))
  return sql<string>`${shape} || count(*) || ' ' || sum(${hashOfRow})`
}

/** The hash of a row's id and version. The seed keeps the sum from staying equal when two rows swap their versions. */
function rowHash(version: RawBuilder<unknown>) {
  return sql<string>`hash_record_extended(row(id, ${version}), uuid_hash_extended(id, 0))`
}

function versionOf(versionedBy: Kind['versionedBy'], values: Parameters<{ tenantId: string }>) {
  // After a restored backup, a version can return with another content, but not at the same time.
  if (versionedBy === 'version') return sql`version, date_trunc('milliseconds', updated_at)`
  if (typeof versionedBy === 'string') return sql.ref(versionedBy)
  return typeof versionedBy === 'function' ? versionedBy(values) : versionedBy
}

function rowsOf<Values extends object, DB, Table extends keyof DB, Row>(
  select: Select<Values, DB, Table, Row>,
) {
  return statement((db, values: Parameters<Values & { readonly ids: string }>) => {
    const rows = select(db, values).where(sql<boolean>`id = any(${values.ids}::uuid[])`)
    return sql<{ json: string }>`select row_to_json(page)::text as json from ${rows} page`.compile(db)
  })
}
