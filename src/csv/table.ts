import { Readable } from 'node:stream'
import { CsvError, type Info, type Options, parse } from 'csv-parse'
import { parse as parseAtOnce } from 'csv-parse/sync'
import { decoded, type Encoding } from './text.ts'

const DELIMITERS = [';', ',', '\t'] as const
export type Delimiter = (typeof DELIMITERS)[number]

export type TableLine = { readonly number: number; readonly cells: readonly string[] }

export type Table = {
  readonly encoding: Encoding
  readonly delimiter: Delimiter
  readonly headings: readonly string[]
  readonly lines: readonly TableLine[]
}

export class NoTable extends Error {
  readonly code: 'empty' | 'workbook' | 'not_text' | 'malformed' | 'too_many_lines'
  readonly line: number | undefined

  constructor(code: NoTable['code'], line?: number) {
    super(code)
    this.code = code
    this.line = line
  }
}

type ReadOptions = {
  readonly country: string
  readonly known: (headings: readonly string[]) => number
  readonly mostLines: number
  readonly rest: () => Promise<void>
}

/** The line before the headings with which some programs name the delimiter. */
const SEPARATOR_LINE = /^sep=([;,\t])\r?\n/
const WORKBOOK = [0x50, 0x4b, 0x03, 0x04]
const PIECE = 32 * 1024
/** The limit of a line in bytes. A longer one has an unclosed quotation mark, or the file is not a table. */
const MAX_LINE_BYTES = 64 * 1024
const MAX_CELLS = 500
const BEGINNING = 16 * 1024

/** Reads comma-separated values with any delimiter. Throws `NoTable`. */
export async function readTable(
  bytes: Uint8Array,
  { country, known, mostLines, rest }: ReadOptions,
): Promise<Table> {
  if (WORKBOOK.every((byte, at) => bytes[at] === byte)) throw new NoTable('workbook')
  await rest()
  const { encoding, text: written } = decoded(bytes, country)
  // The parser would count \r\n in a quoted cell as two lines.
  const text = written.replace(/"[^"]*"/g, (quoted) => quoted.replace(/\r\n?/g, '\n'))
  if (text.includes('\0')) throw new NoTable('not_text')
  const [before = '', named] = SEPARATOR_LINE.exec(text) ?? []
  const content = text.slice(before.length)
  const delimiter = (named as Delimiter | undefined) ?? delimiterOf(content, known)
  const [first, ...lines] = await linesOf(content, delimiter, { mostLines, rest })
  if (!first) throw new NoTable('empty')
  const numbered = before === '' ? lines : lines.map((line) => ({ ...line, number: line.number + 1 }))
  return { encoding, delimiter, headings: first.cells, lines: numbered }
}

const OPTIONS = {
  relax_column_count: true,
  skip_empty_lines: true,
  skip_records_with_empty_values: true,
  trim: true,
  max_record_size: MAX_LINE_BYTES,
} as const satisfies Options

function delimiterOf(text: string, known: ReadOptions['known']): Delimiter {
  const beginning = text.slice(0, BEGINNING)
  const found = DELIMITERS.map((delimiter) => {
    const headings = headingsIn(beginning, delimiter)
    return { delimiter, known: known(headings), count: headings.length }
  })
  const [best] = found.toSorted((a, b) => b.known - a.known || b.count - a.count)
  return best?.delimiter ?? ';'
}

/** Returns the cells of the first line, or none if it cannot be parsed with the delimiter. */
function headingsIn(text: string, delimiter: string): readonly string[] {
  try {
    const [headings = []] = parseAtOnce(text, { ...OPTIONS, delimiter, to: 1 }) as string[][]
    return headings
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return []
  }
}

async function linesOf(
  text: string,
  delimiter: string,
  { mostLines, rest }: Pick<ReadOptions, 'mostLines' | 'rest'>,
): Promise<readonly TableLine[]> {
  const parser = Readable.from(piecesOf(Buffer.from(text))).pipe(parse({ ...OPTIONS, delimiter, info: true }))
  const lines: TableLine[] = []
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: Info }>) {
      if (lines.length > mostLines) throw new NoTable('too_many_lines')
      if (record.length > MAX_CELLS) throw new NoTable('malformed', info.lines)
      lines.push({ number: info.lines - breaksIn(record), cells: record })
      await rest()
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new NoTable('malformed', Number(error.lines))
  }
  return lines
}

/** Counts line breaks inside quoted cells: the parser reports the number of a record's last line. */
function breaksIn(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0)
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
}
