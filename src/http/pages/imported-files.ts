import type { ValidateFunction } from 'ajv'
import {
  type ImportableLines,
  type ImportLine,
  importLines,
  type PlanImport,
} from '../../booking/imports/import-lines.ts'
import type { TimeSlicer } from '../../booking/time-slicer.ts'
import type { Actor } from '../../contract/actor.ts'
import type { DoubtCode, FileImport, ImportDoubt, LineFault } from '../../contract/file-import.ts'
import { type Fault, invalidRequest } from '../../contract/problem.ts'
import { type ColumnNames, missingColumns } from '../../csv/column-names.ts'
import type { CellDoubt, Columns, DescribedLine } from '../../csv/lines.ts'
import type { Table, TableLine } from '../../csv/table.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import type { Database } from '../../db/schema/tables.ts'
import { faultsOf } from '../requests/validation.ts'
import { type FileReading, fileFault, requireColumns, requireTable } from './file-reading.ts'

/** The limits of a preview: faults, samples, and characters of a value. */
const MAX_LINE_FAULTS = 1000
const SAMPLES = 3
const LONGEST_VALUE = 100
/** The lines among which an example of each column is looked for. */
const LINES_TO_EXAMPLE = 50

type Source = { readonly db: Database; readonly actor: Actor }

/** A kind of file: its columns, and how its lines become resources. */
type FileKind<Value, Column extends string, Preview> = {
  readonly columns: ColumnNames<Column>
  readonly required: readonly Column[]
  readonly mostLines: number
  /** The validator of a line's fields, compiled on first use because every command loads this module. */
  readonly validator: () => ValidateFunction
  /** The columns of fields whose names differ. */
  readonly columnsByField: Readonly<Record<string, Column>>
  readonly linesIn: (
    table: Table,
    reading: { readonly columns: Columns<Column>; readonly assumed: ReadonlySet<DoubtCode> },
    context: ReadingContext,
  ) => Promise<Iterable<DescribedLine>>
  readonly preview: (file: PreviewedFile<Value>, context: ReadingContext) => Promise<Preview>
  readonly plan: PlanImport<Value>
}

type ReadFile<Value> = {
  readonly table: Table
  readonly columns: Columns<string>
  /** The lines without a fault. */
  readonly lines: readonly ImportLine<Value>[]
  readonly faults: readonly LineFault[]
  readonly doubts: readonly ImportDoubt[]
  /** The required columns that the file lacks; its lines are then not read. */
  readonly missing: readonly string[]
}

type PreviewedFile<Value> = {
  readonly lines: readonly ImportLine<Value>[]
  readonly count: number
  readonly sample: Value[]
  readonly outline: ReturnType<typeof outlineOf>
}

type ReadingContext = Source & { readonly slicer: TimeSlicer }

type ImportRequest = FileReading & {
  readonly import_lines: readonly number[]
  readonly skipsFaulty: boolean
  readonly key?: IdempotencyKey | undefined
}

export type ImportedFile<Preview> = {
  /** Previews an import. Throws `invalid_request` if the file cannot be read. */
  readonly preview: (bytes: Uint8Array, reading: FileReading, context: ReadingContext) => Promise<Preview>
  /** Imports a file. Throws `invalid_request` with its faults unless faulty lines are skipped. */
  readonly execute: (
    bytes: Uint8Array,
    wanted: ImportRequest,
    context: ReadingContext & { readonly db: DatabasePool },
  ) => Promise<FileImport>
}

export function importedFile<Value, Column extends string, Preview>(
  kind: FileKind<Value, Column, Preview>,
): ImportedFile<Preview> {
  return {
    preview: async (bytes, reading, context) => {
      const file = await readFileOf(kind, bytes, reading, context)
      const { lines, table } = file
      const sample = lines.slice(0, SAMPLES).map(({ value }) => value)
      const outline = outlineOf(file, kind.columns.columns)
      return kind.preview({ lines, count: table.lines.length, sample, outline }, context)
    },
    execute: async (bytes, { import_lines, skipsFaulty, key, ...reading }, context) => {
      const found = requireLines(await readFileOf(kind, bytes, reading, context), skipsFaulty)
      const { db, actor, slicer } = context
      return importLines(db, actor, { ...found, import_lines }, { plan: kind.plan, key, slicer })
    },
  }
}

/** Returns the common part of a preview. */
function outlineOf(
  { table, columns, faults, doubts, missing }: ReadFile<unknown>,
  fields: readonly string[],
) {
  const { encoding, words, delimiter, headings, headingLine } = table
  return {
    encoding,
    words: [...words],
    delimiter,
    heading_line: headingLine,
    fields: [...fields],
    missing_fields: [...missing],
    columns: headings.map((heading, at) => ({
      heading: shown(heading),
      column: columns[at] ?? null,
      example: shown(exampleOf(table, at)),
    })),
    doubts: [...doubts],
    faulty_lines: new Set(faults.map(({ line }) => line)).size,
    faults: faults.slice(0, MAX_LINE_FAULTS),
  }
}

function exampleOf({ lines }: Table, at: number): string {
  const line = lines.slice(0, LINES_TO_EXAMPLE).find(({ cells, fault }) => !fault && (cells[at] ?? '') !== '')
  return line?.cells[at] ?? ''
}

function requireLines<Value>(
  { lines, faults, missing, table }: ReadFile<Value>,
  skipsFaulty: boolean,
): ImportableLines<Value> {
  if (missing.length > 0) {
    const { headingLine } = table
    const place =
      headingLine === 0 ? 'The file has no headings' : `The headings in line ${headingLine} lack them`
    const detail = `There is no column ${missing.join(' and ')}. ${place}: name the fields of the columns in \`columns\`.`
    throw fileFault('column_missing', detail)
  }
  if (skipsFaulty) return { lines, faulty_lines: [...new Set(faults.map(({ line }) => line))] }
  if (faults.length === 0) return { lines, faulty_lines: undefined }
  throw invalidRequest(
    faults.map(({ line, column, code, detail }) => ({
      pointer: `/file/${line}${column === null ? '' : `/${column}`}`,
      code,
      detail: `Line ${line}: ${detail}`,
    })),
  )
}

async function readFileOf<Value, Column extends string>(
  kind: FileKind<Value, Column, unknown>,
  bytes: Uint8Array,
  reading: FileReading,
  context: ReadingContext,
): Promise<ReadFile<Value>> {
  const { slicer, actor } = context
  const { mostLines } = kind
  const recognition = { ...reading, mostLines, country: actor.tenant.country, pause: slicer.pause }
  const table = await requireTable(bytes, kind.columns, recognition)
  const columns = requireColumns(table, kind.columns, reading.columns)
  const missing = missingColumns(columns, kind.required, kind.columns.traits)
  const lines: ImportLine<Value>[] = []
  const faults: LineFault[] = []
  const doubts = new Map<string, ImportDoubt>()
  if (missing.length > 0) return { table, columns, lines, faults, doubts: [], missing }
  let at = 0
  for (const one of await kind.linesIn(table, { columns, assumed: new Set(reading.assume) }, context)) {
    const line = table.lines[at]
    const wrong = line?.fault ? one.faults : [...one.faults, ...faultsBeside(one, kind)]
    for (const fault of wrong) faults.push(lineFault(fault, line, { columns, kind }))
    for (const doubt of one.doubts) countDoubt(doubts, doubt, one.line)
    if (wrong.length === 0) lines.push({ line: one.line, value: one.fields as Value })
    at += 1
    await slicer.pause()
  }
  return { table, columns, lines, faults, doubts: [...doubts.values()], missing }
}

function countDoubt(counted: Map<string, ImportDoubt>, doubt: CellDoubt, line: number): void {
  const { code, column, value, proposal } = doubt
  const key = `${code} ${column}`
  const known = counted.get(key)
  if (known) known.lines += 1
  else counted.set(key, { code, column, lines: 1, line, value: shown(value), proposal: shown(proposal) })
}

type Validating = {
  readonly validator: () => ValidateFunction
  readonly columnsByField: Readonly<Record<string, string>>
}

/** Returns the faults that the API's schema finds in fields without one. Trims texts. */
function faultsBeside(
  { fields, faults }: DescribedLine,
  { validator, columnsByField }: Validating,
): readonly Fault[] {
  const validate = validator()
  const known = new Set(faults.map(({ pointer }) => pointer))
  const isKnown = ({ pointer }: Fault) =>
    known.has(pointer) || known.has(`/${columnsByField[pointer.slice(1)]}`)
  return validate(fields) ? [] : faultsOf(validate).filter((fault) => !isKnown(fault))
}

type Place = {
  readonly columns: Columns<string>
  readonly kind: Pick<Validating, 'columnsByField'> & { readonly columns: ColumnNames<string> }
}

function lineFault(
  { pointer, code, detail }: Fault,
  line: TableLine | undefined,
  { columns, kind }: Place,
): LineFault {
  const [name = ''] = pointer.slice(1).split('/')
  const field = kind.columnsByField[name] ?? (name || null)
  const { wholes = {} } = kind.columns.traits
  const column = columns.find((one) => one && field && wholes[one]?.includes(field)) ?? field
  const at = columns.findIndex((one, index) => one === column && (line?.cells[index] ?? '') !== '')
  const value = line?.cells[line.fault ? 0 : at] ?? ''
  return { line: line?.number ?? 0, column, value: shown(value), code, detail }
}

function shown(text: string): string {
  return text.slice(0, LONGEST_VALUE).toWellFormed()
}
