import type { DoubtCode } from '../contract/file-import.ts'
import type { Fault } from '../contract/problem.ts'
import { isPlaceholder, textOfCell } from './cells.ts'
import { hasLostLetters, looksWrong } from './letters.ts'
import type { Table, TableLine } from './table.ts'

/** A line of a file as the fields of a resource, with the faults of its cells and the doubts about them. */
export type DescribedLine = {
  readonly line: number
  readonly fields: Readonly<Record<string, unknown>>
  readonly faults: readonly Fault[]
  readonly doubts: readonly CellDoubt[]
}

export type CellDoubt = {
  readonly code: DoubtCode
  readonly column: string
  readonly value: string
  /** The value to import instead. */
  readonly proposal: string
}

/** The column of each cell; undefined if its heading is unknown, empty or repeated. */
export type Columns<Column extends string> = readonly (Column | undefined)[]

/** The column for the second value of each column that may be repeated. */
export type SecondColumns<Column extends string> = Partial<Record<Column, Column>>

export type CellFault = Pick<Fault, 'code' | 'detail'>

export type ReadCell = {
  readonly field: string
  readonly value?: unknown
  readonly fault?: CellFault
  /** A more probable value, imported instead if doubts of its kind are resolved. */
  readonly doubt?: { readonly code: DoubtCode; readonly proposal: string }
}

/** Adds a cell to the earlier ones of its column. The label is empty if the heading names the column. */
export type JoinCells = (before: string | undefined, cell: string, label: string) => string

/** The properties of the columns of a kind of file. */
export type ColumnTraits<Column extends string> = {
  readonly seconds?: SecondColumns<Column>
  /** The columns with the values of others together, by column. A file with the first of these has no need of them. */
  readonly wholes?: Partial<Record<Column, readonly Column[]>>
  /** The columns that several columns of a file may be assigned to. */
  readonly joined?: Partial<Record<Column, JoinCells>>
  /** The columns of names, whose letters are checked. */
  readonly names?: ReadonlySet<Column>
  /** Returns the columns that a heading may name. */
  readonly columnsNamed?: (heading: string) => readonly Column[]
}

type Reading<Column extends string> = ColumnTraits<Column> & {
  readonly columns: Columns<Column>
  /** The kinds of doubts that are resolved. */
  readonly assumed: ReadonlySet<DoubtCode>
  readonly readCell: (column: Column, cell: string) => ReadCell
}

export function* describedLines<Column extends string>(
  table: Table,
  reading: Reading<Column>,
): Generator<DescribedLine> {
  const { columns, readCell, assumed } = reading
  for (const line of table.lines) {
    const faults: Fault[] = lineFaultsIn(line, columns)
    const fields: Record<string, unknown> = {}
    const doubts: CellDoubt[] = []
    for (const [column, cell] of line.fault ? [] : cellsByColumn(table, line, reading)) {
      const {
        field,
        value,
        fault = letterFaultIn(cell, column, { table, reading }),
        doubt,
      } = readCell(column, cell)
      if (fault) faults.push({ pointer: `/${column}`, ...fault })
      if (doubt) doubts.push({ column, value: cell, ...doubt })
      const isResolved = doubt && assumed.has(doubt.code)
      if (value !== undefined) fields[field] = isResolved ? doubt.proposal : value
    }
    yield { line: line.number, fields, faults, doubts }
  }
}

function cellsByColumn<Column extends string>(
  { headings }: Table,
  { cells }: TableLine,
  { columns, seconds = {}, joined = {}, names, columnsNamed = () => [] }: Reading<Column>,
): ReadonlyMap<Column, string> {
  const found = new Map<Column, string>()
  columns.forEach((column, at) => {
    const cell = textOfCell(cells[at] ?? '')
    if (!column || cell === '') return
    // A dash is the missing half of a name.
    if (isPlaceholder(cells[at] ?? '') && !names?.has(column)) return
    const first = found.get(column)
    const join = joined[column]
    const heading = headings[at] ?? ''
    const isSecond = !join && first !== undefined && first !== cell
    found.set(
      isSecond ? (seconds[column] ?? column) : column,
      join ? join(first, cell, columnsNamed(heading).includes(column) ? '' : heading) : cell,
    )
  })
  return found
}

const LINE_FAULTS = {
  bad_quote:
    'A quotation mark is never closed, or text follows the closing one. Close it, and write each mark within the text twice.',
  too_long: 'The line has more than 65,536 characters. Does it lack line breaks?',
} as const

/** Returns the fault of a line that cannot be split, or has more cells than headings: a delimiter in unquoted text has shifted them. */
function lineFaultsIn({ cells, fault }: TableLine, columns: readonly (string | undefined)[]): Fault[] {
  if (fault) {
    const { code, cell } = fault
    return [{ pointer: columns[cell] ? `/${columns[cell]}` : '', code, detail: LINE_FAULTS[code] }]
  }
  if (cells.slice(columns.length).every((cell) => cell === '')) return []
  const detail = `The line has ${cells.length} cells, the heading ${columns.length}.`
  return [{ pointer: '', code: 'too_many_cells', detail }]
}

type LetterContext<Column extends string> = { readonly table: Table; readonly reading: Reading<Column> }

function letterFaultIn<Column extends string>(
  cell: string,
  column: Column,
  { table, reading }: LetterContext<Column>,
): CellFault | undefined {
  const isName = reading.names?.has(column) ?? false
  if (hasLostLetters(cell) || (isName && looksWrong(cell, table)))
    return {
      code: 'wrong_letters',
      detail: `${column} has letters that look wrong in ${table.encoding}: choose the encoding of the file, or export it again as UTF-8.`,
    }
  if (isName && cell.includes('\n'))
    return {
      code: 'line_break',
      detail: `${column} has a line break: is a quotation mark missing in this line or the next?`,
    }
  return undefined
}
