import type { DoubtCode, Encoding } from '../../contract/file-import.ts'
import { invalidRequest, type Problem } from '../../contract/problem.ts'
import { type ColumnNames, surplusColumn } from '../../csv/column-names.ts'
import type { Columns } from '../../csv/lines.ts'
import { NoTable, readTable, type Table } from '../../csv/table.ts'

/** The choices of a person in place of what the file is recognised as. */
export type FileReading = {
  readonly encoding?: Encoding
  readonly heading_line?: number
  readonly columns?: readonly (string | null)[]
  readonly assume?: readonly DoubtCode[]
}

type Recognition = Pick<FileReading, 'encoding' | 'heading_line'> & {
  readonly columns?: unknown
  readonly mostLines: number
  readonly country: string
  readonly pause: () => Promise<void>
}

/** Returns the table in a file. Throws `invalid_request` if the file cannot be read. */
export async function requireTable(
  bytes: Uint8Array,
  names: ColumnNames<string>,
  { encoding, heading_line, country, mostLines, pause }: Recognition,
): Promise<Table> {
  const known = (headings: readonly string[]) =>
    names.columnsOf(headings).filter((column) => column !== undefined).length
  try {
    return await readTable(bytes, { country, known, mostLines, encoding, headingLine: heading_line, pause })
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
  no_headings: 'The file has no line with this number.',
  malformed: 'The headings cannot be read: a quotation mark is not where it can be, or is never closed.',
}

/** Returns the columns as recognised, or as chosen. Throws `invalid_request` if the choice does not fit the file. */
export function requireColumns<Column extends string>(
  { headings }: Table,
  { columns, columnsOf, traits }: ColumnNames<Column>,
  chosen: FileReading['columns'],
): Columns<Column> {
  if (!chosen) return columnsOf(headings)
  const detail = `columns must have an entry for each of the ${headings.length} columns of the file.`
  if (chosen.length !== headings.length)
    throw invalidRequest([{ pointer: '/columns', code: 'out_of_range', detail }])
  const named = chosen.map((name, at) => {
    const column = columns.find((one) => one === name)
    if (column || name === null) return column
    throw columnFault(at, 'not_allowed', `must be null or one of ${columns.join(', ')}.`)
  })
  const surplus = surplusColumn(named, traits)
  if (surplus === undefined) return named
  throw columnFault(surplus, 'not_unique', `is assigned to ${named[surplus]}, as an earlier one is.`)
}

function columnFault(at: number, code: string, detail: string): Problem {
  return invalidRequest([{ pointer: `/columns/${at}`, code, detail: `columns[${at}] ${detail}` }])
}

export function fileFault(code: string, detail: string, line?: number): Problem {
  if (line === undefined) return invalidRequest([{ pointer: '/file', code, detail }])
  return invalidRequest([{ pointer: `/file/${line}`, code, detail: `Line ${line}: ${detail}` }])
}
