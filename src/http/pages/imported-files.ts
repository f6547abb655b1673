import type { ValidateFunction } from 'ajv'
import {
  type ImportableLines,
  type ImportLine,
  importLines,
  type PlanImport,
} from '../../booking/import-lines.ts'
import type { Pieces } from '../../booking/pieces.ts'
import type { Actor } from '../../contract/actor.ts'
import type { FileImport, LineFault } from '../../contract/file-import.ts'
import { type Fault, invalidRequest, type Problem } from '../../contract/problem.ts'
import type { Columns, DescribedLine } from '../../csv/lines.ts'
import { NoTable, readTable, type Table, type TableLine } from '../../csv/table.ts'
import type { DatabasePool } from '../../db/connection/pool.ts'
import type { IdempotencyKey } from '../../db/idempotency-keys.ts'
import type { Database } from '../../db/schema/tables.ts'
import { faultsOf } from '../requests/validation.ts'

/** The limits of a preview: faults, samples, and characters of a value. */
const MAX_LINE_FAULTS = 1000
const SAMPLES = 3
const LONGEST_VALUE = 100

type Source = { readonly db: Database; readonly actor: Actor }

/** A kind of file: its columns, and how its lines become resources. */
type FileKind<Value, Column extends string, Preview> = {
  readonly columnsOf: (headings: readonly string[]) => Columns<Column>
  readonly required: readonly Column[]
  readonly mostLines: number
  /** The validator of a line's fields, compiled on first use because every command loads this module. */
  readonly validator: () => ValidateFunction
  /** The columns of fields whose names differ. */
  readonly columnsByField: Readonly<Record<string, Column>>
  readonly linesIn: (
    table: Table,
    columns: Columns<Column>,
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
}

type PreviewedFile<Value> = {
  readonly lines: readonly ImportLine<Value>[]
  readonly count: number
  readonly sample: Value[]
  readonly outline: ReturnType<typeof outlineOf>
}

type ReadingContext = Source & { readonly pieces: Pieces }

type Wanted = {
  readonly import_lines: readonly number[]
  readonly skipsFaulty: boolean
  readonly key?: IdempotencyKey | undefined
}

export type ImportedFile<Preview> = {
  /** Previews an import. Throws `invalid_request` if the file cannot be read. */
  readonly preview: (bytes: Uint8Array, context: ReadingContext) => Promise<Preview>
  /** Imports a file. Throws `invalid_request` with its faults unless faulty lines are skipped. */
  readonly execute: (
    bytes: Uint8Array,
    wanted: Wanted,
    context: ReadingContext & { readonly db: DatabasePool },
  ) => Promise<FileImport>
}

export function importedFile<Value, Column extends string, Preview>(
  kind: FileKind<Value, Column, Preview>,
): ImportedFile<Preview> {
  return {
    preview: async (bytes, context) => {
      const file = await readFileOf(kind, bytes, context)
      const { lines, table } = file
      const sample = lines.slice(0, SAMPLES).map(({ value }) => value)
      return kind.preview({ lines, count: table.lines.length, sample, outline: outlineOf(file) }, context)
    },
    execute: async (bytes, { import_lines, skipsFaulty, key }, context) => {
      const found = requireLines(await readFileOf(kind, bytes, context), skipsFaulty)
      const { db, actor, pieces } = context
      return importLines(db, actor, { ...found, import_lines }, { plan: kind.plan, key, pieces })
    },
  }
}

/** Returns the common part of a preview. */
function outlineOf({ table, columns, faults }: ReadFile<unknown>) {
  const { encoding, delimiter, headings } = table
  return {
    encoding,
    delimiter,
    columns: headings.map((heading, at) => ({ heading: shown(heading), column: columns[at] ?? null })),
    faulty_lines: new Set(faults.map(({ line }) => line)).size,
    faults: faults.slice(0, MAX_LINE_FAULTS),
  }
}

function requireLines<Value>(
  { lines, faults }: ReadFile<Value>,
  skipsFaulty: boolean,
): ImportableLines<Value> {
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
  context: ReadingContext,
): Promise<ReadFile<Value>> {
  const { pieces } = context
  const table = await requireTable(kind, bytes, context)
  const columns = kind.columnsOf(table.headings)
  const missing = kind.required.filter((name) => !columns.includes(name))
  if (missing.length > 0) throw fileFault('column_missing', `There is no column ${missing.join(' and ')}.`)
  const lines: ImportLine<Value>[] = []
  const faults: LineFault[] = []
  let at = 0
  for (const one of await kind.linesIn(table, columns, context)) {
    const wrong = [...one.faults, ...faultsBeside(one, kind)]
    for (const fault of wrong) faults.push(lineFault(fault, table.lines[at], { columns, kind }))
    if (wrong.length === 0) lines.push({ line: one.line, value: one.fields as Value })
    at += 1
    await pieces.rest()
  }
  return { table, columns, lines, faults }
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

type Recognition = {
  readonly columnsOf: (headings: readonly string[]) => Columns<string>
  readonly mostLines: number
}

async function requireTable(
  { columnsOf, mostLines }: Recognition,
  bytes: Uint8Array,
  { actor, pieces }: ReadingContext,
): Promise<Table> {
  const known = (headings: readonly string[]) =>
    columnsOf(headings).filter((column) => column !== undefined).length
  try {
    return await readTable(bytes, { country: actor.tenant.country, known, mostLines, rest: pieces.rest })
  } catch (error) {
    if (!(error instanceof NoTable)) throw error
    const { code, line } = error
    const detail =
      code === 'too_many_lines'
        ? `The file has more than ${mostLines} lines: import it in parts.`
        : DETAILS[code]
    throw fileFault(code, detail, line)
  }
}

const DETAILS: Readonly<Record<Exclude<NoTable['code'], 'too_many_lines'>, string>> = {
  empty: 'The file has no line.',
  workbook: 'The file is a workbook of a spreadsheet: save it as CSV.',
  not_text: 'The file is no text: save it as CSV.',
  malformed: 'A quotation mark is not where it can be, or is never closed.',
}

function fileFault(code: string, detail: string, line?: number): Problem {
  if (line === undefined) return invalidRequest([{ pointer: '/file', code, detail }])
  return invalidRequest([{ pointer: `/file/${line}`, code, detail: `Line ${line}: ${detail}` }])
}

type Place = {
  readonly columns: Columns<string>
  readonly kind: Pick<Validating, 'columnsByField'>
}

function lineFault(
  { pointer, code, detail }: Fault,
  line: TableLine | undefined,
  { columns, kind }: Place,
): LineFault {
  const [name = ''] = pointer.slice(1).split('/')
  const column = kind.columnsByField[name] ?? (name || null)
  const at = columns.findIndex((one, index) => one === column && (line?.cells[index] ?? '') !== '')
  return { line: line?.number ?? 0, column, value: shown(line?.cells[at] ?? ''), code, detail }
}

function shown(text: string): string {
  return text.slice(0, LONGEST_VALUE).toWellFormed()
}
