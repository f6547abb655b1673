import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { sql } from 'kysely'
import type { DatabasePool } from '../db/connection/pool.ts'
import { inLongSnapshot } from '../db/connection/transaction.ts'
import { listMigrationsRun, MIGRATIONS } from '../db/schema/migrate.ts'
import type { Database } from '../db/schema/tables.ts'
import { findTenant } from '../db/school/tenants.ts'
import { type Closing, type Header, headerFor, type RowCounts } from './format.ts'
import { belongsTo, linesOf, type Scope, type TableName, tablesOf } from './tables.ts'

const PAGE_SIZE = 500

export type WriteOptions = Scope & {
  readonly path: string
  readonly now: Date
  readonly onProgress?: (done: number, total: number) => void
  readonly isWithoutSecrets?: boolean
}

const SECRET: ReadonlySet<TableName> = new Set(['passkeys', 'recovery_codes', 'idempotency_keys'])

export class NothingToWrite extends Error {}

/**
 * Writes a school, or all if `tenantId` is undefined, to a private file, over a connection without a query timeout
 * (`connectForMaintenance`). Throws `NothingToWrite` for an unknown school or unknown migrations.
 */
export async function writeTransferFile(database: DatabasePool, writing: WriteOptions): Promise<Header> {
  return inLongSnapshot(database, async (db) => {
    await requireKnownSchema(db)
    const header = headerFor({
      made_at: writing.now.toISOString(),
      school: await schoolOf(db, writing),
      counts: await countsOf(db, writing, writtenTables(writing)),
    })
    const file = createWriteStream(writing.path, { mode: 0o600 })
    await pipeline(Readable.from(textOf(db, writing, header), { highWaterMark: 1 }), createGzip(), file)
    return header
  })
}

async function requireKnownSchema(db: Database): Promise<void> {
  const run = await listMigrationsRun(db)
  if (run.join() === MIGRATIONS.join()) return
  const newest = run.at(-1)
  throw new NothingToWrite(
    newest === undefined
      ? 'The database has no schema yet: migrate it first.'
      : `The database has the schema ${newest}, and this Fahrplan writes ${MIGRATIONS.at(-1)}: migrate, or use the release with that schema.`,
  )
}

async function schoolOf(db: Database, { tenantId }: Scope): Promise<Header['school']> {
  if (tenantId === undefined) return undefined
  const tenant = await findTenant(db, tenantId)
  if (!tenant) throw new NothingToWrite(`There is no school ${tenantId}.`)
  return { id: tenant.id, name: tenant.name }
}

function writtenTables(writing: WriteOptions): readonly TableName[] {
  return tablesOf(writing).filter((table) => !(writing.isWithoutSecrets && SECRET.has(table)))
}

export async function countsOf(db: Database, scope: Scope, tables = tablesOf(scope)): Promise<RowCounts> {
  const counts: [string, number][] = []
  for (const table of tables) {
    const { rows } = await sql<{ count: string }>`
      select count(*) as count from ${sql.table(table)} where ${belongsTo(table, scope)}`.execute(db)
    counts.push([table, Number(rows[0]?.count)])
  }
  return Object.fromEntries(counts)
}

async function* textOf(db: Database, writing: WriteOptions, header: Header): AsyncGenerator<string> {
  const hash = createHash('sha256')
  const total = totalOf(header.counts)
  let done = 0
  const first = `${JSON.stringify(header)}\n`
  hash.update(first)
  yield first
  for (const table of writtenTables(writing)) {
    for await (const lines of pagesOf(db, table, writing)) {
      const isCut = writing.isWithoutSecrets && table === 'users'
      const text = lines.map((line) => `${isCut ? withoutLogin(line) : line}\n`).join('')
      hash.update(text)
      yield text
      done += lines.length
      writing.onProgress?.(done, total)
    }
  }
  const closing: Closing = { end: true, counts: header.counts, sha256: hash.digest('hex') }
  yield `${JSON.stringify(closing)}\n`
}

function withoutLogin(line: string): string {
  return JSON.stringify({ ...JSON.parse(line), password_hash: null, second_factor: false })
}

async function* pagesOf(db: Database, table: TableName, scope: Scope): AsyncGenerator<readonly string[]> {
  await sql`declare lines no scroll cursor for ${linesOf(table, scope)}`.execute(db)
  for (let isMore = true; isMore; ) {
    const { rows } = await sql<{ line: string }>`fetch ${sql.lit(PAGE_SIZE)} from lines`.execute(db)
    isMore = rows.length === PAGE_SIZE
    // JSON stored as text may contain line breaks.
    yield rows.map(({ line }) => line.replaceAll(/[\r\n]+/g, ' '))
  }
  await sql`close lines`.execute(db)
}

export function totalOf(counts: RowCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0)
}
