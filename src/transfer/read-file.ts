import { createHash } from 'node:crypto'
import {
  type Closing,
  FileFault,
  type Header,
  headerIn,
  isOlder,
  parsed,
  type RowCounts,
  scopeOf,
} from './format.ts'
import { type FileLine, linesIn } from './read-lines.ts'
import { fileColumnsFor, type TableName, tablesOf } from './tables.ts'

const OPENING_BRACE = 0x7b

const BATCH_LINES = 500
const BATCH_BYTES = 1024 * 1024

/** Consecutive lines of one table with the same columns. */
export type LineBatch = {
  readonly table: TableName
  readonly columns: readonly string[]
  readonly first: number
  readonly lines: readonly string[]
}

/** A check that throws a `FileFault` for a row that cannot be loaded. */
export type RowCheck = (line: number, table: TableName, row: Readonly<Record<string, unknown>>) => void

export async function isTransferFile(path: string): Promise<boolean> {
  for await (const { bytes } of linesIn(path)) return bytes[0] === OPENING_BRACE
  return false
}

export async function readHeader(path: string): Promise<Header> {
  for await (const { bytes } of linesIn(path)) return headerIn(bytes.toString())
  throw new FileFault(1, 'the file is empty.')
}

/** Yields the content in batches, the last once the file is verified as complete and unchanged. Throws a `FileFault`. */
export async function* batchesIn(
  path: string,
  header: Header,
  requireRow: RowCheck = () => undefined,
): AsyncGenerator<LineBatch> {
  const hash = createHash('sha256')
  const counter = new Counter(header)
  let open: OpenBatch | undefined
  let closing: Closing | undefined
  let last = 0
  for await (const { bytes, number } of linesIn(path)) {
    last = number
    if (closing) throw new FileFault(number, 'something follows the closing line.')
    const row = number === 1 ? undefined : parsed(number, bytes.toString())
    closing = row && closingIn(row)
    if (closing) {
      requireUnchanged(closing, { number, sha256: hash.digest('hex') })
      continue
    }
    hash.update(bytes)
    if (!row) continue
    const kind = counter.kindOf(number, row)
    requireRow(number, kind.table, row)
    if (open && !open.takes(kind)) {
      yield open.batch()
      open = undefined
    }
    open ??= new OpenBatch(kind, number)
    open.add({ bytes, number })
  }
  if (!closing) throw new FileFault(last + 1, 'the closing line is missing: the file is torn.')
  counter.requireAll(last)
  if (open) yield open.batch()
}

function closingIn(row: Readonly<Record<string, unknown>>): Closing | undefined {
  return row.end === true ? (row as unknown as Closing) : undefined
}

function requireUnchanged(closing: Closing, { number, sha256 }: { number: number; sha256: string }): void {
  if (closing.sha256 === sha256) return
  throw new FileFault(number, 'the SHA-256 is not that of the lines before: the file has been changed.')
}

type Kind = { readonly table: TableName; readonly columns: readonly string[] }

class OpenBatch {
  readonly #kind: Kind
  readonly #first: number
  readonly #lines: string[] = []
  #bytes = 0

  constructor(kind: Kind, first: number) {
    this.#kind = kind
    this.#first = first
  }

  takes({ table, columns }: Kind): boolean {
    const isSame = table === this.#kind.table && columns.join() === this.#kind.columns.join()
    return isSame && this.#lines.length < BATCH_LINES && this.#bytes < BATCH_BYTES
  }

  add({ bytes }: FileLine): void {
    this.#lines.push(bytes.toString())
    this.#bytes += bytes.length
  }

  batch(): LineBatch {
    return { ...this.#kind, first: this.#first, lines: this.#lines }
  }
}

class Counter {
  readonly #header: Header
  readonly #tables: readonly TableName[]
  readonly #counts: Map<string, number>
  readonly #shapes = new Set<string>()
  #at = 0

  constructor(header: Header) {
    this.#header = header
    this.#tables = tablesOf(scopeOf(header))
    this.#counts = new Map(this.#tables.map((table) => [table, 0]))
  }

  /** Counts a row and returns its table and columns. Throws a `FileFault` if they are unknown or out of order. */
  kindOf(number: number, { table: name, ...fields }: Readonly<Record<string, unknown>>): Kind {
    const at = this.#tables.indexOf(name as TableName)
    const table = this.#tables[at]
    if (table === undefined) throw new FileFault(number, `there is no table ${JSON.stringify(name)}.`)
    if (at < this.#at) throw new FileFault(number, `${table} come before ${this.#tables[this.#at]}.`)
    this.#at = at
    this.#counts.set(table, (this.#counts.get(table) ?? 0) + 1)
    const columns = Object.keys(fields)
    const shape = `${table}: ${columns.join()}`
    if (!this.#shapes.has(shape)) this.#check(number, { table, columns })
    this.#shapes.add(shape)
    return { table, columns }
  }

  #check(number: number, { table, columns }: Kind): void {
    const known = fileColumnsFor(table, scopeOf(this.#header)).map(([column]) => column)
    const [unknown] = columns.filter((column) => !known.includes(column))
    if (unknown !== undefined) throw new FileFault(number, `${table} have no field ${unknown}.`)
    const [missing] = known.filter((column) => !columns.includes(column))
    if (missing !== undefined && !isOlder(this.#header))
      throw new FileFault(number, `the field ${missing} is missing.`)
  }

  requireAll(last: number): void {
    const { counts }: { counts: RowCounts } = this.#header
    for (const [table, count] of this.#counts)
      if (count !== (counts[table] ?? 0))
        throw new FileFault(
          last,
          `there are ${count} lines of ${table}, and the header says ${counts[table]}.`,
        )
  }
}
