import type { Fault } from '../contract/problem.ts'
import { textOfCell } from './cells.ts'
import type { Table, TableLine } from './table.ts'

/** A line of a file as the fields of a resource, and the faults of its cells. */
export type DescribedLine = {
  readonly line: number
  readonly fields: Readonly<Record<string, unknown>>
  readonly faults: readonly Fault[]
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
}

type Reading<Column extends string> = {
  readonly columns: Columns<Column>
  readonly readCell: (column: Column, cell: string) => ReadCell
  readonly seconds?: SecondColumns<Column>
}

export function* describedLines<Column extends string>(
  { lines }: Table,
  { columns, readCell, seconds = {} }: Reading<Column>,
): Generator<DescribedLine> {
  for (const line of lines) {
    const faults: Fault[] = surplusIn(line, columns)
    const fields: Record<string, unknown> = {}
    for (const [column, cell] of cellsByColumn(line, columns, seconds)) {
      const { field, value, fault } = readCell(column, cell)
      if (fault) faults.push({ pointer: `/${column}`, ...fault })
      if (value !== undefined) fields[field] = value
    }
    yield { line: line.number, fields, faults }
  }
}

function cellsByColumn<Column extends string>(
  { cells }: TableLine,
  columns: Columns<Column>,
  seconds: SecondColumns<Column>,
): ReadonlyMap<Column, string> {
  const found = new Map<Column, string>()
  columns.forEach((column, at) => {
    const cell = textOfCell(cells[at] ?? '')
    if (!column || cell === '') return
    const first = found.get(column)
    const isSecond = first !== undefined && first !== cell
    found.set(isSecond ? (seconds[column] ?? column) : column, cell)
  })
  return found
}

/** Returns a fault if there are more cells than headings: a delimiter in unquoted text has shifted the cells. */
function surplusIn({ cells }: TableLine, columns: readonly unknown[]): Fault[] {
  if (cells.slice(columns.length).every((cell) => cell === '')) return []
  const detail = `The line has ${cells.length} cells, the heading ${columns.length}.`
  return [{ pointer: '', code: 'too_many_cells', detail }]
}
